//! Comparisons, and what is true.

use super::operands::Operands;
use crate::runtime::Runtime;
use riverhawk_bytecode::Src;
use riverhawk_value::Value;
use std::cmp::Ordering;

/// a < b.
#[inline(always)]
pub(super) fn less(rt: &Runtime, operands: Operands, a: Src, b: Src) -> bool {
    match (operands.get(a), operands.get(b)) {
        (Value::Num(a), Value::Num(b)) => a < b,
        (a, b) => rt.locale.compare(&rt.program, &rt.current, a, b) == Some(Ordering::Less),
    }
}

/// a <= b.
#[inline(always)]
pub(super) fn less_equal(rt: &Runtime, operands: Operands, a: Src, b: Src) -> bool {
    match (operands.get(a), operands.get(b)) {
        (Value::Num(a), Value::Num(b)) => a <= b,
        (a, b) => matches!(
            rt.locale.compare(&rt.program, &rt.current, a, b),
            Some(Ordering::Less | Ordering::Equal)
        ),
    }
}

/// a == b.
#[inline(always)]
pub(super) fn equal(rt: &Runtime, operands: Operands, a: Src, b: Src) -> bool {
    match (operands.get(a), operands.get(b)) {
        (Value::Num(a), Value::Num(b)) => a == b,
        (a, b) => rt.locale.compare(&rt.program, &rt.current, a, b) == Some(Ordering::Equal),
    }
}

/// Whether a is true.
#[inline(always)]
pub(super) fn truth(rt: &Runtime, operands: Operands, a: Src) -> bool {
    match operands.get(a) {
        Value::Num(number) => *number != 0.0,
        other => other.truth(rt.current.record.text()),
    }
}

/// Whether two values are equal, where one of them is text and no input: mostly both are text.
#[inline]
pub(crate) fn are_equal(rt: &Runtime, a: &Value, b: &Value) -> bool {
    use Value::*;
    if let (Small(_) | Str(_) | SmallInput(_) | Input(_), Small(_) | Str(_))
    | (Small(_) | Str(_), SmallInput(_) | Input(_)) = (a, b)
        && !rt.current.specials.ignore_case
    {
        return a.bytes(b"") == b.bytes(b"");
    }
    rt.locale.compare(&rt.program, &rt.current, a, b).is_some_and(std::cmp::Ordering::is_eq)
}
