//! Text to number.

use crate::context::Context;
use crate::float::Float;
use crate::number::Number;
use crate::rounding::Sticky;
use crate::ten::power_of_five;
use crate::word::{of_dword, of_word};
use dashu_base::{BitTest, Sign};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

/// The largest magnitude of an exponent that is read; larger ones count as this.
const MAX_EXPONENT: i64 = 1 << 40;

impl Number {
    /// The decimal number at the beginning of a text, and its length in bytes: a sign, digits, and
    /// with `point` or an exponent a float, rounded. `None` if there is no digit.
    ///
    /// ```
    /// use riverhawk_precise::{Context, Number};
    /// let (number, len) = Number::read_decimal(b"-12e3x", b'.', &Context::default()).unwrap();
    /// assert_eq!((number.to_f64(), len), (-12000.0, 5));
    /// ```
    pub fn read_decimal(text: &[u8], point: u8, context: &Context) -> Option<(Number, usize)> {
        let (sign, mut at) = sign(text);
        let whole = digits(&text[at..], u8::is_ascii_digit);
        at += whole.len();
        let has_point = text.get(at) == Some(&point);
        let fraction: &[u8] = match has_point {
            true => digits(&text[at + 1..], u8::is_ascii_digit),
            false => &[],
        };
        at += usize::from(has_point) + fraction.len();
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let exponent = exponent(&text[at..], b'e');
        at += exponent.map_or(0, |(_, len)| len);
        let integer = match whole.len() + fraction.len() {
            0..=19 => of_word(word(whole.iter().chain(fraction))),
            len @ 20..=38 => {
                let mut digits = whole.iter().chain(fraction);
                let upper = u128::from(word(digits.by_ref().take(19)));
                let lower = u128::from(word(digits));
                of_dword(upper * 10u128.pow(len as u32 - 19) + lower)
            }
            _ => of_digits(&[whole, fraction].concat(), 10)?,
        };
        let number = match (has_point, exponent) {
            (false, None) => Number::Integer(IBig::from_parts(sign, integer)),
            (_, exponent) => {
                let power = exponent.map_or(0, |(power, _)| power) - fraction.len() as i64;
                Number::Float(context.of_decimal(sign, &integer, power))
            }
        };
        Some((number, at))
    }

    /// The hexadecimal integer at the beginning of a text, after an optional sign and `0x`, and its
    /// length in bytes.
    pub fn read_hexadecimal_integer(text: &[u8]) -> Option<(Number, usize)> {
        let (sign, at) = hexadecimal_start(text)?;
        let digits = digits(&text[at..], u8::is_ascii_hexdigit);
        let number = Number::Integer(IBig::from_parts(sign, of_digits(digits, 16)?));
        Some((number, at + digits.len()))
    }

    /// As [`Number::read_hexadecimal_integer`], or with `point` or a binary exponent after the
    /// digits a float, rounded.
    pub fn read_hexadecimal(text: &[u8], point: u8, context: &Context) -> Option<(Number, usize)> {
        let (sign, mut at) = hexadecimal_start(text)?;
        let whole = digits(&text[at..], u8::is_ascii_hexdigit);
        at += whole.len();
        let fraction = match text.get(at) == Some(&point) {
            true => Some(digits(&text[at + 1..], u8::is_ascii_hexdigit)),
            false => None,
        };
        // A point without any digit is none.
        let fraction = fraction.filter(|fraction| !whole.is_empty() || !fraction.is_empty());
        at += fraction.map_or(0, |fraction| 1 + fraction.len());
        let integer = of_digits(&[whole, fraction.unwrap_or_default()].concat(), 16)?;
        let exponent = exponent(&text[at..], b'p');
        at += exponent.map_or(0, |(_, len)| len);
        let number = match (fraction, exponent) {
            (None, None) => Number::Integer(IBig::from_parts(sign, integer)),
            _ => {
                let power = exponent.map_or(0, |(power, _)| power)
                    - 4 * fraction.map_or(0, |fraction| fraction.len() as i64);
                Number::Float(context.finish(sign, integer, power, Sticky::Clear))
            }
        };
        Some((number, at))
    }

    /// The octal integer that digits are; `None` if there is another byte among them.
    pub fn read_octal(digits: &[u8]) -> Option<Number> {
        Some(Number::Integer(IBig::from(of_digits(digits, 8)?)))
    }
}

impl Context {
    /// An integer times ten to a power, rounded once.
    pub(crate) fn of_decimal(&self, sign: Sign, whole: &UBig, power: i64) -> Float {
        if whole.is_zero() {
            return Float::zero(sign);
        }
        // log2(10) is 3.32...: where the result lies, to within a bit or two in a hundred million.
        let top = whole.bit_len() as f64 + power as f64 * std::f64::consts::LOG2_10;
        if top > self.range.max as f64 + 16.0 {
            return self.overflow(sign);
        }
        if top < self.range.min as f64 - 16.0 - self.precision as f64 {
            return self.underflow(sign);
        }
        let mut bits = self.precision + 64;
        loop {
            let five = power_of_five(power.unsigned_abs(), bits);
            // Two numbers between which the exact one lies.
            let (low, high, exponent) = if power >= 0 {
                let exponent = power + five.exponent;
                if five.error == 0 {
                    return self.finish(sign, whole * five.mantissa, exponent, Sticky::Clear);
                }
                let low = whole * &five.mantissa;
                let high = &low + whole * (five.error - 1);
                (low, high, exponent)
            } else {
                let exponent = power - five.exponent;
                if five.error == 0 {
                    let (a, b) = (whole, &five.mantissa);
                    return self
                        .dword_quotient(sign, a, b, exponent)
                        .unwrap_or_else(|| self.quotient(sign, a, b, exponent));
                }
                let up =
                    (self.precision + 2 + five.mantissa.bit_len()).saturating_sub(whole.bit_len());
                let dividend = whole << up;
                let high = &dividend / &five.mantissa;
                (dividend / (five.mantissa + five.error), high, exponent - up as i64)
            };
            let low = self.finish(sign, low, exponent, Sticky::Set);
            if low.compare(&self.finish(sign, high, exponent, Sticky::Set)) == Some(Ordering::Equal)
            {
                return low;
            }
            bits *= 2;
        }
    }
}

/// The sign at the beginning of a text, and its length.
fn sign(text: &[u8]) -> (Sign, usize) {
    match text.first() {
        Some(b'-') => (Sign::Negative, 1),
        Some(b'+') => (Sign::Positive, 1),
        _ => (Sign::Positive, 0),
    }
}

/// The sign of a hexadecimal number, and where its digits begin.
fn hexadecimal_start(text: &[u8]) -> Option<(Sign, usize)> {
    let (sign, at) = sign(text);
    matches!(text.get(at..at + 2), Some(b"0x" | b"0X")).then_some((sign, at + 2))
}

fn digits(text: &[u8], is_digit: fn(&u8) -> bool) -> &[u8] {
    let len = text.iter().take_while(|byte| is_digit(byte)).count();
    &text[..len]
}

/// The exponent at the beginning of a text, after a letter in either case, and its length; `None` if
/// it has no digits.
fn exponent(text: &[u8], letter: u8) -> Option<(i64, usize)> {
    let rest = match text {
        [first, rest @ ..] if first.eq_ignore_ascii_case(&letter) => rest,
        _ => return None,
    };
    let (sign, sign_len) = sign(rest);
    let digits = digits(&rest[sign_len..], u8::is_ascii_digit);
    if digits.is_empty() {
        return None;
    }
    let size = std::str::from_utf8(digits).ok()?.parse().unwrap_or(MAX_EXPONENT);
    let size = size.min(MAX_EXPONENT);
    let exponent = if sign == Sign::Negative { -size } else { size };
    Some((exponent, 1 + sign_len + digits.len()))
}

fn of_digits(digits: &[u8], base: u32) -> Option<UBig> {
    UBig::from_str_radix(std::str::from_utf8(digits).ok()?, base).ok()
}

/// The value of so few digits that it fits in a word.
fn word<'d>(digits: impl Iterator<Item = &'d u8>) -> u64 {
    digits.fold(0, |number, digit| 10 * number + u64::from(digit - b'0'))
}
