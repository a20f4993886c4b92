//! Notes while a program runs whether its sums stay exact.

use crate::current::CurrentRecord;
use crate::globals::Globals;
use riverhawk_bytecode::Unit as Program;
use riverhawk_value::Value;
use riverhawk_value::exact::is_small;

impl Globals {
    /// An unassigned value would look like an element that was not assigned.
    pub(crate) fn note_comparand(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        value: &Value,
    ) {
        let record = current.record.text();
        let nothing =
            matches!(value, Value::Uninit | Value::Unassigned | Value::NoField | Value::Untyped(_));
        let number = value.number(record);
        let is_rounded = program.exact && !is_small(number);
        self.notes.unordered |=
            nothing || !value.is_numeric(record) || !number.is_finite() || is_rounded;
    }
}
