//! Integers that stay exact beside doubles, without arithmetic of any precision. Up to 53 bits they
//! are a [`Value::Num`], larger ones a [`Value::Precise`]. A number spelled with a point or an
//! exponent is a double, as is any result involving one.

use crate::format::Format;
use crate::number;
pub use crate::number::{INTEGER_LIMIT, is_small};
use crate::value::Value;
use riverhawk_precise::{Context, Number, NumberError};
use std::borrow::Cow;
use std::cmp::Ordering;

/// A number in this arithmetic.
#[derive(Clone, Debug)]
pub enum Exact<'a> {
    /// An integer of any size.
    Integer(Cow<'a, Number>),
    /// A double that is no integer, or may have been rounded.
    Double(f64),
}

use Exact::{Double, Integer};

impl Exact<'_> {
    fn of_double(number: f64) -> Exact<'static> {
        match number.abs() <= INTEGER_LIMIT && number.fract() == 0.0 {
            // Integer zero has no sign.
            true => Integer(Cow::Owned(Number::from_f64(number + 0.0))),
            false => Double(number),
        }
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        match self {
            Integer(integer) => integer.to_f64(),
            Double(double) => *double,
        }
    }

    /// Compares without rounding. `None` if one is NaN.
    pub fn compare(&self, other: &Exact<'_>) -> Option<Ordering> {
        match (self, other) {
            (Double(a), Double(b)) => a.partial_cmp(b),
            (Integer(a), Integer(b)) => a.compare(b),
            (Integer(a), Double(b)) => a.compare(&Number::from_f64(*b)),
            (Double(a), Integer(b)) => Number::from_f64(*a).compare(b),
        }
    }

    /// The value.
    pub fn into_value(self) -> Value {
        match self {
            Integer(integer) => Value::from(integer.into_owned()),
            Double(double) => Value::Num(double),
        }
    }
}

/// An operation of two integers; `None` if its result needs doubles.
///
/// # Errors
/// A divisor is zero, or an integer is too large.
pub fn of_integers(
    operation: impl FnOnce(&Number, &Number, &Context) -> Result<Number, NumberError>,
    a: &Number,
    b: &Number,
) -> Result<Value, NumberError> {
    Ok(match operation(a, b, &Context::default())? {
        integer @ Number::Integer(_) => Value::from(integer),
        Number::Float(float) => Value::Num(float.to_f64()),
    })
}

impl Value {
    /// The value as a number: of text, its numeric beginning, an integer if that is only digits.
    pub fn exact(&self, record: &[u8]) -> Exact<'_> {
        let number = match self {
            Value::Precise(number) => {
                return match &**number {
                    Number::Integer(_) => Integer(Cow::Borrowed(number)),
                    Number::Float(float) => Double(float.to_f64()),
                };
            }
            other => other.number(record),
        };
        match self.bytes(record) {
            Some(text) if !is_small(number) => exact_number(text),
            _ => Exact::of_double(number),
        }
    }

    /// The integer that it is, if a double does not hold it.
    pub fn large_integer(&self, record: &[u8]) -> Option<Cow<'_, Number>> {
        match self.exact(record) {
            Integer(integer) if integer.as_small_integer().is_none() => Some(integer),
            _ => None,
        }
    }

    /// As [`Value::compare`], with exact integers.
    #[inline]
    pub fn compare_exactly(
        &self,
        other: &Value,
        record: &[u8],
        format: &Format,
    ) -> Option<Ordering> {
        if !matches!(self, Value::Precise(_)) && !matches!(other, Value::Precise(_)) {
            // Rounding may only turn an order into equality.
            let ordering = self.compare(other, record, format);
            if ordering != Some(Ordering::Equal) {
                return ordering;
            }
        }
        self.compare_all_digits(other, record, format)
    }

    #[cold]
    #[inline(never)]
    fn compare_all_digits(
        &self,
        other: &Value,
        record: &[u8],
        format: &Format,
    ) -> Option<Ordering> {
        match self.is_numeric(record) && other.is_numeric(record) {
            true if is_small(self.number(record)) => self.compare(other, record, format),
            true => self.exact(record).compare(&other.exact(record)),
            false => {
                let (mut a, mut b) = (Vec::new(), Vec::new());
                Some(self.text(record, format, &mut a).cmp(other.text(record, format, &mut b)))
            }
        }
    }
}

#[cold]
#[inline(never)]
fn exact_number(text: &[u8]) -> Exact<'static> {
    let (double, len) = number::parse_prefix(text);
    match number::precise_number(&text[..len]) {
        integer @ Number::Integer(_) => Integer(Cow::Owned(integer)),
        Number::Float(_) => Double(double),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Exact<'static> {
        exact_number(text.as_bytes())
    }

    fn compared(a: &Value, b: &Value) -> Option<Ordering> {
        a.compare_exactly(b, b"", &Format::parse(b"%.6g"))
    }

    #[test]
    fn digits_are_an_integer_and_all_else_is_a_double() {
        for text in [
            "9007199254740993",
            " -9007199254740993 ",
            "+123456789012345678901234567890",
            "9007199254740993 e",
        ] {
            assert!(matches!(exact(text), Integer(_)), "{text}");
        }
        for text in ["9007199254740993.0", "1e16", "9007199254740993e0", "+inf"] {
            assert!(matches!(exact(text), Double(_)), "{text}");
        }
    }

    #[test]
    fn what_a_double_holds_is_one() {
        let value = |text: &str| Value::from_input(text.as_bytes()).exact(b"").into_value();
        assert!(matches!(value("9007199254740992"), Value::Num(_)));
        assert!(matches!(value("9007199254740993"), Value::Precise(_)));
        assert!(matches!(value("12"), Value::Num(_)));
        assert!(matches!(Value::Num(-0.0).exact(b""), Integer(_)));
    }

    #[test]
    fn neighbours_that_round_to_one_double_are_not_equal() {
        let input = |text: &str| Value::from_input(text.as_bytes());
        let (a, b) = (input("1234567890123456789"), input("1234567890123456788"));
        assert_eq!(a.compare(&b, b"", &Format::parse(b"%.6g")), Some(Ordering::Equal));
        assert_eq!(compared(&a, &b), Some(Ordering::Greater));
        assert_eq!(compared(&b, &a.exact(b"").into_value()), Some(Ordering::Less));
        assert_eq!(compared(&a, &a.exact(b"").into_value()), Some(Ordering::Equal));
        assert_eq!(
            compared(&input("9007199254740993"), &Value::Num(9007199254740992.0)),
            Some(Ordering::Greater)
        );
        assert_eq!(compared(&input("1e18"), &input("1000000000000000000")), Some(Ordering::Equal));
    }

    #[test]
    fn beside_text_a_large_integer_is_its_digits() {
        let large = exact("1234567890123456789").into_value();
        assert_eq!(
            compared(&large, &Value::from_text(b"1234567890123456789")),
            Some(Ordering::Equal)
        );
        assert_eq!(
            compared(&Value::from_text(b"1234567890123456768"), &large),
            Some(Ordering::Less)
        );
        assert_eq!(compared(&large, &Value::Uninit), Some(Ordering::Greater));
    }
}
