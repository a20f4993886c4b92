//! Values in arithmetic of any precision.
//!
//! An integer of at most 53 bits stays a [`Value::Num`], so that counters are fast; other integers
//! and all floats are a [`Value::Precise`].

use crate::counted::PreciseRef;
use crate::format::Format;
use crate::number;
use crate::value::Value;
use riverhawk_precise::{Float, Number};
use std::borrow::Cow;
use std::cmp::Ordering;

mod memory;

impl From<Number> for Value {
    /// A [`Value::Num`] where possible.
    fn from(number: Number) -> Value {
        match number.as_small_integer() {
            Some(small) => Value::Num(small),
            None => Value::Precise(PreciseRef::new(number)),
        }
    }
}

impl From<Float> for Value {
    fn from(float: Float) -> Value {
        Value::Precise(PreciseRef::new(Number::Float(float)))
    }
}

impl Value {
    /// The value as a number of any precision: of text, its numeric beginning.
    pub fn precise_number(&self, record: &[u8]) -> Cow<'_, Number> {
        match self {
            Value::Precise(number) => Cow::Borrowed(number),
            Value::Num(number) => Cow::Owned(Number::from_f64(*number)),
            Value::Input(text) | Value::Str(text) => Cow::Owned(memory::number_of_text(text)),
            Value::Small(text) | Value::SmallInput(text) => {
                Cow::Owned(memory::number_of_small(*text))
            }
            Value::View(_) => {
                Cow::Owned(number::precise_number(self.bytes(record).unwrap_or_default()))
            }
            other => Cow::Owned(Number::from_f64(other.number(record))),
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn append_precise(&self, format: &Format, out: &mut Vec<u8>) {
        if let Value::Precise(number) = self {
            number.append_to(format, out);
        } else if let Value::Sum(sum) = self {
            number::number_to_text(sum.to_f64(), format, out);
        }
    }

    /// As [`Value::truth`], without rounding tiny numbers to zero.
    pub fn precise_truth(&self, record: &[u8]) -> bool {
        match self.strnum(record) {
            Some(_) => !self.precise_number(record).is_zero(),
            None => self.truth(record),
        }
    }

    /// As [`Value::compare`], with numbers of any precision.
    pub fn compare_precisely(
        &self,
        other: &Value,
        record: &[u8],
        format: &Format,
    ) -> Option<Ordering> {
        let is_nothing =
            |value: &Value| matches!(value, Value::Uninit | Value::Unassigned | Value::Untyped(_));
        let is_number = |value: &Value| {
            matches!(value, Value::Num(_) | Value::Precise(_))
                || is_nothing(value)
                || value.strnum(record).is_some()
        };
        // An unassigned value is a number beside a number or another unassigned value, otherwise
        // text.
        if is_number(self) && is_number(other) {
            let order = self.precise_number(record).compare(&other.precise_number(record));
            return match (order, is_nothing(self), is_nothing(other)) {
                (None, true, _) => Some(Ordering::Less),
                (None, _, true) => Some(Ordering::Greater),
                _ => order,
            };
        }
        let (mut a, mut b) = (Vec::new(), Vec::new());
        Some(self.text(record, format, &mut a).cmp(other.text(record, format, &mut b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::HeapStr;
    use riverhawk_precise::{Context, Rounding};

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
        let (a, b) =
            (input("123456789012345678901234567890"), input("123456789012345678901234567891"));
        assert_eq!(a.compare_precisely(&b, b"", &format), Some(Ordering::Less));
        assert_eq!(
            a.compare_precisely(&number("123456789012345678901234567890"), b"", &format),
            Some(Ordering::Equal)
        );
        assert_eq!(
            a.compare_precisely(&Value::from_text(b"2"), b"", &format),
            Some(Ordering::Less)
        );
        assert_eq!(
            Value::Uninit.compare_precisely(&Value::Num(0.0), b"", &format),
            Some(Ordering::Equal)
        );
        assert_eq!(
            Value::Uninit.compare_precisely(&Value::EMPTY, b"", &format),
            Some(Ordering::Equal)
        );
    }

    #[test]
    fn what_is_spelled_again_is_spelled_by_the_format_and_rounding_of_then() {
        let (six, three) = (Format::parse(b"%.6g"), Format::parse(b"%.3g"));
        let third = Context::default().div(&Float::from_f64(1.0), &Float::from_f64(3.0));
        let (third, large) = (Value::from(third), number("123456789012345678901234567890"));
        let spelled = |value: &Value, format: &Format| {
            let mut out = Vec::new();
            value.append_to(b"", format, &mut out);
            String::from_utf8(out).unwrap()
        };
        for _ in 0..3 {
            for _ in 0..3 {
                assert_eq!(spelled(&third, &six), "0.333333");
                assert_eq!(spelled(&large, &six), "123456789012345678901234567890");
            }
            Context::default().rounding(Rounding::Up).set_current();
            assert_eq!(
                (spelled(&third, &six), spelled(&third, &six)),
                ("0.333334".into(), "0.333334".into())
            );
            Context::default().set_current();
            assert_eq!(spelled(&third, &three), "0.333");
        }
    }

    #[test]
    fn a_text_read_again_is_read_to_the_precision_of_then() {
        let (long, small) = (Value::from_text(b"0.1000000000000000000"), Value::from_text(b"0.1"));
        let read = |value: &Value| value.precise_number(b"").into_owned().to_float();
        for text in [long, small] {
            for bits in [53, 53, 100, 100, 53] {
                Context::bits(bits).set_current();
                let expected =
                    Context::bits(bits).div(&Float::from_f64(1.0), &Float::from_f64(10.0));
                assert_eq!(read(&text).compare(&expected), Some(Ordering::Equal), "{bits}");
                Context::default().set_current();
            }
        }
    }

    #[test]
    fn a_text_that_changed_is_read_anew() {
        let mut text = HeapStr::new(b"12345678901234567890");
        let read = |text: &HeapStr| {
            Value::Str(text.clone()).precise_number(b"").truncate().unwrap().to_string()
        };
        assert_eq!(read(&text), "12345678901234567890");
        text.push(b"1");
        assert_eq!(read(&text), "123456789012345678901");
    }

    #[test]
    fn a_number_too_small_for_a_double_is_true() {
        let tiny = Value::from_input(b"1e-400");
        assert!(tiny.precise_truth(b"") && !tiny.truth(b""));
        assert!(!Value::from_input(b"0.0").precise_truth(b""));
    }
}
