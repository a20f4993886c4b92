//! Paths that no JSON record had, and FIELDS.

use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::globals::as_array;
use crate::outside::Outside;
use riverhawk_awkio::fault::Fallible;
use riverhawk_record::table::Strictness;
use riverhawk_value::{Probe, Value};

impl Outside {
    /// Warns of paths that no record had: they may be misspelt.
    pub(crate) fn warn_of_lost_paths(&mut self, current: &CurrentRecord) -> Fallible<()> {
        let lints = self.lint.level.on;
        if !current.tables.is_json() || !(lints || current.tables.strictness != Strictness::Lenient)
        {
            return Ok(());
        }
        self.warnings.at = u32::MAX;
        for at in current.record.lost_paths().collect::<Vec<_>>() {
            let name = current.columns.named(at).to_string();
            let message = format!("the path \"{name}\" matches nothing in any record");
            if lints { self.lint_warn(current, &message) } else { self.warn(&message) }?;
        }
        Ok(())
    }
}

impl CurrentRecord {
    pub(crate) fn fill_json_names(&self, globals: &mut Globals) {
        let Some(slot) = self.columns.fields_slot() else { return };
        let names = self.record.json_names();
        let Ok(array) = as_array(&mut globals.statics[slot]) else { return };
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
