//! `typeof`: what a value is, in a word.

use crate::current::CurrentRecord;
use riverhawk_value::{ArrayRef, Probe, Truth, Value};

impl CurrentRecord {
    pub(super) fn type_name(&self, x: &Value) -> &'static str {
        match x {
            Value::Num(_) | Value::Precise(_) | Value::Sum(_) => "number",
            Value::Bool(Truth::Null) => "null",
            Value::Bool(_) => "number|bool",
            Value::Small(_) | Value::Str(_) => "string",
            Value::View(_) | Value::SmallInput(_) | Value::Input(_) => {
                match x.strnum(self.record.text()) {
                    Some(_) => "strnum",
                    None => "string",
                }
            }
            Value::Regex { .. } => "regexp",
            Value::Uninit => "untyped",
            Value::Unassigned | Value::NoField => "unassigned",
            Value::Untyped(cell) if cell.get().is_none() && cell.is_scalar() => "unassigned",
            Value::Untyped(cell) if cell.get().is_none() => "untyped",
            Value::Array(_) | Value::Untyped(_) | Value::Keys(_) => "array",
        }
    }

    /// How gawk would store an array. Nothing for other values, whose flags are gawk's own.
    pub(super) fn type_details(&self, x: &Value, array: &ArrayRef) -> Value {
        let name = self.type_name(x);
        let kept = match x {
            Value::Array(of) => {
                let of = of.borrow();
                let integers = of
                    .keys()
                    .any(|key| matches!(Probe::from_text(key.bytes_if_text(b"")), Probe::Int(_)));
                Some(match integers {
                    _ if of.is_empty() => "null",
                    true => "cint",
                    false => "str",
                })
            }
            _ => None,
        };
        let mut array = array.borrow_mut();
        array.clear();
        if let Some(kept) = kept {
            array.set(Probe::Text(b"array_type"), Value::from_text(kept.as_bytes()));
        }
        Value::from_text(name.as_bytes())
    }
}
