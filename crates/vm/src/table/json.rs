//! JSON records as a run sees them: paths that were lost, and FIELDS.

use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_record::table::Strictness;
use riverhawk_value::{Probe, Value};

impl Runtime {
    /// Warns of paths that led nowhere in any record of the main input, which has been read: most
    /// likely they are misspelt.
    pub(crate) fn tell_lost_paths(&mut self) -> Fallible<()> {
        let lints = self.outside.lint.level.on;
        if !self.current.tables.is_json() || !(lints || self.current.tables.strictness != Strictness::Lenient) {
            return Ok(());
        }
        self.outside.warnings.at = u32::MAX;
        for at in self.current.record.lost_paths().collect::<Vec<_>>() {
            let name = self.current.columns.named(at).to_string();
            let message = format!("the path \"{name}\" leads nowhere in any record");
            if lints { self.lint_warn(&message) } else { self.warn(&message) }?;
        }
        Ok(())
    }

    /// FIELDS, for the record that has just become `$0`.
    pub(crate) fn fill_json_names(&mut self) {
        let Some(slot) = self.current.columns.fields_slot() else { return };
        let names = self.current.record.json_names();
        let Ok(array) = Runtime::array(&mut self.globals.statics[slot]) else { return };
        let mut array = array.borrow_mut();
        array.clear();
        for (number, name) in (1..).zip(&names) {
            array.set(Probe::from_text(name), Value::Num(number as f64));
        }
        for (number, name) in (1..).zip(&names) {
            array.set(Probe::Int(number), Value::from_input(name));
        }
    }
}
