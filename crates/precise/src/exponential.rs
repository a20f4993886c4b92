//! e^x, the natural logarithm, and powers.

use crate::constants;
use crate::context::Context;
use crate::fixed;
use crate::float::{Float, Magnitude};
use crate::root::square_root;
use crate::rounding::Rounding;
use crate::settle::Approximation;
use Magnitude::{Finite, Infinite, Nan, Zero};
use dashu_base::{BitTest, Sign};
use dashu_int::{IBig, UBig};

impl Context {
    /// e to the power x.
    pub fn exp(&self, x: &Float) -> Float {
        match &x.magnitude {
            Nan => Float::NAN,
            Infinite if x.negative => Float::zero(false),
            Infinite => Float::infinity(false),
            Zero => self.one(),
            Finite(mantissa, exponent) => {
                let top = mantissa.bit_len() as i64 + exponent;
                if top > 40 {
                    return if x.negative { self.underflow(false) } else { self.overflow(false) };
                }
                if top < -(self.precision as i64 + 4) {
                    return self.near_one(x.negative);
                }
                if let Some(power) = self.short_exp(mantissa.as_words(), *exponent, x.negative) {
                    return power;
                }
                self.settle(|bits| {
                    let scale = bits + 48;
                    let x = scaled(mantissa, *exponent, x.negative, scale);
                    exp_of_scaled(&x, scale, bits, 1)
                })
            }
        }
    }

    /// The natural logarithm: of zero it is minus infinity, of what is negative not a number.
    pub fn ln(&self, x: &Float) -> Float {
        match &x.magnitude {
            Nan => Float::NAN,
            Zero => Float::infinity(true),
            _ if x.negative => Float::NAN,
            Infinite => Float::infinity(false),
            Finite(mantissa, exponent) => {
                if power_of_two(mantissa, *exponent) == Some(0) {
                    return Float::zero(false);
                }
                if let Some(logarithm) = self.short_ln(mantissa.as_words(), *exponent) {
                    return logarithm;
                }
                self.settle(|bits| {
                    let (logarithm, scale, error) = ln_scaled(mantissa, *exponent, bits);
                    let (sign, mantissa) = logarithm.into_parts();
                    Approximation {
                        negative: sign == Sign::Negative,
                        mantissa,
                        exponent: -(scale as i64),
                        error,
                    }
                })
            }
        }
    }

    /// x to the power y, with the answers of C's `pow` where one of them is zero, infinite or not a
    /// number.
    pub fn pow(&self, x: &Float, y: &Float) -> Float {
        if let Some(power) = self.small_power(x, y) {
            return power;
        }
        let integral = y.is_integral();
        let odd = integral && is_odd(y);
        let (xm, xe) = match (&x.magnitude, &y.magnitude) {
            (_, Zero) => return self.one(),
            (Nan, _) => return Float::NAN,
            (Finite(mantissa, exponent), _)
                if !x.negative && power_of_two(mantissa, *exponent) == Some(0) =>
            {
                return self.one();
            }
            (_, Nan) => return Float::NAN,
            (Zero, _) => {
                let negative = x.negative && odd;
                return if y.negative { Float::infinity(negative) } else { Float::zero(negative) };
            }
            (Infinite, _) => {
                let negative = x.negative && odd;
                return if y.negative { Float::zero(negative) } else { Float::infinity(negative) };
            }
            (Finite(mantissa, exponent), Infinite) => {
                if power_of_two(mantissa, *exponent) == Some(0) {
                    return self.one();
                }
                let above_one = mantissa.bit_len() as i64 + exponent > 0;
                return if above_one == y.negative {
                    Float::zero(false)
                } else {
                    Float::infinity(false)
                };
            }
            (Finite(mantissa, exponent), Finite(..)) => (mantissa, *exponent),
        };
        if x.negative && !integral {
            return Float::NAN;
        }
        let negative = x.negative && odd;
        let Finite(ym, ye) = &y.magnitude else { return Float::NAN };
        if let Some(exact) = self.exact_power(xm, xe, (ym, *ye, y.negative), negative) {
            return exact;
        }
        if let Some(power) = self.integer_power((xm, xe), (ym, *ye, y.negative), negative) {
            return power;
        }
        if let Some(power) =
            self.short_pow((xm.as_words(), xe), (ym.as_words(), *ye, y.negative), negative)
        {
            return power;
        }
        // Past every exponent: |y ln x| is at least 2^(y's top + ln x's top - 2).
        let ln_top = {
            let (logarithm, scale, _) = ln_scaled(xm, xe, 16);
            logarithm.bit_len() as i64 - scale as i64
        };
        let product_top = ym.bit_len() as i64 + ye + ln_top;
        let grows = (ln_negative(xm, xe)) == y.negative;
        if product_top > 42 {
            return if grows { self.overflow(negative) } else { self.underflow(negative) };
        }
        if product_top < -(self.precision as i64 + 4) {
            return Float { negative, ..self.near_one(!grows) };
        }
        self.settle(|bits| {
            let above = product_top.max(0) as usize;
            let (logarithm, scale, error) = ln_scaled(xm, xe, bits + above + 16);
            // The product's scale is that of the logarithm plus y's exponent.
            let product = logarithm
                * IBig::from_parts(
                    if y.negative { Sign::Negative } else { Sign::Positive },
                    ym.clone(),
                );
            let wanted = bits + 16;
            let down = scale as i64 - ye - wanted as i64;
            let scaled = if down >= 0 {
                product >> down as usize
            } else {
                product << down.unsigned_abs() as usize
            };
            // The logarithm has `bits + above + 16` good bits, so the product is as good at this
            // scale.
            Approximation {
                negative,
                ..exp_of_scaled(&scaled, wanted, bits, error.saturating_add(2))
            }
        })
    }

    /// What is most frequent: a finite number to a power of two or a little more, which cannot be
    /// represented.
    fn small_power(&self, x: &Float, y: &Float) -> Option<Float> {
        let (Finite(xm, xe), Finite(ym, ye)) = (&x.magnitude, &y.magnitude) else { return None };
        let &[count] = ym.as_words() else { return None };
        let count = usize::try_from(count)
            .ok()
            .filter(|_| !y.negative && (0..8).contains(ye))?
            .checked_shl(*ye as u32)?;
        if count == 2 {
            return Some(self.mul(x, x));
        }
        // An odd number of b bits has a power of more than (b - 1) n.
        let odd_bits = xm.bit_len() - xm.trailing_zeros()?;
        let top = xm.bit_len() as i64 + xe;
        if !(3..1 << 10).contains(&count)
            || top.unsigned_abs() >= 1 << 18
            || (odd_bits - 1) * count <= self.precision
        {
            return None;
        }
        self.short_integer_power((xm.as_words(), *xe), count as u64, x.negative && count % 2 == 1)
    }

    /// A power whose exponent is a small integer, by squaring: where it is not exact and far from
    /// what a number's exponent can be.
    fn integer_power(
        &self,
        (xm, xe): (&UBig, i64),
        y: (&UBig, i64, bool),
        negative: bool,
    ) -> Option<Float> {
        let count = u32::try_from(y.0).ok().filter(|_| (0..16).contains(&y.1))?;
        let n = u64::from(count) << y.1;
        let top = (xm.bit_len() as i64 + xe).unsigned_abs() + 1;
        if n >= 1 << 20 || top.checked_mul(n)? >= 1 << 28 {
            return None;
        }
        if !y.2
            && let Some(power) = self.short_integer_power((xm.as_words(), xe), n, negative)
        {
            return Some(power);
        }
        let x = Float { negative: false, precision: 0, magnitude: Finite(xm.clone(), xe) };
        let n_bits = 64 - n.leading_zeros();
        Some(self.settle(|bits| {
            // Each product is cut off, by less than one unit; squaring doubles that, so that there
            // are fewer than 4 n units in the end, and the quotient's.
            let precision = bits + n_bits as usize + 4;
            let cut = Context { rounding: Rounding::Zero, ..Context::bits(precision) };
            let mut power = cut.round(&x);
            for at in (0..n_bits - 1).rev() {
                power = cut.mul(&power, &power);
                if n >> at & 1 == 1 {
                    power = cut.mul(&power, &x);
                }
            }
            if y.2 {
                power = cut.div(&cut.one(), &power);
            }
            let (mantissa, exponent) = match power.magnitude {
                Finite(mantissa, exponent) => (mantissa, exponent),
                _ => (UBig::ONE, 0),
            };
            // An exact one may have fewer bits.
            let up = precision.saturating_sub(mantissa.bit_len());
            Approximation {
                negative,
                mantissa: mantissa << up,
                exponent: exponent - up as i64,
                error: 8 * n + 8,
            }
        }))
    }

    fn one(&self) -> Float {
        self.finish(false, UBig::ONE, 0, false)
    }

    /// One and a little more, or a little less.
    fn near_one(&self, less: bool) -> Float {
        let bits = self.precision + 4;
        let mantissa = UBig::ONE << bits;
        self.finish(false, if less { mantissa - UBig::ONE } else { mantissa }, -(bits as i64), true)
    }

    /// The power, if it is a number of few enough bits to be representable or half-way between two
    /// that are. Then it can only be found exactly; all others have more bits than that, and
    /// Ziv's loop ends.
    fn exact_power(
        &self,
        xm: &UBig,
        xe: i64,
        y: (&UBig, i64, bool),
        negative: bool,
    ) -> Option<Float> {
        let (ym, ye, y_negative) = y;
        let zeros = xm.trailing_zeros()?;
        let (mut base, mut exponent) = (xm >> zeros, xe + zeros as i64);
        let y_zeros = ym.trailing_zeros()?;
        let (mut y, mut y_exponent) = (ym >> y_zeros, ye + y_zeros as i64);
        // y is an odd number over 2^k: so often must x be a square.
        while y_exponent < 0 {
            // The square of an odd number is one more than a multiple of eight.
            if exponent % 2 != 0 || base.as_words().first().is_none_or(|low| low % 8 != 1) {
                return None;
            }
            let (root, more) = square_root(&base);
            if more {
                return None;
            }
            (base, exponent, y_exponent) = (root, exponent / 2, y_exponent + 1);
            if base.is_one() && exponent == 0 {
                break;
            }
        }
        if !base.is_one() && y_negative {
            // One over an odd number has infinitely many bits.
            return None;
        }
        let most = i64::MAX / 4;
        if !base.is_one() {
            // b bits to the power n are at least n (b - 1) + 1.
            y <<= usize::try_from(y_exponent).ok().filter(|&up| up < 64)?;
            let n = usize::try_from(&y).ok()?;
            let bits = n.checked_mul(base.bit_len() - 1)?;
            if bits > self.precision + 2 {
                return None;
            }
            let exponent = exponent.checked_mul(n as i64)?;
            return Some(self.finish(negative, base.pow(n), exponent, false));
        }
        // A power of two.
        let times = if y_exponent < 64 {
            i64::try_from(&(y << y_exponent.max(0) as usize)).unwrap_or(most)
        } else {
            most
        };
        let exponent =
            exponent.saturating_mul(if y_negative { -times } else { times }).clamp(-most, most);
        Some(match exponent {
            _ if exponent >= self.range.greatest => self.overflow(negative),
            _ if exponent < self.range.least - 4 => self.underflow(negative),
            _ => self.finish(negative, UBig::ONE, exponent, false),
        })
    }
}

/// A number as an integer that stands for multiples of 2^-scale, rounded down.
fn scaled(mantissa: &UBig, exponent: i64, negative: bool, scale: usize) -> IBig {
    let up = exponent + scale as i64;
    let magnitude =
        if up >= 0 { mantissa << up as usize } else { mantissa >> up.unsigned_abs() as usize };
    IBig::from_parts(if negative { Sign::Negative } else { Sign::Positive }, magnitude)
}

/// e^x, where x is off by less than `error` at its scale, which is at least `bits`; and x is below
/// 2^42.
fn exp_of_scaled(x: &IBig, scale: usize, bits: usize, error: u64) -> Approximation {
    let ln2_first = constants::ln2(64);
    // How many times ln 2 goes into it, to the nearest or nearly so.
    let times = ((x << 1) / (IBig::from(ln2_first << scale >> 64))).to_f64().value() / 2.0;
    let times = times.round();
    let count_bits = 64 - (times.abs() as u64).leading_zeros() as usize;
    let wide = scale + count_bits + 4;
    let rest = (x << (wide - scale)) - IBig::from(constants::ln2(wide)) * IBig::from(times as i64);
    // Below 0.36 in magnitude; e^rest is below 1.5.
    let narrow = bits + 8;
    let (rest, error) = if wide > narrow {
        (rest >> (wide - narrow), (error >> (scale.saturating_sub(narrow)).min(63)) + 1)
    } else {
        (rest, error << (wide - scale))
    };
    let at = narrow.min(wide);
    Approximation {
        negative: false,
        mantissa: fixed::exp(&rest, at),
        exponent: times as i64 - at as i64,
        error: error.saturating_mul(2).saturating_add(8),
    }
}

/// The natural logarithm of what is not one, with so many good bits: an integer, its scale, and by
/// how many units it may be off.
fn ln_scaled(mantissa: &UBig, exponent: i64, bits: usize) -> (IBig, usize, u64) {
    let length = mantissa.bit_len();
    // x = m * 2^e with m between 0.7 and 1.4.
    let mut e = exponent + length as i64;
    let first = u64::try_from(
        &(if length > 8 { mantissa >> (length - 8) } else { mantissa << (8 - length) }),
    )
    .unwrap_or(0);
    let mut length_at = length;
    if first < 180 {
        e -= 1;
        length_at -= 1;
    }
    let near_one = if e == 0 {
        // By how many bits the logarithm is smaller than one.
        let one = UBig::ONE << length_at;
        let distance = if *mantissa > one { mantissa - &one } else { &one - mantissa };
        length_at + 1 - distance.bit_len().min(length_at + 1)
    } else {
        0
    };
    let e_bits = 64 - e.unsigned_abs().leading_zeros() as usize;
    let scale = bits + near_one + e_bits + 4;
    let m = if scale >= length_at {
        mantissa << (scale - length_at)
    } else {
        mantissa >> (length_at - scale)
    };
    let mut logarithm = fixed::ln(&m, scale);
    if e != 0 {
        logarithm += IBig::from(constants::ln2(scale)) * IBig::from(e);
    }
    (logarithm, scale, 8 + 2 * e.unsigned_abs())
}

/// Whether it is below one.
fn ln_negative(mantissa: &UBig, exponent: i64) -> bool {
    mantissa.bit_len() as i64 + exponent <= 0
}

/// The power of two that it is, if it is one.
fn power_of_two(mantissa: &UBig, exponent: i64) -> Option<i64> {
    let zeros = mantissa.trailing_zeros()?;
    (zeros + 1 == mantissa.bit_len()).then_some(zeros as i64 + exponent)
}

/// Whether an integral number is odd.
fn is_odd(number: &Float) -> bool {
    match &number.magnitude {
        Finite(mantissa, exponent) => {
            *exponent <= 0
                && usize::try_from(-exponent).is_ok_and(|at| mantissa.trailing_zeros() == Some(at))
        }
        _ => false,
    }
}
