//! Text to numbers of any precision, by the rules for doubles, without losing digits. Whether it is
//! an integer or a float follows gawk.

use super::point::decimal_point;
use super::syntax::NumberSyntax;
use super::{is_blank, parse_prefix, special_text};
use riverhawk_precise::{Context, Float, IBig, Number, Sign};

/// The number of the longest numeric beginning of `text`, 0 if there is none. Floats are rounded by
/// this thread's [`Context`].
///
/// ```
/// use riverhawk_value::number::precise_number;
/// let number = precise_number(b" 100000000000000000000000000001 plums");
/// assert_eq!(number.truncate().unwrap().to_string(), "100000000000000000000000000001");
/// ```
pub fn precise_number(text: &[u8]) -> Number {
    let (double, len) = parse_prefix(text);
    let begin = text.iter().position(|&byte| !is_blank(byte)).unwrap_or(0);
    let number = text.get(begin..len).unwrap_or_default();
    let (context, point) = (Context::current(), decimal_point());
    let unsigned = number.strip_prefix(b"-").or(number.strip_prefix(b"+")).unwrap_or(number);
    let read = integer_or_float(unsigned, number, double, point, &context);
    if len == text.len() || !is_float_by_its_rest(&text[begin..], point) {
        return read;
    }
    match read {
        Number::Integer(zero) if zero == IBig::ZERO => {
            Number::Float(Float::zero(Sign::from(number.starts_with(b"-"))))
        }
        Number::Integer(integer) => Number::Float(context.round_integer(&integer)),
        float => float,
    }
}

/// Whether a numeric beginning is a float because of a later point or `e`, as in gawk: up to a byte
/// 0, unless the text begins with a letter or is not decimal.
fn is_float_by_its_rest(text: &[u8], point: u8) -> bool {
    let syntax = NumberSyntax::get();
    let unsigned = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    let is_decimal = syntax != NumberSyntax::NonDecimal
        || match unsigned {
            [b'0', b'x' | b'X', ..] => false,
            [b'0', b'0'..=b'9', ..] => {
                unsigned.iter().take_while(|byte| byte.is_ascii_digit()).any(|&byte| byte > b'7')
            }
            _ => true,
        };
    let is_word = text.first().is_some_and(u8::is_ascii_alphabetic) && !syntax.is_posix();
    is_decimal
        && !is_word
        && text
            .iter()
            .take_while(|&&byte| byte != 0)
            .any(|&byte| byte == point || matches!(byte, b'e' | b'E'))
}

fn integer_or_float(
    unsigned: &[u8],
    number: &[u8],
    double: f64,
    point: u8,
    context: &Context,
) -> Number {
    match unsigned {
        [] | [b'a'..=b'z' | b'A'..=b'Z', ..] => Number::from_f64(double),
        // As in gawk, octal also after a sign, where doubles are decimal.
        [b'0', rest @ ..]
            if NumberSyntax::get() == NumberSyntax::NonDecimal
                && !rest.is_empty()
                && rest.iter().all(|digit| (b'0'..b'8').contains(digit)) =>
        {
            match Number::read_octal(unsigned) {
                Some(Number::Integer(integer)) if number.starts_with(b"-") => {
                    Number::Integer(-integer)
                }
                read => read.unwrap_or(Number::ZERO),
            }
        }
        // Exact in a double; minus zero is an integer zero.
        digits if digits.len() <= 15 && digits.iter().all(u8::is_ascii_digit) => {
            Number::Integer(IBig::from(double as i64))
        }
        // With --posix gawk leaves these to MPFR at base ten, unlike doubles.
        [b'0', b'x' | b'X', ..] if NumberSyntax::get() == NumberSyntax::NonDecimal => {
            Number::read_hexadecimal(number, point, context).map_or(Number::ZERO, |read| read.0)
        }
        _ => Number::read_decimal(number, point, context).map_or(Number::ZERO, |read| read.0),
    }
}

/// The number at the start of a text, after a sign, as C writes constants: hexadecimal after `0x`,
/// octal after `0`.
pub fn precise_written_in_c(text: &[u8]) -> Number {
    let begin = text.iter().position(|&byte| !is_blank(byte)).unwrap_or(0);
    let text = &text[begin..];
    let (context, point) = (Context::current(), decimal_point());
    let negative = text.first() == Some(&b'-');
    let unsigned = text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text);
    // Also without a sign and with any rest: gawk leaves it to MPFR.
    let begins = |word: &[u8]| {
        unsigned.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    match unsigned {
        _ if begins(b"inf") => Number::Float(Float::infinity(Sign::from(negative))),
        _ if begins(b"nan") => {
            Number::Float(if negative { Float::NAN.negated() } else { Float::NAN })
        }
        [b'0', b'x' | b'X', ..] => {
            Number::read_hexadecimal_integer(text).map_or(Number::ZERO, |read| read.0)
        }
        [b'0', b'0'..=b'7', ..] => {
            let len = unsigned.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let is_decimal =
                unsigned.get(len).is_some_and(|&byte| byte == point || matches!(byte, b'e' | b'E'))
                    || unsigned[..len].iter().any(|byte| matches!(byte, b'8' | b'9'));
            match (is_decimal, negative) {
                (true, _) => precise_number(text),
                (false, true) => {
                    Number::read_octal(&unsigned[..len]).unwrap_or(Number::ZERO).neg(&context)
                }
                (false, false) => Number::read_octal(&unsigned[..len]).unwrap_or(Number::ZERO),
            }
        }
        _ => precise_number(text),
    }
}

pub(crate) fn special(float: &Float) -> Option<&'static [u8]> {
    let sign = if float.is_negative() { -1.0 } else { 1.0 };
    match (float.is_nan(), float.is_infinite()) {
        (true, _) => special_text(f64::NAN.copysign(sign)),
        (_, true) => special_text(f64::INFINITY.copysign(sign)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_a_number_at_its_beginning_is_a_float_for_an_e_or_a_point_anywhere() {
        let is_float = |text: &str| matches!(precise_number(text.as_bytes()), Number::Float(_));
        for text in ["9 e", "100000000000000000000,1E2x", "-3 a.b", "%.6g", "-e", "0 e", "9 naïve"]
        {
            assert!(is_float(text), "{text}");
        }
        for text in ["9 a", "9", "e", "x.y", "", "9\0e", " naïve"] {
            assert!(!is_float(text), "{text}");
        }
    }
}
