//! Fields that are not there, fields named by text, fields after the last record.

use crate::runtime::{Runtime, field_at};
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::FrameKind;
use riverhawk_value::Value;

impl Runtime {
    /// Looks at field `n` before it is read.
    pub(super) fn lint_field(&mut self, n: usize, kind: FrameKind) -> Fallible<()> {
        if Runtime::in_end(kind) {
            self.lint_once("accessing fields from an END rule may not be portable")?;
        }
        let is_there = match n {
            // Before the first record there is none.
            0 => self.current.specials.nr > 0.0 || self.has_text(),
            n => !matches!(self.field(n), Value::NoField | Value::Uninit | Value::Unassigned),
        };
        if is_there {
            Ok(())
        } else {
            self.lint_warn(&format!("reference to uninitialized field `${n}'"))
        }
    }

    /// Looks at the field that a value names.
    pub(super) fn lint_field_at(&mut self, number: &Value, kind: FrameKind) -> Fallible<()> {
        self.lint_field_name(number)?;
        match field_at(self.number(number)) {
            Some(n) => self.lint_field(n, kind),
            None => Ok(()),
        }
    }

    /// Looks at what names a field.
    pub(super) fn lint_field_name(&mut self, number: &Value) -> Fallible<()> {
        if !self.is_not_numeric(number) {
            return Ok(());
        }
        self.lint_warn("attempt to field reference from non-numeric value")?;
        match self.text_of(number).is_empty() {
            true => self.lint_warn("attempt to field reference from null string"),
            false => Ok(()),
        }
    }

    /// Whether the record has been given any text.
    fn has_text(&mut self) -> bool {
        self.settle_record();
        !self.current.record.text().is_empty()
    }
}
