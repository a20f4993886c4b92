//! e^x, the natural logarithm, and powers.

use crate::constants;
use crate::context::Context;
use crate::fixed;
use crate::float::{Float, Magnitude, top};
use crate::rounding::{Rounding, Sticky};
use crate::ziv::Approximation;
use Magnitude::{Finite, Infinite, Nan, Zero};
use dashu_base::{BitTest, Sign, SquareRootRem};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

impl Context {
    /// e to the power x.
    pub fn exp(&self, x: &Float) -> Float {
        match &x.magnitude {
            Nan => Float::NAN,
            Infinite if x.is_negative() => Float::zero(Sign::Positive),
            Infinite => Float::infinity(Sign::Positive),
            Zero => self.one(),
            Finite(mantissa, exponent) => {
                let top = top(mantissa, *exponent);
                if top > 40 {
                    return match x.sign {
                        Sign::Positive => self.overflow(Sign::Positive),
                        Sign::Negative => self.underflow(Sign::Positive),
                    };
                }
                if top < -(self.precision as i64 + 4) {
                    return self.near_one(x.sign * Ordering::Greater);
                }
                self.ziv(|bits| {
                    let scale = bits + 8;
                    // What is subtracted has as many bits before the point as x.
                    let wide = scale + top.max(0) as usize + 4;
                    let x = IBig::from_parts(x.sign, scaled(mantissa, *exponent, wide));
                    exp_of_scaled(&x, wide, scale, Sign::Positive)
                })
            }
        }
    }

    /// The natural logarithm: of zero minus infinity, of what is negative not a number.
    pub fn ln(&self, x: &Float) -> Float {
        match &x.magnitude {
            Nan => Float::NAN,
            Zero => Float::infinity(Sign::Negative),
            _ if x.is_negative() => Float::NAN,
            Infinite => Float::infinity(Sign::Positive),
            Finite(mantissa, exponent) => {
                if is_one(mantissa, *exponent) {
                    return Float::zero(Sign::Positive);
                }
                self.ziv(|bits| {
                    let (logarithm, scale, error) = ln_scaled(mantissa, *exponent, bits);
                    let (sign, mantissa) = logarithm.into_parts();
                    Approximation { sign, mantissa, exponent: -(scale as i64), error }
                })
            }
        }
    }

    /// x to the power y, with the results of C's `pow` where one of them is zero, infinite or not a
    /// number.
    pub fn pow(&self, x: &Float, y: &Float) -> Float {
        let is_odd = is_odd(y);
        let sign = if is_odd { x.sign } else { Sign::Positive };
        let (xm, xe, ym, ye) = match (&x.magnitude, &y.magnitude) {
            (_, Zero) => return self.one(),
            (Nan, _) => return Float::NAN,
            (Finite(mantissa, exponent), _) if !x.is_negative() && is_one(mantissa, *exponent) => {
                return self.one();
            }
            (_, Nan) => return Float::NAN,
            (Zero, _) if y.is_negative() => return Float::infinity(sign),
            (Zero, _) => return Float::zero(sign),
            (Infinite, _) if y.is_negative() => return Float::zero(sign),
            (Infinite, _) => return Float::infinity(sign),
            (Finite(mantissa, exponent), Infinite) => {
                if is_one(mantissa, *exponent) {
                    return self.one();
                }
                return match (top(mantissa, *exponent) > 0) == y.is_negative() {
                    true => Float::zero(Sign::Positive),
                    false => Float::infinity(Sign::Positive),
                };
            }
            (Finite(xm, xe), Finite(ym, ye)) => (xm, *xe, ym, *ye),
        };
        if x.is_negative() && !y.is_integral() {
            return Float::NAN;
        }
        self.exact_power((xm, xe), (ym, ye, y.sign), sign)
            .or_else(|| self.integer_power((xm, xe), (ym, ye, y.sign), sign))
            .unwrap_or_else(|| self.power_by_logarithm((xm, xe), (ym, ye, y.sign), sign))
    }

    /// e^(y ln x), where that is not representable.
    fn power_by_logarithm(
        &self,
        (xm, xe): (&UBig, i64),
        (ym, ye, y_sign): (&UBig, i64, Sign),
        sign: Sign,
    ) -> Float {
        let (logarithm, scale, _) = ln_scaled(xm, xe, 16);
        let product_top = top(ym, ye) + logarithm.bit_len() as i64 - scale as i64;
        let product_sign = logarithm.sign() * y_sign;
        if product_top > 42 {
            return match product_sign {
                Sign::Positive => self.overflow(sign),
                Sign::Negative => self.underflow(sign),
            };
        }
        if product_top < -(self.precision as i64 + 4) {
            return Float { sign, ..self.near_one(product_sign * Ordering::Greater) };
        }
        self.ziv(|bits| {
            let scale = bits + 8;
            let wide = scale + product_top.max(0) as usize + 4;
            // As many bits more as y has before the point.
            let ln_bits = wide + product_top.max(0) as usize + 16;
            let (logarithm, ln_scale, _) = ln_scaled(xm, xe, ln_bits);
            let product = logarithm * IBig::from_parts(y_sign, ym.clone());
            let down = ln_scale as i64 - ye - wide as i64;
            let product = match usize::try_from(down) {
                Ok(down) => product >> down,
                Err(_) => product << down.unsigned_abs() as usize,
            };
            exp_of_scaled(&product, wide, scale, sign)
        })
    }

    /// A power whose exponent is an integer of a word, by squaring, if its binary exponent is far
    /// from the ends of the range.
    fn integer_power(
        &self,
        (xm, xe): (&UBig, i64),
        (ym, ye, y_sign): (&UBig, i64, Sign),
        sign: Sign,
    ) -> Option<Float> {
        let count = u32::try_from(ym).ok().filter(|_| (0..16).contains(&ye))?;
        let n = u64::from(count) << ye;
        let top = top(xm, xe).unsigned_abs() + 1;
        if n >= 1 << 20 || top.checked_mul(n)? >= 1 << 28 {
            return None;
        }
        let x = Float { sign: Sign::Positive, precision: 0, magnitude: Finite(xm.clone(), xe) };
        let n_bits = 64 - n.leading_zeros();
        Some(self.ziv(|bits| {
            // Each product is truncated by less than a unit, and a squaring doubles that: fewer than
            // 4 n units in all, and those of the quotient.
            let precision = bits + n_bits as usize + 4;
            let truncated = Context::bits(precision).rounding(Rounding::Zero);
            let x = truncated.round(&x);
            let mut power = x.clone();
            for at in (0..n_bits - 1).rev() {
                power = truncated.mul(&power, &power);
                if n >> at & 1 == 1 {
                    power = truncated.mul(&power, &x);
                }
            }
            if y_sign == Sign::Negative {
                power = truncated.div(&truncated.one(), &power);
            }
            let (mantissa, exponent) = match power.magnitude {
                Finite(mantissa, exponent) => (mantissa, exponent),
                _ => (UBig::ONE, 0),
            };
            // An exact one may have fewer bits.
            let up = precision.saturating_sub(mantissa.bit_len());
            Approximation {
                sign,
                mantissa: mantissa << up,
                exponent: exponent - up as i64,
                error: 8 * n + 8,
            }
        }))
    }

    /// The number just above or below one, rounded.
    pub(crate) fn near_one(&self, side: Ordering) -> Float {
        let bits = self.precision + 4;
        let mut mantissa = UBig::ONE << bits;
        if side == Ordering::Less {
            mantissa -= UBig::ONE;
        }
        self.finish(Sign::Positive, mantissa, -(bits as i64), Sticky::Set)
    }

    /// The power, if it has few bits. All powers that are representable or half-way between two
    /// numbers that are have, so that Ziv's loop ends for the others.
    fn exact_power(
        &self,
        (xm, xe): (&UBig, i64),
        (ym, ye, y_sign): (&UBig, i64, Sign),
        sign: Sign,
    ) -> Option<Float> {
        let zeros = xm.trailing_zeros()?;
        let (mut base, mut exponent) = (xm >> zeros, xe + zeros as i64);
        let zeros = ym.trailing_zeros()?;
        let (mut y, mut y_exponent) = (ym >> zeros, ye + zeros as i64);
        // y is an odd number over 2^k: x must be a square k times.
        while y_exponent < 0 {
            // The square of an odd number is one more than a multiple of eight.
            if exponent % 2 != 0 || base.as_words().first().is_none_or(|low| low % 8 != 1) {
                return None;
            }
            let (root, remainder) = base.sqrt_rem();
            if !remainder.is_zero() {
                return None;
            }
            (base, exponent, y_exponent) = (root, exponent / 2, y_exponent + 1);
            if base.is_one() && exponent == 0 {
                break;
            }
        }
        if base.is_one() {
            return Some(self.power_of_two(exponent, &y, y_exponent, y_sign, sign));
        }
        if y_sign == Sign::Negative {
            // One over an odd number has infinitely many bits.
            return None;
        }
        y <<= usize::try_from(y_exponent).ok().filter(|&up| up < 64)?;
        let n = usize::try_from(&y).ok()?;
        // b bits to the power n are at least n (b - 1) + 1. Up to some more than are representable
        // the exact power takes less time than Ziv's loop.
        let bits = n.checked_mul(base.bit_len() - 1)?;
        if bits > 4 * self.precision {
            return None;
        }
        let power = if n == 2 { base.sqr() } else { base.pow(n) };
        Some(self.finish(sign, power, exponent.checked_mul(n as i64)?, Sticky::Clear))
    }

    /// `2^(exponent * y * 2^y_exponent)`.
    fn power_of_two(
        &self,
        exponent: i64,
        y: &UBig,
        y_exponent: i64,
        y_sign: Sign,
        sign: Sign,
    ) -> Float {
        let most = i64::MAX / 4;
        let times = match y_exponent {
            ..64 => i64::try_from(&(y << y_exponent.max(0) as usize)).unwrap_or(most),
            _ => most,
        };
        let times = if y_sign == Sign::Negative { -times } else { times };
        match exponent.saturating_mul(times).clamp(-most, most) {
            exponent if exponent >= self.range.max => self.overflow(sign),
            exponent if exponent < self.range.min - 4 => self.underflow(sign),
            exponent => self.finish(sign, UBig::ONE, exponent, Sticky::Clear),
        }
    }
}

/// A magnitude as a multiple of 2^-scale, rounded down.
pub(crate) fn scaled(mantissa: &UBig, exponent: i64, scale: usize) -> UBig {
    let up = exponent + scale as i64;
    match usize::try_from(up) {
        Ok(up) => mantissa << up,
        Err(_) => mantissa >> up.unsigned_abs() as usize,
    }
}

/// e^x with a sign, where x is below 2^42 and off by less than two units at the scale `wide`, which
/// is larger than `scale` by more than the bits of x before the point.
fn exp_of_scaled(x: &IBig, wide: usize, scale: usize, sign: Sign) -> Approximation {
    let (x_sign, size) = x.clone().into_parts();
    // x = times ln 2 + rest, with a rest of hardly more than half of ln 2.
    let times = x_sign
        * IBig::from((fixed::to_double(&size, wide) / std::f64::consts::LN_2).round() as i64);
    let rest = x - IBig::from(constants::ln2(wide)) * &times;
    Approximation {
        sign,
        mantissa: fixed::exp(&(rest >> (wide - scale)), scale),
        exponent: i64::try_from(&times).unwrap_or(0) - scale as i64,
        error: 16,
    }
}

/// The natural logarithm of what is not one, with so many good bits: an integer, its scale, and its
/// error in units.
fn ln_scaled(mantissa: &UBig, exponent: i64, bits: usize) -> (IBig, usize, u64) {
    // x = m * 2^e with m between 0.7 and 1.4.
    let mut e = top(mantissa, exponent);
    let mut m_scale = mantissa.bit_len();
    if fixed::to_double(mantissa, m_scale) < 0.7 {
        e -= 1;
        m_scale -= 1;
    }
    let near_one = if e == 0 {
        // The logarithm has as many leading zeros as the distance from one.
        let one = UBig::ONE << m_scale;
        let distance = if *mantissa > one { mantissa - one } else { one - mantissa };
        m_scale + 1 - distance.bit_len().min(m_scale + 1)
    } else {
        0
    };
    let e_bits = 64 - e.unsigned_abs().leading_zeros() as usize;
    let scale = bits + near_one + e_bits + 4;
    let mut logarithm = fixed::ln(&scaled(mantissa, -(m_scale as i64), scale), scale);
    if e != 0 {
        logarithm += IBig::from(constants::ln2(scale)) * e;
    }
    (logarithm, scale, 8 + 2 * e.unsigned_abs())
}

fn is_one(mantissa: &UBig, exponent: i64) -> bool {
    top(mantissa, exponent) == 1 && mantissa.trailing_zeros() == Some(mantissa.bit_len() - 1)
}

/// Whether it is an odd integer.
fn is_odd(number: &Float) -> bool {
    match &number.magnitude {
        Finite(mantissa, exponent) => {
            usize::try_from(-exponent).is_ok_and(|at| mantissa.trailing_zeros() == Some(at))
        }
        _ => false,
    }
}
