//! Comparisons and truth.

use super::operands::Operands;
use crate::current::CurrentRecord;
use crate::locale::Locale;
use riverhawk_bytecode::Src;
use riverhawk_bytecode::Unit as Program;
use riverhawk_value::Value;
use std::cmp::Ordering;

#[inline(always)]
pub(super) fn less(
    program: &Program,
    current: &CurrentRecord,
    locale: &Locale,
    operands: Operands,
    a: Src,
    b: Src,
) -> bool {
    match (operands.get(a), operands.get(b)) {
        (Value::Num(a), Value::Num(b)) => a < b,
        (a, b) => locale.compare(program, current, a, b) == Some(Ordering::Less),
    }
}

#[inline(always)]
pub(super) fn less_equal(
    program: &Program,
    current: &CurrentRecord,
    locale: &Locale,
    operands: Operands,
    a: Src,
    b: Src,
) -> bool {
    match (operands.get(a), operands.get(b)) {
        (Value::Num(a), Value::Num(b)) => a <= b,
        (a, b) => {
            matches!(locale.compare(program, current, a, b), Some(Ordering::Less | Ordering::Equal))
        }
    }
}

#[inline(always)]
pub(super) fn equal(
    program: &Program,
    current: &CurrentRecord,
    locale: &Locale,
    operands: Operands,
    a: Src,
    b: Src,
) -> bool {
    match (operands.get(a), operands.get(b)) {
        (Value::Num(a), Value::Num(b)) => a == b,
        (a, b) => are_equal(program, current, locale, a, b),
    }
}

#[inline(always)]
pub(super) fn truth(current: &CurrentRecord, operands: Operands, a: Src) -> bool {
    match operands.get(a) {
        Value::Num(number) => *number != 0.0,
        other => other.truth(current.record.text()),
    }
}

/// Where one of them is the program's own text and the other any text, their bytes decide.
#[inline]
pub(crate) fn are_equal(
    program: &Program,
    current: &CurrentRecord,
    locale: &Locale,
    a: &Value,
    b: &Value,
) -> bool {
    use Value::*;
    if !current.specials.compares_otherwise {
        match (a, b) {
            (Small(a) | SmallInput(a), Small(b)) | (Small(a), SmallInput(b)) => return a == b,
            (Small(_) | Str(_) | SmallInput(_) | Input(_) | View(_), Small(_) | Str(_))
            | (Small(_) | Str(_), SmallInput(_) | Input(_) | View(_)) => {
                let record = current.record.text();
                return a.bytes(record) == b.bytes(record);
            }
            (SmallInput(_) | Input(_) | View(_), SmallInput(_) | Input(_) | View(_))
                if !current.specials.exact_integers =>
            {
                return are_inputs_equal(current.record.text(), a, b);
            }
            _ => {}
        }
    }
    locale.compare(program, current, a, b).is_some_and(std::cmp::Ordering::is_eq)
}

/// As numbers if both look like numbers, otherwise as texts: where the first does not, the second
/// need not be read as a number.
#[inline]
fn are_inputs_equal(record: &[u8], a: &Value, b: &Value) -> bool {
    match a.strnum(record).and_then(|number| Some((number, b.strnum(record)?))) {
        Some((number, other)) => number == other,
        None => a.bytes(record) == b.bytes(record),
    }
}
