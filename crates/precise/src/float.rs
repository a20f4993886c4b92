//! A binary floating-point number, and how a result becomes one.

use crate::context::Context;
use crate::rounding::Rounding;
use dashu_base::{BitTest, Sign};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

/// A binary floating-point number. Operations take all of it and round their result once, to what
/// their [`Context`] says.
#[derive(Clone, Debug)]
pub struct Float {
    pub(crate) negative: bool,
    /// To how many bits it was rounded; 0 if nobody can tell.
    pub(crate) precision: u32,
    pub(crate) magnitude: Magnitude,
}

/// Without the sign.
#[derive(Clone, Debug)]
pub(crate) enum Magnitude {
    Zero,
    /// An integer, not zero, times two to a power.
    Finite(UBig, i64),
    Infinite,
    Nan,
}

use Magnitude::{Finite, Infinite, Nan, Zero};

impl Float {
    /// Not a number.
    pub const NAN: Float = Float { negative: false, precision: 0, magnitude: Nan };

    /// Zero of either sign.
    pub const fn zero(negative: bool) -> Float {
        Float { negative, precision: 0, magnitude: Zero }
    }

    /// Infinity of either sign.
    pub const fn infinity(negative: bool) -> Float {
        Float { negative, precision: 0, magnitude: Infinite }
    }

    /// The number a double is.
    pub fn from_f64(number: f64) -> Float {
        let negative = number.is_sign_negative();
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
        Float { negative, precision: 53, magnitude }
    }

    /// The number a small integer is, without an allocation; `None` if it is zero.
    #[inline]
    pub fn from_small_integer(integer: i64) -> Option<Float> {
        let magnitude = Finite(UBig::from_word(integer.unsigned_abs()), 0);
        (integer != 0).then_some(Float { negative: integer < 0, precision: 0, magnitude })
    }

    /// The number an integer is, all of it.
    pub fn from_integer(integer: &IBig) -> Float {
        let (sign, words) = integer.as_sign_words();
        let magnitude = if words.is_empty() { Zero } else { Finite(UBig::from_words(words), 0) };
        Float { negative: sign == Sign::Negative, precision: 0, magnitude }
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        let sign = if self.negative { -1.0 } else { 1.0 };
        sign * match &self.magnitude {
            Zero => 0.0,
            Infinite => f64::INFINITY,
            Nan => f64::NAN,
            // A normal number of so few bits is a double as it is, and so is two to its exponent.
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
                        // At most 53 bits; in two steps, since two to the power may be smaller than
                        // any double.
                        let whole = u64::try_from(&mantissa).unwrap_or(u64::MAX) as f64;
                        let half = exponent / 2;
                        whole * 2f64.powi(half as i32) * 2f64.powi((exponent - half) as i32)
                    }
                }
            }
        }
    }

    /// To how many bits it was rounded; 53 if nobody can tell.
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

    /// Whether it is zero, of either sign.
    pub fn is_zero(&self) -> bool {
        matches!(self.magnitude, Zero)
    }

    /// Whether its sign is minus: that of a zero and a NaN too.
    pub fn is_negative(&self) -> bool {
        self.negative
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

    /// The exponent of the power of two just above its magnitude, if it is finite and not zero.
    pub(crate) fn top(&self) -> Option<i64> {
        match &self.magnitude {
            Finite(mantissa, exponent) => Some(mantissa.bit_len() as i64 + exponent),
            _ => None,
        }
    }

    /// The integer without its fraction, which is cut off; `None` if it is infinite or not a
    /// number.
    pub fn truncate(&self) -> Option<IBig> {
        self.to_integer(Rounding::Zero)
    }

    /// The integer that it is rounded to; `None` if it is infinite or not a number.
    pub fn to_integer(&self, rounding: Rounding) -> Option<IBig> {
        let sign = if self.negative { Sign::Negative } else { Sign::Positive };
        match &self.magnitude {
            Zero => Some(IBig::ZERO),
            Infinite | Nan => None,
            Finite(mantissa, exponent) => {
                let whole = match usize::try_from(*exponent) {
                    Ok(up) => mantissa << up,
                    Err(_) => shift_down(
                        mantissa,
                        exponent.unsigned_abs(),
                        false,
                        self.negative,
                        rounding,
                    ),
                };
                Some(IBig::from_parts(sign, whole))
            }
        }
    }

    /// The same with the other sign.
    pub fn negated(mut self) -> Float {
        self.negative = !self.negative;
        self
    }

    /// Compares as numbers; `None` if one is none. Zeros are equal.
    pub fn compare(&self, other: &Float) -> Option<Ordering> {
        let sign_of = |float: &Float| match (&float.magnitude, float.negative) {
            (Zero, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        };
        if self.is_nan() || other.is_nan() {
            return None;
        }
        let (a, b) = (sign_of(self), sign_of(other));
        if a != b || a == 0 {
            return Some(a.cmp(&b));
        }
        let order = self.compare_magnitude(other);
        Some(if self.negative { order.reverse() } else { order })
    }

    /// Compares without the signs, what is a number.
    pub(crate) fn compare_magnitude(&self, other: &Float) -> Ordering {
        match (&self.magnitude, &other.magnitude) {
            (Zero, Zero) => Ordering::Equal,
            (Zero, _) => Ordering::Less,
            (_, Zero) => Ordering::Greater,
            (Infinite, Infinite) => Ordering::Equal,
            (Infinite, _) => Ordering::Greater,
            (_, Infinite) => Ordering::Less,
            (Finite(a, ae), Finite(b, be)) => {
                self.top().cmp(&other.top()).then_with(|| match ae.cmp(be) {
                    Ordering::Equal => a.cmp(b),
                    // The tops are equal, so the shift is no longer than the other's bits.
                    Ordering::Greater => (a << (ae - be) as usize).cmp(b),
                    Ordering::Less => a.cmp(&(b << (be - ae) as usize)),
                })
            }
            _ => Ordering::Equal,
        }
    }
}

/// A magnitude divided by two to a power and rounded to an integer. `more`: something that is not
/// zero lies below its last bit.
pub(crate) fn shift_down(
    mantissa: &UBig,
    by: u64,
    more: bool,
    negative: bool,
    rounding: Rounding,
) -> UBig {
    let bits = mantissa.bit_len() as u64;
    let (kept, half, rest) = if by == 0 {
        (mantissa.clone(), false, more)
    } else if by > bits {
        (UBig::ZERO, false, more || bits > 0)
    } else {
        let by = by as usize;
        let zeros = mantissa.trailing_zeros().unwrap_or(usize::MAX);
        (mantissa >> by, mantissa.bit(by - 1), more || zeros < by - 1)
    };
    if rounding.grows(negative, kept.bit(0), half, rest) { kept + UBig::ONE } else { kept }
}

impl Context {
    /// A number, rounded.
    pub fn round(&self, number: &Float) -> Float {
        match &number.magnitude {
            Finite(mantissa, exponent) => {
                self.finish(number.negative, mantissa.clone(), *exponent, false)
            }
            _ => number.clone(),
        }
    }

    /// An integer, rounded.
    pub fn round_integer(&self, integer: &IBig) -> Float {
        self.round(&Float::from_integer(integer))
    }

    /// The number whose magnitude is an integer times two to a power, and if `more` a little above
    /// that, by less than one in the integer's last place. This is the one place where results
    /// are rounded.
    pub(crate) fn finish(
        &self,
        negative: bool,
        mut mantissa: UBig,
        mut exponent: i64,
        more: bool,
    ) -> Float {
        let mut bits = mantissa.bit_len() as i64;
        let precision = self.precision as i64;
        if bits == 0 && !more {
            return Float::zero(negative);
        }
        if more && bits < precision + 2 {
            // Room below the last place, so that what is a little above it decides only where
            // nothing else does.
            let by = precision + 2 - bits;
            mantissa <<= by as usize;
            exponent -= by;
            bits = mantissa.bit_len() as i64;
        }
        // The last place of the smallest number.
        let bottom = self.range.least - 1;
        let top = bits + exponent;
        let room = if self.range.gradual || top < self.range.least {
            precision.min(top - bottom)
        } else {
            precision
        };
        if bits > room || more {
            let drop = (bits - room).max(0) as u64;
            mantissa = if drop > 0 && drop <= bits as u64 {
                // In place: the common case.
                let by = drop as usize;
                let half = mantissa.bit(by - 1);
                let rest = more || mantissa.trailing_zeros().is_some_and(|zeros| zeros < by - 1);
                mantissa >>= by;
                if self.rounding.grows(negative, mantissa.bit(0), half, rest) {
                    mantissa + UBig::ONE
                } else {
                    mantissa
                }
            } else {
                shift_down(&mantissa, drop, more, negative, self.rounding)
            };
            exponent += drop as i64;
            if mantissa.is_zero() {
                return Float::zero(negative);
            }
        }
        if mantissa.bit_len() as i64 + exponent > self.range.greatest {
            return self.overflow(negative);
        }
        Float { negative, precision: self.precision as u32, magnitude: Finite(mantissa, exponent) }
    }

    /// What a result past the largest number becomes.
    pub(crate) fn overflow(&self, negative: bool) -> Float {
        if self.rounding.is_away(negative) {
            return Float::infinity(negative);
        }
        let exponent = self.range.greatest - self.precision as i64;
        Float {
            negative,
            precision: self.precision as u32,
            magnitude: Finite(UBig::ones(self.precision), exponent),
        }
    }

    /// What a result that is not zero and less than half the smallest number becomes.
    pub(crate) fn underflow(&self, negative: bool) -> Float {
        let grows = self.rounding != Rounding::Nearest && self.rounding.is_away(negative);
        if grows {
            Float {
                negative,
                precision: self.precision as u32,
                magnitude: Finite(UBig::ONE, self.range.least - 1),
            }
        } else {
            Float::zero(negative)
        }
    }
}
