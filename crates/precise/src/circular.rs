//! Sine, cosine, and the angle of a point.

use crate::constants;
use crate::context::Context;
use crate::fixed;
use crate::float::{Float, Magnitude};
use crate::settle::Approximation;
use Magnitude::{Finite, Infinite, Nan, Zero};
use dashu_base::{BitTest, DivRem, Sign};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

impl Context {
    /// The sine of an angle in radians.
    pub fn sin(&self, x: &Float) -> Float {
        match &x.magnitude {
            Nan | Infinite => Float::NAN,
            Zero => x.clone(),
            Finite(mantissa, exponent) => match self.just_below(mantissa, *exponent, x.negative) {
                Some(result) => result,
                None => self.circular(mantissa, *exponent, x.negative, true),
            },
        }
    }

    /// The cosine of an angle in radians.
    pub fn cos(&self, x: &Float) -> Float {
        match &x.magnitude {
            Nan | Infinite => Float::NAN,
            Zero => self.finish(false, UBig::ONE, 0, false),
            Finite(mantissa, exponent) => {
                if 2 * (mantissa.bit_len() as i64 + exponent) < -(self.precision as i64 + 4) {
                    let bits = self.precision + 4;
                    return self.finish(
                        false,
                        (UBig::ONE << bits) - UBig::ONE,
                        -(bits as i64),
                        true,
                    );
                }
                self.circular(mantissa, *exponent, false, false)
            }
        }
    }

    /// What x - x^3/6 is rounded to, if x is so small that only "a little less than x" matters.
    fn just_below(&self, mantissa: &UBig, exponent: i64, negative: bool) -> Option<Float> {
        let top = mantissa.bit_len() as i64 + exponent;
        // One unit at this place is more than x^3, and lies below the last place of the result.
        let last = exponent.min(top - self.precision as i64 - 3);
        (3 * top <= last).then(|| {
            self.finish(negative, (mantissa << (exponent - last) as usize) - UBig::ONE, last, true)
        })
    }

    fn circular(&self, mantissa: &UBig, exponent: i64, negative: bool, wants_sine: bool) -> Float {
        if let Some(result) =
            self.short_circular(mantissa.as_words(), exponent, negative, wants_sine)
        {
            return result;
        }
        let top = mantissa.bit_len() as i64 + exponent;
        let quarters_bits = top.max(0) as usize;
        // A small angle's sine has few bits at a given scale, and the square root halves them
        // again.
        let small = (-top).max(0) as usize;
        self.settle(|bits| {
            let scale = bits + 2 * small + 16;
            let wide = scale + quarters_bits + 4;
            let up = exponent + wide as i64;
            let x = if up >= 0 {
                mantissa << up as usize
            } else {
                mantissa >> up.unsigned_abs() as usize
            };
            let (quarter, rest) = if top < 0 {
                // Below one half, so below a quarter of pi.
                (0u8, IBig::from(x))
            } else {
                let half_pi = constants::pi(wide) >> 1;
                let (times, rest) = (x + (&half_pi >> 1)).div_rem(&half_pi);
                let quarter = u8::from(times.bit(0)) + 2 * u8::from(times.bit(1));
                (quarter, IBig::from(rest) - IBig::from(half_pi >> 1))
            };
            let (sign, rest) = rest.into_parts();
            let rest = rest >> (wide - scale);
            let (cosine, sine) = fixed::cos_sin(&rest, scale);
            let is_sine = wants_sine == (quarter % 2 == 0);
            let negative = match (wants_sine, quarter) {
                (true, 0 | 2) => (sign == Sign::Negative) != (quarter == 2),
                (true, 1) => false,
                (true, _) => true,
                (false, 0) => false,
                (false, 2) => true,
                (false, 1) => sign == Sign::Positive,
                (false, _) => sign == Sign::Negative,
            } != negative;
            // The square root makes 1 / sin of an error: so many places of the sine say nothing.
            let lost = if is_sine { scale.saturating_sub(rest.bit_len()) } else { 0 };
            let mantissa = if is_sine { sine } else { cosine } >> lost;
            Approximation { negative, mantissa, exponent: lost as i64 - scale as i64, error: 16 }
        })
    }

    /// The angle of the point (x, y), between -pi and pi, with the answers of C's `atan2` where one
    /// of them is zero, infinite or not a number.
    pub fn atan2(&self, y: &Float, x: &Float) -> Float {
        let (ym, ye, xm, xe) = match (&y.magnitude, &x.magnitude) {
            (Nan, _) | (_, Nan) => return Float::NAN,
            (Infinite, Infinite) if x.negative => return self.part_of_pi(3, 2, y.negative),
            (Infinite, Infinite) => return self.part_of_pi(1, 2, y.negative),
            (Infinite, _) => return self.part_of_pi(1, 1, y.negative),
            (Zero, _) | (Finite(..), Infinite) if x.negative => {
                return self.part_of_pi(1, 0, y.negative);
            }
            (Zero, _) | (Finite(..), Infinite) => return Float::zero(y.negative),
            (Finite(..), Zero) => return self.part_of_pi(1, 1, y.negative),
            (Finite(ym, ye), Finite(xm, xe)) => (ym, *ye, xm, *xe),
        };
        let (y_top, x_top) = (ym.bit_len() as i64 + ye, xm.bit_len() as i64 + xe);
        let steep = y.compare_magnitude(x) == Ordering::Greater;
        // The quotient of the smaller and the larger one, at least 2^-(small + 1).
        let (over, oe, under, ue) = if steep { (xm, xe, ym, ye) } else { (ym, ye, xm, xe) };
        let small = (x_top - y_top).unsigned_abs();
        let is_first = !steep && !x.negative;
        if is_first && 2 * small > self.precision as u64 + 64 {
            return self.small_angle((over, oe), (under, ue), y.negative);
        }
        self.settle(|bits| {
            // A quotient that is smaller is nothing beside a quarter turn.
            let is_nothing = small > bits as u64 + 8;
            let small = if is_nothing { 0 } else { small as usize };
            let scale = bits + 2 * small + 32;
            let angle = match is_nothing {
                true => UBig::ZERO,
                false => fixed::atan(&fixed_quotient((over, oe), (under, ue), scale as i64), scale),
            };
            // The angle is off by some units over the quotient; added to a part of a turn it need
            // be no better than that.
            let lost = if is_first { small + 2 } else { 2 * small + 2 };
            let (angle, scale) = (angle >> lost, scale - lost);
            let mantissa = match (steep, x.negative) {
                (false, false) => angle,
                (true, false) => (constants::pi(scale) >> 1) - angle,
                (true, true) => (constants::pi(scale) >> 1) + angle,
                (false, true) => constants::pi(scale) - angle,
            };
            Approximation { negative: y.negative, mantissa, exponent: -(scale as i64), error: 64 }
        })
    }

    /// The arc tangent of a quotient so small that it is the quotient and very little less.
    fn small_angle(&self, over: (&UBig, i64), under: (&UBig, i64), negative: bool) -> Float {
        let wanted = (self.precision + 40 + under.0.bit_len()).saturating_sub(over.0.bit_len());
        let (quotient, rest) = (over.0 << wanted).div_rem(under.0);
        let exponent = over.1 - under.1 - wanted as i64;
        if rest.is_zero() {
            return self.finish(negative, quotient - UBig::ONE, exponent, true);
        }
        let small = ((under.0.bit_len() as i64 + under.1) - (over.0.bit_len() as i64 + over.1))
            .unsigned_abs();
        self.settle(|bits| {
            if bits as u64 + 8 > 2 * small {
                // Now what is less matters after all.
                let scale = bits + 2 * small as usize + 32;
                let lost = small as usize + 2;
                let mantissa =
                    fixed::atan(&fixed_quotient(over, under, scale as i64), scale) >> lost;
                return Approximation {
                    negative,
                    mantissa,
                    exponent: lost as i64 - scale as i64,
                    error: 64,
                };
            }
            let wanted = (bits + under.0.bit_len()).saturating_sub(over.0.bit_len());
            let exponent = over.1 - under.1 - wanted as i64;
            Approximation { negative, mantissa: (over.0 << wanted) / under.0, exponent, error: 4 }
        })
    }

    /// So many halves of pi, halved so often again.
    fn part_of_pi(&self, times: u8, halvings: i64, negative: bool) -> Float {
        self.settle(|bits| {
            let mantissa = constants::pi(bits) * times;
            Approximation { negative, mantissa, exponent: -(bits as i64) - halvings, error: 8 }
        })
    }
}

/// The quotient of two numbers as a multiple of 2^-scale, rounded down.
fn fixed_quotient(over: (&UBig, i64), under: (&UBig, i64), scale: i64) -> UBig {
    let up = over.1 - under.1 + scale;
    if up >= 0 {
        (over.0 << up as usize) / under.0
    } else {
        over.0 / (under.0 << up.unsigned_abs() as usize)
    }
}
