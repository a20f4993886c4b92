//! Reversed output, and the mirror.

use super::{MIRROR, ReversingOutputs};
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::outside::Outside;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_awkio::{End, OutputKind};
use riverhawk_bytecode::PrintTarget;
use riverhawk_bytecode::Unit as Program;
use riverhawk_record::TextKind;
use riverhawk_record::terminator::Terminator;
use riverhawk_syntax::ast::Extension;
use riverhawk_value::number::number_to_text;
use riverhawk_value::{Ascii, Value};

impl Outside {
    pub(crate) fn set_backwards(&mut self, program: &Program) {
        let has = |extension: Extension| program.extensions.contains(&extension);
        let variable = || program.globals.iter().position(|global| global.name == "REVOUT");
        let reverses = if has(Extension::Revoutput) { variable() } else { None };
        let has_mirror = has(Extension::Revtwoway);
        if has_mirror || reverses.is_some() {
            self.backwards = Some(Box::new(ReversingOutputs {
                has_mirror,
                reverses,
                ..ReversingOutputs::default()
            }));
        }
    }

    pub(crate) fn goes_backwards(
        &mut self,
        current: &CurrentRecord,
        globals: &Globals,
        how: PrintTarget,
        name: &[u8],
    ) -> bool {
        let Some(backwards) = &mut self.backwards else { return false };
        if backwards.has_mirror && how == PrintTarget::Coprocess && name == MIRROR {
            return true;
        }
        let Some(reverses) = backwards.reverses else { return false };
        let (is_coprocess, is_open) = match how {
            PrintTarget::Pipe => return false,
            PrintTarget::Coprocess => (true, self.io.is_open_coprocess(name)),
            PrintTarget::Truncate | PrintTarget::Append => {
                (false, self.io.outputs.is_open(OutputKind::File, name))
            }
        };
        let key = (is_coprocess, name.to_vec());
        if !is_open {
            match globals.statics[reverses].number(current.record.text()) == 0.0 {
                true => backwards.reversed.remove(&key),
                false => backwards.reversed.insert(key.clone()),
            };
        }
        backwards.reversed.contains(&key)
    }

    pub(crate) fn printed_to_mirror(
        &mut self,
        how: PrintTarget,
        name: &[u8],
        text: &[u8],
    ) -> Fallible<bool> {
        let Some(backwards) = self.backwards.as_mut().filter(|backwards| backwards.has_mirror)
        else {
            return Ok(false);
        };
        if how != PrintTarget::Coprocess || name != MIRROR {
            return Ok(false);
        }
        let mirror = backwards.mirror.get_or_insert_default();
        if mirror.closed.0 {
            return Err(Fault::new("`/magic/mirror' cannot be written: its end \"to\" was closed"));
        }
        mirror.waiting.extend_from_slice(text);
        Ok(true)
    }

    /// getline from the mirror; `None` for another name. An empty mirror is at its end for now;
    /// gawk 5.2.1 crashes.
    pub(crate) fn getline_from_mirror(
        &mut self,
        current: &mut CurrentRecord,
        name: &[u8],
        into: Option<&mut Value>,
    ) -> Fallible<Option<f64>> {
        let Some(backwards) = self.backwards.as_mut().filter(|backwards| backwards.has_mirror)
        else {
            return Ok(None);
        };
        if name != MIRROR {
            return Ok(None);
        }
        let mirror = backwards.mirror.get_or_insert_default();
        if mirror.closed.1 {
            return Err(Fault::new("`/magic/mirror' cannot be read: its end \"from\" was closed"));
        }
        let text = std::mem::take(&mut mirror.waiting);
        if text.is_empty() {
            return Ok(Some(0.0));
        }
        let end = text.iter().rposition(|&byte| byte != b'\n').map_or(0, |last| last + 1);
        let (text, newlines) = text.split_at(end);
        current.rt_text.clear();
        current.rt_text.extend_from_slice(newlines);
        current.rt = Terminator::Text;
        match into {
            Some(line) => line.set_input(text, Ascii::when(text.is_ascii())),
            None => current.record.set_text(text, TextKind::Input),
        }
        Ok(Some(1.0))
    }

    pub(crate) fn closed_mirror(&mut self, name: &[u8], end: Option<End>) -> bool {
        let Some(backwards) = self.backwards.as_mut().filter(|_| name == MIRROR) else {
            return false;
        };
        let Some(mirror) = &mut backwards.mirror else { return false };
        mirror.closed.0 |= end != Some(End::From);
        mirror.closed.1 |= end != Some(End::To);
        if mirror.closed == (true, true) {
            backwards.mirror = None;
        }
        true
    }

    pub(crate) fn is_open_mirror(&self, name: &[u8]) -> bool {
        name == MIRROR
            && self.backwards.as_ref().is_some_and(|backwards| backwards.mirror.is_some())
    }
}

impl CurrentRecord {
    pub(crate) fn printed_backwards<'v>(&self, parts: impl Iterator<Item = &'v Value>) -> Vec<u8> {
        let (specials, record) = (&self.specials, self.record.text());
        let mut text = Vec::new();
        let mut piece = Vec::new();
        let mut count = 0;
        for part in parts {
            if count > 0 {
                text.extend(specials.ofs.iter().rev());
            }
            count += 1;
            piece.clear();
            match part {
                Value::Num(number) => number_to_text(*number, &specials.ofmt, &mut piece),
                part => part.append_to(record, &specials.ofmt, &mut piece),
            }
            text.extend(piece.iter().rev());
        }
        if count == 0 {
            text.extend(record.iter().rev());
        }
        text.extend(specials.ors.iter().rev());
        text
    }
}
