//! Sine, cosine, and the angle of a point.

use crate::constants;
use crate::context::Context;
use crate::exponential::scaled;
use crate::fixed;
use crate::float::{Float, Magnitude, top};
use crate::rounding::Sticky;
use crate::ziv::Approximation;
use Magnitude::{Finite, Infinite, Nan, Zero};
use dashu_base::{BitTest, DivRem, Sign};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Circular {
    Sine,
    Cosine,
}

impl Context {
    /// The sine of an angle in radians.
    pub fn sin(&self, x: &Float) -> Float {
        match &x.magnitude {
            Nan | Infinite => Float::NAN,
            Zero => x.clone(),
            Finite(mantissa, exponent) => {
                let top = top(mantissa, *exponent);
                // One unit at this place is more than x^3, and below the last place of the result.
                let last = (*exponent).min(top - self.precision as i64 - 3);
                if 3 * top <= last {
                    let below = (mantissa << (exponent - last) as usize) - UBig::ONE;
                    return self.finish(x.sign, below, last, Sticky::Set);
                }
                self.circular(mantissa, *exponent, x.sign, Circular::Sine)
            }
        }
    }

    /// The cosine of an angle in radians.
    pub fn cos(&self, x: &Float) -> Float {
        match &x.magnitude {
            Nan | Infinite => Float::NAN,
            Zero => self.one(),
            Finite(mantissa, exponent) => {
                if 2 * top(mantissa, *exponent) < -(self.precision as i64 + 4) {
                    return self.near_one(Ordering::Less);
                }
                self.circular(mantissa, *exponent, Sign::Positive, Circular::Cosine)
            }
        }
    }

    fn circular(&self, mantissa: &UBig, exponent: i64, sign: Sign, function: Circular) -> Float {
        let top = top(mantissa, exponent);
        let quarter_bits = top.max(0) as usize;
        // The sine of a small angle has that many leading zeros, and its square twice as many.
        let small = (-top).max(0) as usize;
        self.ziv(|bits| {
            let scale = bits + 2 * small + 16;
            let wide = scale + quarter_bits + 4;
            let x = scaled(mantissa, exponent, wide);
            // The nearest multiple of a quarter turn is subtracted.
            let (quarter, rest) = if top < 0 {
                (0u8, IBig::from(x))
            } else {
                let half_pi = constants::pi(wide) >> 1usize;
                let (times, rest) = (x + (&half_pi >> 1usize)).div_rem(&half_pi);
                let quarter = u8::from(times.bit(0)) + 2 * u8::from(times.bit(1));
                (quarter, IBig::from(rest) - IBig::from(half_pi >> 1usize))
            };
            let (rest_sign, rest) = rest.into_parts();
            let rest = rest >> (wide - scale);
            let versine = fixed::versine(&rest, scale);
            let is_sine = (function == Circular::Sine) == quarter.is_multiple_of(2);
            let result_sign = match (function, quarter) {
                (Circular::Sine, 0) | (Circular::Cosine, 3) => rest_sign,
                (Circular::Sine, 2) | (Circular::Cosine, 1) => -rest_sign,
                (Circular::Sine, 1) | (Circular::Cosine, 0) => Sign::Positive,
                _ => Sign::Negative,
            };
            // Of the sine, as many bits are wrong as it has leading zeros.
            let (mantissa, lost) = if is_sine {
                let lost = scale.saturating_sub(rest.bit_len());
                (fixed::sine_of_versine(&versine, scale) >> lost, lost)
            } else {
                ((UBig::ONE << scale) - versine, 0)
            };
            let exponent = lost as i64 - scale as i64;
            Approximation { sign: result_sign * sign, mantissa, exponent, error: 16 }
        })
    }

    /// The angle of the point (x, y), between -pi and pi, with the results of C's `atan2` where one
    /// of them is zero, infinite or not a number.
    pub fn atan2(&self, y: &Float, x: &Float) -> Float {
        let (y_parts, x_parts) = match (&y.magnitude, &x.magnitude) {
            (Nan, _) | (_, Nan) => return Float::NAN,
            (Infinite, Infinite) if x.is_negative() => return self.part_of_pi(3, 2, y.sign),
            (Infinite, Infinite) => return self.part_of_pi(1, 2, y.sign),
            (Infinite, _) => return self.part_of_pi(1, 1, y.sign),
            (Zero, _) | (Finite(..), Infinite) if x.is_negative() => {
                return self.part_of_pi(1, 0, y.sign);
            }
            (Zero, _) | (Finite(..), Infinite) => return Float::zero(y.sign),
            (Finite(..), Zero) => return self.part_of_pi(1, 1, y.sign),
            (Finite(ym, ye), Finite(xm, xe)) => ((ym, *ye), (xm, *xe)),
        };
        // The quotient of the smaller and the larger one, at least 2^-(small + 1).
        let is_steep = y.compare_magnitude(x) == Ordering::Greater;
        let (over, under) = if is_steep { (x_parts, y_parts) } else { (y_parts, x_parts) };
        let small = (top(x_parts.0, x_parts.1) - top(y_parts.0, y_parts.1)).unsigned_abs();
        let is_quotient = !is_steep && !x.is_negative();
        if is_quotient && 2 * small > self.precision as u64 + 64 {
            return self.small_angle(over, under, small, y.sign);
        }
        self.ziv(|bits| {
            // A quotient that is smaller is nothing beside a quarter turn.
            let is_nothing = small > bits as u64 + 8;
            let small = if is_nothing { 0 } else { small as usize };
            let scale = bits + 2 * small + 32;
            let angle = match is_nothing {
                true => UBig::ZERO,
                false => fixed::atan(&quotient(over, under, scale as i64), scale),
            };
            // The angle is off by some units over the quotient; added to a part of a turn it need
            // be no better than that.
            let lost = if is_quotient { small + 2 } else { 2 * small + 2 };
            let (angle, scale) = (angle >> lost, scale - lost);
            let mantissa = match (is_steep, x.is_negative()) {
                (false, false) => angle,
                (true, false) => (constants::pi(scale) >> 1usize) - angle,
                (true, true) => (constants::pi(scale) >> 1usize) + angle,
                (false, true) => constants::pi(scale) - angle,
            };
            Approximation { sign: y.sign, mantissa, exponent: -(scale as i64), error: 64 }
        })
    }

    /// The arc tangent of a quotient q below 2^(1 - small), which is q - q^3/3 + ...
    fn small_angle(&self, over: Parts<'_>, under: Parts<'_>, small: u64, sign: Sign) -> Float {
        let exponent = |up: usize| over.1 - under.1 - up as i64;
        let up = (self.precision + 40 + under.0.bit_len()).saturating_sub(over.0.bit_len());
        let (exact, remainder) = (over.0 << up).div_rem(under.0);
        if remainder.is_zero() {
            return self.finish(sign, exact - UBig::ONE, exponent(up), Sticky::Set);
        }
        self.ziv(|bits| {
            if bits as u64 + 8 > 2 * small {
                let scale = bits + 2 * small as usize + 32;
                let lost = small as usize + 2;
                let mantissa = fixed::atan(&quotient(over, under, scale as i64), scale) >> lost;
                let exponent = lost as i64 - scale as i64;
                return Approximation { sign, mantissa, exponent, error: 64 };
            }
            let up = (bits + under.0.bit_len()).saturating_sub(over.0.bit_len());
            let mantissa = (over.0 << up) / under.0;
            Approximation { sign, mantissa, exponent: exponent(up), error: 4 }
        })
    }

    /// `pi * times / 2^halvings`.
    fn part_of_pi(&self, times: u8, halvings: i64, sign: Sign) -> Float {
        self.ziv(|bits| {
            let mantissa = constants::pi(bits) * times;
            Approximation { sign, mantissa, exponent: -(bits as i64) - halvings, error: 8 }
        })
    }
}

/// A mantissa and its exponent.
type Parts<'a> = (&'a UBig, i64);

/// The quotient as a multiple of 2^-scale, rounded down.
fn quotient(over: Parts<'_>, under: Parts<'_>, scale: i64) -> UBig {
    let up = over.1 - under.1 + scale;
    if up >= 0 {
        (over.0 << up as usize) / under.0
    } else {
        over.0 / (under.0 << up.unsigned_abs() as usize)
    }
}
