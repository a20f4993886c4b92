//! Numbers of any precision and their text, by the rules that hold for doubles: what is taken for a number is the same, only that no digit
//! is lost.

use super::point::decimal_point;
use super::syntax::NumberSyntax;
use super::{is_blank, parse_prefix, special_text};
use crate::format::Format;
use riverhawk_precise::{Context, Float, IBig, Number, in_base};

/// What `text` is worth as a number: its longest numeric beginning, 0 if there is none. Floats are rounded as this thread's
/// [`Context`] says.
///
/// ```
/// use riverhawk_value::number::precise_number;
/// let number = precise_number(b" 100000000000000000000000000001 apples");
/// assert_eq!(number.truncate().unwrap().to_string(), "100000000000000000000000000001");
/// ```
pub fn precise_number(text: &[u8]) -> Number {
    let (double, len) = parse_prefix(text);
    let begin = text.iter().position(|&byte| !is_blank(byte)).unwrap_or(0);
    let number = text.get(begin..len).unwrap_or_default();
    let (context, point) = (Context::current(), decimal_point());
    let unsigned = number.strip_prefix(b"-").or(number.strip_prefix(b"+")).unwrap_or(number);
    match unsigned {
        // Words, and nothing.
        [] | [b'a'..=b'z' | b'A'..=b'Z', ..] => Number::from_f64(double),
        // Short integers, octal or not, are what the double is; minus zero is zero among integers.
        digits if digits.len() <= 15 && digits.iter().all(u8::is_ascii_digit) => {
            Number::Integer(IBig::from(double as i64))
        }
        // With --posix doubles are read as C does it, and these are not: gawk leaves them to MPFR, to the base of ten.
        [b'0', b'x' | b'X', ..] if NumberSyntax::get() == NumberSyntax::NonDecimal => {
            Number::read_hexadecimal(number, point, true, &context).map_or(Number::ZERO, |read| read.0)
        }
        // The value tells whether it was taken for octal digits: `017` is 15 then, and 17 otherwise.
        [b'0', rest @ ..]
            if NumberSyntax::get() == NumberSyntax::NonDecimal
                && unsigned.len() == number.len()
                && !rest.is_empty()
                && rest.iter().all(|digit| (b'0'..b'8').contains(digit)) =>
        {
            Number::read_octal(number).unwrap_or(Number::ZERO)
        }
        _ => Number::read_decimal(number, point, &context).map_or(Number::ZERO, |read| read.0),
    }
}

/// The number that a text begins with, after a sign, as C writes constants: hexadecimal after `0x`, octal after `0`.
pub fn precise_written_in_c(text: &[u8]) -> Number {
    let begin = text.iter().position(|&byte| !is_blank(byte)).unwrap_or(0);
    let text = &text[begin..];
    let (context, point) = (Context::current(), decimal_point());
    let negative = text.first() == Some(&b'-');
    let unsigned = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    match unsigned {
        [b'0', b'x' | b'X', ..] => {
            Number::read_hexadecimal(text, point, false, &context).map_or(Number::ZERO, |read| read.0)
        }
        [b'0', b'0'..=b'7', ..] => {
            let len = unsigned.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let is_decimal = unsigned.get(len).is_some_and(|&byte| byte == point || matches!(byte, b'e' | b'E'))
                || unsigned[..len].iter().any(|byte| matches!(byte, b'8' | b'9'));
            match (is_decimal, negative) {
                (true, _) => precise_number(text),
                (false, true) => Number::read_octal(&unsigned[..len]).unwrap_or(Number::ZERO).neg(&context),
                (false, false) => Number::read_octal(&unsigned[..len]).unwrap_or(Number::ZERO),
            }
        }
        _ => precise_number(text),
    }
}

/// Appends a number as awk turns numbers into text: what is integral with all its digits, the rest by `format`, rounded as this
/// thread's [`Context`] says.
#[cold]
#[inline(never)]
pub fn precise_to_text(number: &Number, format: &Format, out: &mut Vec<u8>) {
    match number {
        Number::Float(float) if special(float).is_some() => out.extend_from_slice(special(float).unwrap_or_default()),
        Number::Float(float) if !float.is_integral() => format.write_precise_number(number, out),
        number => {
            let integer = number.truncate().unwrap_or_default();
            out.extend_from_slice(&in_base(&integer, 10));
        }
    }
}

/// How a number that is not finite is written.
pub(crate) fn special(float: &Float) -> Option<&'static [u8]> {
    let sign = if float.is_negative() { -1.0 } else { 1.0 };
    match (float.is_nan(), float.is_infinite()) {
        (true, _) => special_text(f64::NAN.copysign(sign)),
        (_, true) => special_text(f64::INFINITY.copysign(sign)),
        _ => None,
    }
}
