//! Numbers that are more than doubles, as values.
//!
//! Where arithmetic is of any precision, an integer of at most 53 bits is a [`Value::Num`] as everywhere; every other integer, and every
//! float, is a [`Value::Precise`]. So counters and lengths stay doubles, and a number has one form only.

use crate::format::Format;
use crate::number;
use crate::value::Value;
use riverhawk_precise::{Float, Number};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::rc::Rc;

/// A counted number.
#[derive(Clone, Debug)]
pub struct PreciseRef(Rc<Number>);

// What ordinary runs never need is kept out of the functions that they do.
impl PreciseRef {
    /// The nearest double.
    #[cold]
    #[inline(never)]
    pub(crate) fn nearest_double(&self) -> f64 {
        self.0.to_f64()
    }

    /// Whether it is not zero.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_true(&self) -> bool {
        !self.0.is_zero()
    }
}

impl Default for PreciseRef {
    /// Zero.
    fn default() -> PreciseRef {
        PreciseRef(Rc::new(Number::ZERO))
    }
}

impl std::ops::Deref for PreciseRef {
    type Target = Number;

    fn deref(&self) -> &Number {
        &self.0
    }
}

impl From<Number> for Value {
    /// A double if that is all it is, see [`precise`](crate::precise).
    fn from(number: Number) -> Value {
        match number.as_small_integer() {
            Some(small) => Value::Num(small),
            None => Value::Precise(PreciseRef(Rc::new(number))),
        }
    }
}

impl From<Float> for Value {
    fn from(float: Float) -> Value {
        Value::Precise(PreciseRef(Rc::new(Number::Float(float))))
    }
}

impl Value {
    /// The value as a number of any precision: text counts as far as it reads as a number from its start.
    pub fn precise_number(&self, record: &[u8]) -> Cow<'_, Number> {
        match self {
            Value::Precise(number) => Cow::Borrowed(number),
            Value::Num(number) => Cow::Owned(Number::from_f64(*number)),
            Value::View(_) | Value::Small(_) | Value::SmallInput(_) | Value::Input(_) | Value::Str(_) => {
                Cow::Owned(number::precise_number(self.bytes(record).unwrap_or_default()))
            }
            other => Cow::Owned(Number::from_f64(other.number(record))),
        }
    }

    /// Appends the text of a number that is more than a double.
    #[cold]
    #[inline(never)]
    pub(crate) fn append_precise(&self, format: &Format, out: &mut Vec<u8>) {
        if let Value::Precise(number) = self {
            number::precise_to_text(number, format, out);
        }
    }

    /// As [`Value::truth`]: input text that looks like a number is true unless that is zero, however small it is.
    pub fn precise_truth(&self, record: &[u8]) -> bool {
        match self.strnum(record) {
            Some(_) => !self.precise_number(record).is_zero(),
            None => self.truth(record),
        }
    }

    /// As [`Value::compare`], with numbers of any precision.
    pub fn compare_precisely(&self, other: &Value, record: &[u8], format: &Format) -> Option<Ordering> {
        let is_nothing = |value: &Value| matches!(value, Value::Uninit | Value::Unassigned | Value::Untyped(_));
        let is_number = |value: &Value| {
            matches!(value, Value::Num(_) | Value::Precise(_)) || is_nothing(value) || value.strnum(record).is_some()
        };
        // Nothing is a number beside a number and beside nothing, and a text beside a text.
        if is_number(self) && is_number(other) {
            return self.precise_number(record).compare(&other.precise_number(record));
        }
        let (mut a, mut b) = (Vec::new(), Vec::new());
        Some(self.text(record, format, &mut a).cmp(other.text(record, format, &mut b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Value {
        Value::from(number::precise_number(text.as_bytes()))
    }

    #[test]
    fn an_integer_of_53_bits_is_a_double_and_a_larger_one_is_not() {
        assert!(matches!(number("9007199254740992"), Value::Num(_)));
        assert!(matches!(number("-9007199254740992"), Value::Num(_)));
        assert!(matches!(number("9007199254740993"), Value::Precise(_)));
        assert!(matches!(number("1.0"), Value::Precise(_)));
    }

    #[test]
    fn input_text_is_compared_with_all_its_digits() {
        let format = Format::parse(b"%.6g");
        let input = |text: &str| Value::from_input(text.as_bytes());
        let (a, b) = (input("123456789012345678901234567890"), input("123456789012345678901234567891"));
        assert_eq!(a.compare_precisely(&b, b"", &format), Some(Ordering::Less));
        assert_eq!(a.compare_precisely(&number("123456789012345678901234567890"), b"", &format), Some(Ordering::Equal));
        assert_eq!(a.compare_precisely(&Value::from_text(b"2"), b"", &format), Some(Ordering::Less));
        assert_eq!(Value::Uninit.compare_precisely(&Value::Num(0.0), b"", &format), Some(Ordering::Equal));
        assert_eq!(Value::Uninit.compare_precisely(&Value::EMPTY, b"", &format), Some(Ordering::Equal));
    }

    #[test]
    fn a_number_too_small_for_a_double_is_true() {
        let tiny = Value::from_input(b"1e-400");
        assert!(tiny.precise_truth(b"") && !tiny.truth(b""));
        assert!(!Value::from_input(b"0.0").precise_truth(b""));
    }
}
