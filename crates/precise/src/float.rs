//! A binary floating-point number, and how an exact result is rounded to one.

use crate::context::Context;
use crate::rounding::{Cut, Rounding, Sticky};
use crate::word::of_word;
use dashu_base::{BitTest, Sign};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

/// A binary floating-point number.
///
/// Operations take all of its bits and round their result once, as their [`Context`] says.
#[derive(Clone, Debug)]
pub struct Float {
    pub(crate) sign: Sign,
    /// The precision it was rounded to; 0 if that is not known.
    pub(crate) precision: u32,
    pub(crate) magnitude: Magnitude,
}

/// A float without its sign.
#[derive(Clone, Debug)]
pub(crate) enum Magnitude {
    Zero,
    /// An integer that is not zero, times two to a power.
    Finite(UBig, i64),
    Infinite,
    Nan,
}

use Magnitude::{Finite, Infinite, Nan, Zero};

impl Float {
    /// Not a number.
    pub const NAN: Float = Float { sign: Sign::Positive, precision: 0, magnitude: Nan };

    /// Zero with a sign.
    pub const fn zero(sign: Sign) -> Float {
        Float { sign, precision: 0, magnitude: Zero }
    }

    /// Infinity with a sign.
    pub const fn infinity(sign: Sign) -> Float {
        Float { sign, precision: 0, magnitude: Infinite }
    }

    /// The exact value of a double.
    pub fn from_f64(number: f64) -> Float {
        let magnitude = if number.is_nan() {
            Nan
        } else if number.is_infinite() {
            Infinite
        } else if number == 0.0 {
            Zero
        } else {
            let bits = number.to_bits();
            let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i64);
            let whole = if exponent == 0 { fraction } else { fraction | 1 << 52 };
            let zeros = whole.trailing_zeros();
            Finite(UBig::from(whole >> zeros), exponent.max(1) - 1075 + i64::from(zeros))
        };
        Float { sign: Sign::from(number.is_sign_negative()), precision: 53, magnitude }
    }

    /// The exact value of a small integer, without an allocation; `None` if it is zero.
    #[inline]
    pub fn from_small_integer(integer: i64) -> Option<Float> {
        let magnitude = Finite(of_word(integer.unsigned_abs()), 0);
        (integer != 0).then_some(Float { sign: Sign::from(integer < 0), precision: 0, magnitude })
    }

    /// The exact value of an integer.
    pub fn from_integer(integer: &IBig) -> Float {
        let (sign, words) = integer.as_sign_words();
        let magnitude = if words.is_empty() { Zero } else { Finite(UBig::from_words(words), 0) };
        Float { sign, precision: 0, magnitude }
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        let magnitude = match &self.magnitude {
            Zero => 0.0,
            Infinite => f64::INFINITY,
            Nan => f64::NAN,
            // Both factors and the product are normal doubles.
            Finite(mantissa, exponent)
                if mantissa.bit_len() <= 53 && (-1000..900).contains(exponent) =>
            {
                u64::try_from(mantissa).unwrap_or(u64::MAX) as f64 * 2f64.powi(*exponent as i32)
            }
            Finite(..) => {
                let double = Context::default().named(b"double").unwrap_or_default();
                match double.round(self).magnitude {
                    Zero => 0.0,
                    Infinite => f64::INFINITY,
                    Nan => f64::NAN,
                    Finite(mantissa, exponent) => {
                        // In two steps: the power of two may be smaller than any double.
                        let whole = u64::try_from(&mantissa).unwrap_or(u64::MAX) as f64;
                        let half = exponent / 2;
                        whole * 2f64.powi(half as i32) * 2f64.powi((exponent - half) as i32)
                    }
                }
            }
        };
        if self.is_negative() { -magnitude } else { magnitude }
    }

    /// The precision it was rounded to, in bits; 53 if that is not known.
    pub fn precision(&self) -> usize {
        if self.precision == 0 { 53 } else { self.precision as usize }
    }

    /// Whether it is not a number.
    pub fn is_nan(&self) -> bool {
        matches!(self.magnitude, Nan)
    }

    /// Whether it is an infinity.
    pub fn is_infinite(&self) -> bool {
        matches!(self.magnitude, Infinite)
    }

    /// Whether it is a zero of either sign.
    pub fn is_zero(&self) -> bool {
        matches!(self.magnitude, Zero)
    }

    /// Whether its sign is minus; zeros and NaNs have a sign too.
    pub fn is_negative(&self) -> bool {
        self.sign == Sign::Negative
    }

    /// Whether it is finite and has no fraction.
    pub fn is_integral(&self) -> bool {
        match &self.magnitude {
            Zero => true,
            Infinite | Nan => false,
            Finite(mantissa, exponent) => {
                *exponent >= 0
                    || mantissa.trailing_zeros().is_some_and(|zeros| zeros as i64 >= -exponent)
            }
        }
    }

    /// The integer part; `None` if it is infinite or not a number.
    pub fn truncate(&self) -> Option<IBig> {
        self.to_integer(Rounding::Zero)
    }

    /// The integer it is rounded to; `None` if it is infinite or not a number.
    pub fn to_integer(&self, rounding: Rounding) -> Option<IBig> {
        match &self.magnitude {
            Zero => Some(IBig::ZERO),
            Infinite | Nan => None,
            Finite(mantissa, exponent) => {
                let whole = match usize::try_from(*exponent) {
                    Ok(up) => mantissa << up,
                    Err(_) => round_off(
                        mantissa.clone(),
                        exponent.unsigned_abs(),
                        Sticky::Clear,
                        self.sign,
                        rounding,
                    ),
                };
                Some(IBig::from_parts(self.sign, whole))
            }
        }
    }

    /// The same with the other sign.
    pub fn negated(mut self) -> Float {
        self.sign = -self.sign;
        self
    }

    /// Compares the values, exactly; `None` if one is not a number. Zeros are equal.
    pub fn compare(&self, other: &Float) -> Option<Ordering> {
        let signum = |float: &Float| match (&float.magnitude, float.sign) {
            (Zero, _) => 0,
            (_, Sign::Negative) => -1,
            (_, Sign::Positive) => 1,
        };
        if self.is_nan() || other.is_nan() {
            return None;
        }
        let (a, b) = (signum(self), signum(other));
        if a != b || a == 0 {
            return Some(a.cmp(&b));
        }
        let order = self.compare_magnitude(other);
        Some(if self.is_negative() { order.reverse() } else { order })
    }

    /// Compares without the signs. Neither is a NaN.
    pub(crate) fn compare_magnitude(&self, other: &Float) -> Ordering {
        match (&self.magnitude, &other.magnitude) {
            (Zero, Zero) => Ordering::Equal,
            (Zero, _) => Ordering::Less,
            (_, Zero) => Ordering::Greater,
            (Infinite, Infinite) => Ordering::Equal,
            (Infinite, _) => Ordering::Greater,
            (_, Infinite) => Ordering::Less,
            (Finite(a, a_exponent), Finite(b, b_exponent)) => {
                // With equal tops, a shift is no longer than the other mantissa.
                top(a, *a_exponent).cmp(&top(b, *b_exponent)).then_with(|| {
                    match usize::try_from(a_exponent - b_exponent) {
                        Ok(0) => a.cmp(b),
                        Ok(up) => (a << up).cmp(b),
                        Err(_) => a.cmp(&(b << (b_exponent - a_exponent) as usize)),
                    }
                })
            }
            _ => Ordering::Equal,
        }
    }
}

/// The exponent of the power of two just above `mantissa * 2^exponent`.
pub(crate) fn top(mantissa: &UBig, exponent: i64) -> i64 {
    mantissa.bit_len() as i64 + exponent
}

/// `mantissa / 2^count`, rounded to an integer.
pub(crate) fn round_off(
    mantissa: UBig,
    count: u64,
    sticky: Sticky,
    sign: Sign,
    rounding: Rounding,
) -> UBig {
    let sticky = sticky == Sticky::Set;
    let bits = mantissa.bit_len() as u64;
    let (kept, half, rest) = if count == 0 {
        (mantissa, false, sticky)
    } else if count > bits {
        (UBig::ZERO, false, sticky || bits > 0)
    } else {
        let count = count as usize;
        let half = mantissa.bit(count - 1);
        let rest = sticky || mantissa.trailing_zeros().is_some_and(|zeros| zeros < count - 1);
        (mantissa >> count, half, rest)
    };
    let cut = Cut { odd: kept.bit(0), half, rest };
    if rounding.increments(sign, cut) { kept + UBig::ONE } else { kept }
}

impl Context {
    /// A number, rounded.
    pub fn round(&self, number: &Float) -> Float {
        match &number.magnitude {
            Finite(mantissa, exponent) => {
                self.finish(number.sign, mantissa.clone(), *exponent, Sticky::Clear)
            }
            _ => number.clone(),
        }
    }

    /// An integer, rounded.
    pub fn round_integer(&self, integer: &IBig) -> Float {
        self.round(&Float::from_integer(integer))
    }

    /// Rounds `mantissa * 2^exponent`; if `sticky` is set, the exact magnitude is above that by less
    /// than one in the last place of the mantissa.
    pub(crate) fn finish(
        &self,
        sign: Sign,
        mut mantissa: UBig,
        mut exponent: i64,
        sticky: Sticky,
    ) -> Float {
        let precision = self.precision as i64;
        let mut bits = mantissa.bit_len() as i64;
        if sticky == Sticky::Set && bits < precision + 2 {
            // Below the last place there must be a bit for the half and one for the rest.
            let up = precision + 2 - bits;
            mantissa <<= up as usize;
            exponent -= up;
            bits = mantissa.bit_len() as i64;
        } else if bits == 0 {
            return Float::zero(sign);
        }
        let top = bits + exponent;
        let room = if self.range.gradual || top < self.range.min {
            precision.min(top - (self.range.min - 1))
        } else {
            precision
        };
        if bits > room {
            let count = (bits - room) as u64;
            mantissa = round_off(mantissa, count, sticky, sign, self.rounding);
            exponent += count as i64;
            if mantissa.is_zero() {
                return Float::zero(sign);
            }
        }
        if mantissa.bit_len() as i64 + exponent > self.range.max {
            return self.overflow(sign);
        }
        self.float(sign, mantissa, exponent)
    }

    /// A result that needs no rounding.
    #[inline]
    pub(crate) fn float(&self, sign: Sign, mantissa: UBig, exponent: i64) -> Float {
        Float { sign, precision: self.precision as u32, magnitude: Finite(mantissa, exponent) }
    }

    /// One.
    pub(crate) fn one(&self) -> Float {
        self.float(Sign::Positive, UBig::ONE, 0)
    }

    /// What a result above the largest number becomes.
    pub(crate) fn overflow(&self, sign: Sign) -> Float {
        if self.rounding.is_away(sign) {
            return Float::infinity(sign);
        }
        let exponent = self.range.max - self.precision as i64;
        self.float(sign, UBig::ones(self.precision), exponent)
    }

    /// What a result becomes that is not zero and less than half the smallest number.
    pub(crate) fn underflow(&self, sign: Sign) -> Float {
        if self.rounding != Rounding::Nearest && self.rounding.is_away(sign) {
            self.float(sign, UBig::ONE, self.range.min - 1)
        } else {
            Float::zero(sign)
        }
    }
}
