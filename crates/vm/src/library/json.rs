//! `json::parse` and `json::format`: from JSON text to values and back.

use super::Failure;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use riverhawk_record::table::json::{self, JsonFlaw};
use riverhawk_value::{ArrayRef, Value};

impl Globals {
    /// An object or array stays text; the result is unassigned if the text is not JSON.
    pub(super) fn json_parse(&mut self, current: &mut CurrentRecord, text: &Value) -> Value {
        let text = current.text_of(text);
        let parsed = json::parse(&text).map_err(|flaw| failure(&text, flaw));
        self.text_or_failure(current, parsed)
    }

    pub(super) fn json_parse_into(
        &mut self,
        current: &mut CurrentRecord,
        text: &Value,
        array: &ArrayRef,
    ) -> Value {
        let text = current.text_of(text);
        let count = json::parse_into(&text, array).map_err(|flaw| failure(&text, flaw));
        self.count_or_failure(current, count)
    }
}

impl CurrentRecord {
    pub(super) fn json_format(&self, x: &Value) -> Value {
        let (mut out, nested) = (Vec::new(), self.nested());
        match x {
            Value::Array(array) => json::write_array(array, nested, &mut out),
            Value::Untyped(cell) if cell.get().is_some() => {
                if let Some(array) = cell.get() {
                    json::write_array(&array.clone(), nested, &mut out);
                }
            }
            value => json::write_value(value, self.record.text(), nested, &mut out),
        }
        Value::from_text(&out)
    }
}

fn failure(text: &[u8], flaw: JsonFlaw) -> Failure {
    Failure::new(format!("JSON, column {}: {}", flaw.column(text), flaw.what))
}
