//! Bit operations, and numbers as C writes them.
//!
//! Numbers are doubles, so a result keeps the 53 bits from its lowest one on; gawk drops what is
//! above, and so do we.

use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_syntax::ast::LibraryFn;
use riverhawk_value::number::to_number;

/// A number as 64 bits, as a C compiler for x86-64 converts it: from 2^64 on nothing is left, and
/// NaN is the highest bit.
fn to_bits(number: f64) -> u64 {
    if number.is_nan() {
        1 << 63
    } else if number >= 18_446_744_073_709_551_616.0 {
        0
    } else {
        number as u64
    }
}

/// 64 bits as a number that is exact: bits above the 53 from the lowest one on are dropped.
fn to_double(bits: u64) -> f64 {
    let surplus = 64u32.saturating_sub(53 + bits.trailing_zeros());
    (bits << surplus >> surplus) as f64
}

/// A bit operation on two numbers.
///
/// # Errors
/// A number is negative.
pub fn of_two(f: LibraryFn, a: f64, b: f64) -> Fallible<f64> {
    match f {
        LibraryFn::Lshift | LibraryFn::Rshift => shifted(f, a, b),
        _ => combined(f, [a, b].into_iter()),
    }
}

/// `and`, `or` and `xor`.
///
/// # Errors
/// A number is negative.
pub fn combined(f: LibraryFn, numbers: impl Iterator<Item = f64>) -> Fallible<f64> {
    let mut result: Option<u64> = None;
    for (at, number) in (1..).zip(numbers) {
        if number < 0.0 {
            let name = f.name();
            return Err(Fault::new(format!(
                "{name}: argument {at} negative value {number} is not allowed"
            )));
        }
        let bits = to_bits(number);
        result = Some(match (result, f) {
            (None, _) => bits,
            (Some(result), LibraryFn::And) => result & bits,
            (Some(result), LibraryFn::Or) => result | bits,
            (Some(result), _) => result ^ bits,
        });
    }
    Ok(to_double(result.unwrap_or_default()))
}

/// `compl`.
///
/// # Errors
/// The number is negative.
pub fn complement(number: f64) -> Fallible<f64> {
    if number < 0.0 {
        return Err(Fault::new(format!("compl({number:.6}): negative value is not allowed")));
    }
    Ok(to_double(!to_bits(number)))
}

/// `lshift` and `rshift`: of the count only its last 6 bits matter, as to the processor.
///
/// # Errors
/// A number is negative.
pub fn shifted(f: LibraryFn, number: f64, count: f64) -> Fallible<f64> {
    if number < 0.0 || count < 0.0 {
        let name = f.name();
        return Err(Fault::new(format!(
            "{name}({number:.6}, {count:.6}): negative values are not allowed"
        )));
    }
    let (bits, count) = (to_bits(number), to_bits(count) as u32);
    Ok(to_double(match f {
        LibraryFn::Lshift => bits.wrapping_shl(count),
        _ => bits.wrapping_shr(count),
    }))
}

/// The number that a text begins with, as C writes constants.
pub fn from_c(text: &[u8]) -> f64 {
    match text {
        [b'0', b'x' | b'X', digits @ ..] => by_radix(digits, 16),
        [b'0', b'0'..=b'7', ..] => {
            let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
            // A point, an exponent or a digit that octal lacks make it a decimal number.
            let is_decimal = matches!(text.get(length), Some(b'.' | b'e' | b'E'))
                || text[..length].iter().any(|byte| matches!(byte, b'8' | b'9'));
            if is_decimal { to_number(text) } else { by_radix(text, 8) }
        }
        text => to_number(text),
    }
}

fn by_radix(digits: &[u8], radix: u32) -> f64 {
    let digits = digits.iter().map_while(|&byte| char::from(byte).to_digit(radix));
    digits.fold(0.0, |sum, digit| sum * f64::from(radix) + f64::from(digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_keeps_the_53_bits_from_its_lowest_one_on() {
        for (bits, expected) in [
            (0, 0.0),
            (!0, 9_007_199_254_740_991.0),
            (!5, 18_014_398_509_481_978.0),
            ((1 << 60) + 1, 1.0),
            (1 << 63, 9_223_372_036_854_775_808.0),
        ] {
            assert_eq!(to_double(bits), expected, "{bits:x}");
        }
    }

    #[test]
    fn text_is_read_as_c_reads_constants() {
        for (text, expected) in [
            ("0x1A", 26.0),
            ("0X1f", 31.0),
            ("0x", 0.0),
            ("0xg", 0.0),
            ("0x1.8", 1.0),
            ("0x11zz", 17.0),
            ("017", 15.0),
            ("017z", 15.0),
            ("019", 19.0),
            ("0189", 189.0),
            ("08", 8.0),
            ("012.5", 12.5),
            ("012e1", 120.0),
            ("00x1", 0.0),
            (" 0x11", 0.0),
            ("-0x11", 0.0),
            ("+017", 17.0),
            ("1e3", 1000.0),
            ("", 0.0),
            ("0xffffffffffffffffff", 4_722_366_482_869_645_213_696.0),
        ] {
            assert_eq!(from_c(text.as_bytes()), expected, "{text}");
        }
    }
}
