//! Text to number.

use crate::context::Context;
use crate::decimal::of_digits;
use crate::float::Float;
use crate::number::Number;
use crate::product::product;
use crate::quotient::divide;
use crate::ten::{power_of_five, small_power_of_five};
use dashu_base::{BitTest, Sign};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

impl Number {
    /// The number at the beginning of a text, and how many bytes of it that is: a sign, digits, and
    /// with `point` or an exponent a float, rounded. `None` if there is no digit.
    ///
    /// ```
    /// use riverhawk_precise::{Context, Number};
    /// let (number, len) = Number::read_decimal(b"-12e3x", b'.', &Context::default()).unwrap();
    /// assert_eq!((number.to_f64(), len), (-12000.0, 5));
    /// ```
    pub fn read_decimal(text: &[u8], point: u8, context: &Context) -> Option<(Number, usize)> {
        let (negative, mut at) = sign(text);
        let digits_at = at;
        let count =
            |from: usize| text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        at += count(at);
        let mut fraction = 0..0;
        let mut is_float = false;
        if text.get(at) == Some(&point) {
            fraction = at + 1..at + 1 + count(at + 1);
            if at == digits_at && fraction.is_empty() {
                return None;
            }
            is_float = true;
        } else if at == digits_at {
            return None;
        }
        let (whole, fraction) = (&text[digits_at..at], &text[fraction]);
        let places = fraction.len() as i64;
        at += usize::from(is_float) + fraction.len();
        let mut exponent = 0i64;
        if matches!(text.get(at), Some(b'e' | b'E')) {
            let (down, first) = sign(&text[at + 1..]);
            let first = at + 1 + first;
            let size = count(first);
            if size > 0 {
                let size_of = std::str::from_utf8(&text[first..first + size])
                    .ok()?
                    .parse()
                    .unwrap_or(i64::MAX / 8);
                exponent =
                    if down { -size_of.min(i64::MAX / 8) } else { size_of.min(i64::MAX / 8) };
                at = first + size;
                is_float = true;
            }
        }
        let whole = match whole.len() + fraction.len() {
            0..=19 => UBig::from_word(small(whole.iter().chain(fraction))),
            len @ 20..=38 => {
                let mut digits = whole.iter().chain(fraction);
                let upper = small(digits.by_ref().take(19));
                UBig::from_dword(
                    u128::from(upper) * 10u128.pow(len as u32 - 19) + u128::from(small(digits)),
                )
            }
            _ => {
                let digits = [whole, fraction].concat();
                of_digits(&digits)
            }
        };
        let sign = if negative { Sign::Negative } else { Sign::Positive };
        let number = match is_float {
            false => Number::Integer(IBig::from_parts(sign, whole)),
            true => Number::Float(context.of_decimal(negative, &whole, exponent - places)),
        };
        Some((number, at))
    }

    /// The hexadecimal integer at the beginning of a text, after an optional sign and `0x`, and how
    /// many bytes that is; with `point` or a binary exponent behind it a float, rounded, if
    /// `with_fraction`.
    pub fn read_hexadecimal(
        text: &[u8],
        point: u8,
        with_fraction: bool,
        context: &Context,
    ) -> Option<(Number, usize)> {
        let (negative, start) = sign(text);
        if text.get(start) != Some(&b'0') || !matches!(text.get(start + 1), Some(b'x' | b'X')) {
            return None;
        }
        let first = start + 2;
        let count = |from: usize| {
            text.get(from..)
                .unwrap_or_default()
                .iter()
                .take_while(|byte| byte.is_ascii_hexdigit())
                .count()
        };
        let mut at = first + count(first);
        let mut digits = text[first..at].to_vec();
        let (mut exponent, mut is_float) = (0i64, false);
        if with_fraction && text.get(at) == Some(&point) && (at > first || count(at + 1) > 0) {
            let fraction = count(at + 1);
            digits.extend_from_slice(&text[at + 1..at + 1 + fraction]);
            exponent = -4 * fraction as i64;
            (at, is_float) = (at + 1 + fraction, true);
        }
        if digits.is_empty() {
            return None;
        }
        if with_fraction && matches!(text.get(at), Some(b'p' | b'P')) {
            let (down, skip) = sign(&text[at + 1..]);
            let from = at + 1 + skip;
            let size = text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            if size > 0 {
                let of = std::str::from_utf8(&text[from..from + size])
                    .ok()?
                    .parse()
                    .unwrap_or(1i64 << 40)
                    .min(1 << 40);
                exponent += if down { -of } else { of };
                (at, is_float) = (from + size, true);
            }
        }
        let whole = UBig::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?;
        let sign = if negative { Sign::Negative } else { Sign::Positive };
        let number = match is_float {
            false => Number::Integer(IBig::from_parts(sign, whole)),
            true => Number::Float(context.finish(negative, whole, exponent, false)),
        };
        Some((number, at))
    }

    /// The octal integer that digits are; `None` if there is another byte among them.
    pub fn read_octal(digits: &[u8]) -> Option<Number> {
        let digits = std::str::from_utf8(digits).ok()?;
        let whole = UBig::from_str_radix(digits, 8).ok()?;
        Some(Number::Integer(IBig::from(whole)))
    }
}

impl Context {
    /// An integer times ten to a power, rounded once.
    pub(crate) fn of_decimal(&self, negative: bool, whole: &UBig, power: i64) -> Float {
        if whole.is_zero() {
            return Float::zero(negative);
        }
        if let Some((five, len)) = small_power_of_five(power.unsigned_abs()) {
            let five = &five[..len];
            let short = match power >= 0 {
                true => self.short_product(negative, whole.as_words(), five, power),
                false => self.short_quotient(negative, whole.as_words(), five, power),
            };
            if let Some(short) = short {
                return short;
            }
        }
        // log2(10) is 3.32...: where the result lies, to within a bit or two in a hundred million.
        let top = whole.bit_len() as f64 + power as f64 * std::f64::consts::LOG2_10;
        if top > self.range.greatest as f64 + 16.0 {
            return self.overflow(negative);
        }
        if top < self.range.least as f64 - 16.0 - self.precision as f64 {
            return self.underflow(negative);
        }
        // Ten to a power is five to it, shifted.
        let mut bits = self.precision + 64;
        loop {
            let five = power_of_five(power.unsigned_abs(), bits);
            let (low, high, exponent, more) = if power >= 0 {
                let product = product(whole, &five.mantissa);
                let high = &product + whole * UBig::from(five.error.saturating_sub(1));
                (product, high, power + five.exponent, five.error > 0)
            } else {
                let wanted =
                    (self.precision + 2 + five.mantissa.bit_len()).saturating_sub(whole.bit_len());
                let (quotient, rest) = divide(&(whole << wanted), &five.mantissa);
                let low = if five.error == 0 {
                    quotient.clone()
                } else {
                    divide(&(whole << wanted), &(five.mantissa + five.error)).0
                };
                (
                    low,
                    quotient,
                    power - five.exponent - wanted as i64,
                    five.error > 0 || !rest.is_zero(),
                )
            };
            let least = self.finish(negative, low, exponent, more);
            if five.error == 0
                || least.compare(&self.finish(negative, high, exponent, true))
                    == Some(Ordering::Equal)
            {
                return least;
            }
            bits *= 2;
        }
    }
}

/// What so few digits are that it fits in a word.
fn small<'d>(digits: impl Iterator<Item = &'d u8>) -> u64 {
    digits.fold(0, |number, digit| 10 * number + u64::from(digit - b'0'))
}

/// Whether the text begins with a minus, and how many bytes its sign has.
fn sign(text: &[u8]) -> (bool, usize) {
    match text.first() {
        Some(b'-') => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    }
}
