//! Notes while a program runs: whether its sums stay exact, and what it prints for new keys.

use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::runtime::Runtime;
use riverhawk_bytecode::{GlobalNo, Unit as Program};
use riverhawk_memory as memory;
use riverhawk_parallel::FirstOutput;
use riverhawk_syntax::ast::GlobalId;
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

impl Runtime {
    /// A piece that has printed more than a place can say is abandoned for that.
    fn place_in_output(&mut self) -> u32 {
        let position = self.outside.io.outputs.stdout().position();
        position.saturating_sub(self.globals.firsts_from) as u32
    }

    /// What follows is printed for the newest element.
    pub(crate) fn begin_first(&mut self, array: GlobalNo) {
        let start = self.place_in_output();
        let Value::Array(elements) = &self.globals.statics[array.index()] else { return };
        let element = (elements.borrow().arrived() as u32).wrapping_sub(1);
        let array = GlobalId(array.0);
        // Without memory it is one too few, for which the piece is not used.
        memory::push(&mut self.globals.firsts.0, FirstOutput { array, element, start, end: start });
    }

    pub(crate) fn end_first(&mut self) {
        let end = self.place_in_output();
        if let Some(first) = self.globals.firsts.0.last_mut() {
            first.end = end;
        }
    }
}
