//! Editing in place, as the record loop needs it.

use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::main_input::MainInput;
use crate::outside::Outside;
use riverhawk_awkio::fault::{Fallible, Fault, FaultKind};
use riverhawk_awkio::in_place::{Begun, InPlace};
use riverhawk_bytecode::Unit as Program;
use riverhawk_value::Value;

impl Outside {
    pub(crate) fn is_editing(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        globals: &Globals,
    ) -> bool {
        if self.in_place.is_none() {
            return false;
        }
        for variable in InPlace::VARIABLES {
            let slot = program.globals.iter().position(|global| global.name == variable);
            let Some(value) = slot.map(|slot| &globals.statics[slot]) else { continue };
            if matches!(value, Value::Uninit) || value.is_array() {
                continue;
            }
            let text = current.text_of(value);
            if let Some(in_place) = &mut self.in_place {
                in_place.update(variable, text);
            }
        }
        self.in_place.as_ref().is_some_and(InPlace::is_enabled)
    }

    pub(crate) fn begin_edit(
        &mut self,
        program: &Program,
        current: &mut CurrentRecord,
        globals: &Globals,
        name: &[u8],
    ) -> Fallible<Begun> {
        if !self.is_editing(program, current, globals) {
            return Ok(Begun::Reads);
        }
        self.allow_edit(name)?;
        let Some(in_place) = &mut self.in_place else { return Ok(Begun::Reads) };
        let begun = in_place.begin(name, &mut self.io)?;
        match begun {
            Begun::Reads => current.columns.begin_output(),
            Begun::OnlyReads => {
                let name = String::from_utf8_lossy(name);
                self.warn(&format!("{name} is not a regular file: not edited in place"))?;
            }
            Begun::Skips => {}
        }
        Ok(begun)
    }

    pub(crate) fn note_unprinted(&mut self, bytes: usize) {
        if let Some(in_place) = &mut self.in_place {
            in_place.note_unprinted(bytes);
        }
    }

    pub(crate) fn finish_edit(&mut self) -> Fallible<()> {
        if let Some(in_place) = &mut self.in_place {
            in_place.finish(&mut self.io)?;
        }
        Ok(())
    }

    pub(crate) fn abandon_edit(&mut self) {
        if let Some(in_place) = &mut self.in_place {
            in_place.abandon(&mut self.io);
        }
    }

    pub(crate) fn is_in_edit(&self) -> bool {
        self.in_place.as_ref().is_some_and(InPlace::is_editing)
    }

    /// If the file cannot be read or is malformed, it stays as it was and the next is edited. Other
    /// failures are returned.
    pub(crate) fn fail_edit(
        &mut self,
        current: &mut CurrentRecord,
        main: &mut MainInput,
        fault: Fault,
    ) -> Fallible<()> {
        if !self.is_in_edit()
            || !matches!(fault.kind(), FaultKind::Operand(_) | FaultKind::Read(..))
        {
            return Err(fault);
        }
        self.abandon_edit();
        self.note_failed_edit(format!("{}; the file is unchanged", fault.message()));
        main.end_main(current, self)
    }

    pub(crate) fn note_failed_edit(&mut self, message: String) {
        if let Some(in_place) = &mut self.in_place {
            in_place.note_failure(message);
        }
    }

    pub(crate) fn failed_edits(&mut self) -> Vec<String> {
        self.in_place.as_mut().map_or_else(Vec::new, InPlace::take_messages)
    }
}
