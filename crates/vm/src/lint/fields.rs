//! Warns of missing fields, fields named by text, and fields after the last record.

use crate::current::CurrentRecord;
use crate::current::field_at;
use crate::outside::Outside;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::FrameKind;
use riverhawk_value::Value;

impl Outside {
    pub(super) fn lint_field(
        &mut self,
        current: &mut CurrentRecord,
        n: usize,
        kind: FrameKind,
    ) -> Fallible<()> {
        if kind == FrameKind::End {
            self.lint_once(current, "accessing fields from an END rule may not be portable")?;
        }
        let is_there = match n {
            0 => current.specials.nr > 0.0 || current.has_text(),
            n => !matches!(current.field(n), Value::NoField | Value::Uninit | Value::Unassigned),
        };
        if is_there {
            Ok(())
        } else {
            self.lint_warn(current, &format!("reference to uninitialized field `${n}'"))
        }
    }

    pub(super) fn lint_field_at(
        &mut self,
        current: &mut CurrentRecord,
        number: &Value,
        kind: FrameKind,
    ) -> Fallible<()> {
        self.lint_field_name(current, number)?;
        match field_at(current.number(number)) {
            Some(n) => self.lint_field(current, n, kind),
            None => Ok(()),
        }
    }

    pub(super) fn lint_field_name(
        &mut self,
        current: &CurrentRecord,
        number: &Value,
    ) -> Fallible<()> {
        if !current.is_not_numeric(number) {
            return Ok(());
        }
        self.lint_warn(current, "attempt to field reference from non-numeric value")?;
        match current.text_of(number).is_empty() {
            true => self.lint_warn(current, "attempt to field reference from null string"),
            false => Ok(()),
        }
    }
}

impl CurrentRecord {
    fn has_text(&mut self) -> bool {
        self.settle_record();
        !self.record.text().is_empty()
    }
}
