//! Addition, subtraction, multiplication, division, remainder and square root of floating-point
//! numbers: each computed exactly, or so far that what is left over is known not to be zero, and
//! rounded once.

use crate::context::Context;
use crate::float::{Float, Magnitude};
use crate::product::product;
use crate::quotient::divide;
use crate::root::square_root;
use crate::rounding::Rounding;
use Magnitude::{Finite, Infinite, Nan, Zero};
use dashu_base::BitTest;
use dashu_int::UBig;

impl Context {
    /// a + b.
    pub fn add(&self, a: &Float, b: &Float) -> Float {
        self.sum(a, b, b.negative)
    }

    /// a - b.
    pub fn sub(&self, a: &Float, b: &Float) -> Float {
        self.sum(a, b, !b.negative)
    }

    /// a + b, where b has the sign that is given.
    fn sum(&self, a: &Float, b: &Float, b_negative: bool) -> Float {
        match (&a.magnitude, &b.magnitude) {
            (Nan, _) | (_, Nan) => Float::NAN,
            (Infinite, Infinite) if a.negative != b_negative => Float::NAN,
            (Infinite, _) => a.clone(),
            (_, Infinite) => Float::infinity(b_negative),
            (Zero, Zero) => Float::zero(match a.negative == b_negative {
                true => a.negative,
                false => self.rounding == Rounding::Down,
            }),
            (Zero, Finite(mantissa, exponent)) => {
                self.finish(b_negative, mantissa.clone(), *exponent, false)
            }
            (Finite(mantissa, exponent), Zero) => {
                self.finish(a.negative, mantissa.clone(), *exponent, false)
            }
            (Finite(am, ae), Finite(bm, be)) => {
                if let Some(sum) = self
                    .short_sum((am.as_words(), *ae, a.negative), (bm.as_words(), *be, b_negative))
                {
                    sum
                } else if am.bit_len() as i64 + ae >= bm.bit_len() as i64 + be {
                    self.sum_of_finite((am, *ae, a.negative), (bm, *be, b_negative))
                } else {
                    self.sum_of_finite((bm, *be, b_negative), (am, *ae, a.negative))
                }
            }
        }
    }

    /// The sum, where the top of the second is not above that of the first.
    fn sum_of_finite(
        &self,
        (am, ae, a_negative): Signed<'_>,
        (bm, be, b_negative): Signed<'_>,
    ) -> Float {
        let b_top = bm.bit_len() as i64 + be;
        // All of b lies below a's last bit and below the last place of the result: only that it is
        // there matters.
        let last = ae.min(am.bit_len() as i64 + ae - self.precision as i64 - 3);
        if b_top < last {
            let mantissa = am << (ae - last) as usize;
            return if a_negative == b_negative {
                self.finish(a_negative, mantissa, last, true)
            } else {
                self.finish(a_negative, mantissa - UBig::ONE, last, true)
            };
        }
        let exponent = ae.min(be);
        let aligned = |mantissa: &UBig, own: i64| mantissa << (own - exponent) as usize;
        if a_negative == b_negative {
            let sum = match (ae == exponent, be == exponent) {
                (true, true) => am + bm,
                (true, _) => am + aligned(bm, be),
                _ => aligned(am, ae) + bm,
            };
            return self.finish(a_negative, sum, exponent, false);
        }
        let (a, b) = (aligned(am, ae), aligned(bm, be));
        match a.cmp(&b) {
            std::cmp::Ordering::Equal => Float::zero(self.rounding == Rounding::Down),
            std::cmp::Ordering::Greater => self.finish(a_negative, a - b, exponent, false),
            std::cmp::Ordering::Less => self.finish(b_negative, b - a, exponent, false),
        }
    }

    /// a * b.
    pub fn mul(&self, a: &Float, b: &Float) -> Float {
        let negative = a.negative != b.negative;
        match (&a.magnitude, &b.magnitude) {
            (Nan, _) | (_, Nan) => Float::NAN,
            (Infinite, Zero) | (Zero, Infinite) => Float::NAN,
            (Infinite, _) | (_, Infinite) => Float::infinity(negative),
            (Zero, _) | (_, Zero) => Float::zero(negative),
            (Finite(am, ae), Finite(bm, be)) => self
                .short_product(negative, am.as_words(), bm.as_words(), ae + be)
                .or_else(|| self.long_product(negative, am.as_words(), bm.as_words(), ae + be))
                .unwrap_or_else(|| self.finish(negative, product(am, bm), ae + be, false)),
        }
    }

    /// a / b; by zero it is an infinity, or not a number.
    pub fn div(&self, a: &Float, b: &Float) -> Float {
        let negative = a.negative != b.negative;
        match (&a.magnitude, &b.magnitude) {
            (Nan, _) | (_, Nan) => Float::NAN,
            // The sign of the quotient that there is not: so MPFR leaves it.
            (Infinite, Infinite) | (Zero, Zero) => Float { negative, ..Float::NAN },
            (Infinite, _) | (_, Zero) => Float::infinity(negative),
            (Zero, _) | (_, Infinite) => Float::zero(negative),
            (Finite(am, ae), Finite(bm, be)) => {
                if let Some(quotient) =
                    self.short_quotient(negative, am.as_words(), bm.as_words(), ae - be)
                {
                    return quotient;
                }
                if let Some(quotient) =
                    self.long_quotient(negative, am.as_words(), bm.as_words(), ae - be)
                {
                    return quotient;
                }
                let wanted = (self.precision + 2 + bm.bit_len()).saturating_sub(am.bit_len());
                let (quotient, remainder) = divide(&(am << wanted), bm);
                self.finish(negative, quotient, ae - be - wanted as i64, !remainder.is_zero())
            }
        }
    }

    /// What is left of a after subtracting b as often as it goes, with the sign of a.
    pub fn rem(&self, a: &Float, b: &Float) -> Float {
        match (&a.magnitude, &b.magnitude) {
            (Nan, _) | (_, Nan) => Float::NAN,
            (Infinite, _) | (_, Zero) => Float::NAN,
            (Zero, _) => a.clone(),
            (_, Infinite) => self.round(a),
            (Finite(am, ae), Finite(bm, be)) => {
                let (rest, exponent) = if ae >= be {
                    // 2^(ae-be) by repeated squaring modulo b: the shift may be a thousand million
                    // bits long.
                    (power_of_two_times(am, (ae - be) as u64, bm), *be)
                } else if be - ae > am.bit_len() as i64 {
                    (am.clone(), *ae)
                } else {
                    (am % (bm << (be - ae) as usize), *ae)
                };
                self.finish(a.negative, rest, exponent, false)
            }
        }
    }

    /// The square root; of what is negative, not a number.
    pub fn sqrt(&self, a: &Float) -> Float {
        match &a.magnitude {
            Nan => Float::NAN,
            Zero => a.clone(),
            _ if a.negative => Float::NAN,
            Infinite => a.clone(),
            Finite(mantissa, exponent) => {
                if let Some(root) = self.short_sqrt(mantissa.as_words(), *exponent) {
                    return root;
                }
                if let Some(root) = self.long_sqrt(mantissa.as_words(), *exponent) {
                    return root;
                }
                let mut up = (2 * (self.precision + 2)).saturating_sub(mantissa.bit_len());
                // An even exponent.
                up += (exponent - up as i64).rem_euclid(2) as usize;
                let (root, more) = square_root(&(mantissa << up));
                self.finish(false, root, (exponent - up as i64) / 2, more)
            }
        }
    }
}

/// Mantissa, exponent, and whether it is negative.
type Signed<'a> = (&'a UBig, i64, bool);

/// `a * 2^n mod b`.
fn power_of_two_times(a: &UBig, n: u64, b: &UBig) -> UBig {
    if n < 4096 {
        return (a << n as usize) % b;
    }
    let (mut power, mut base, mut left) = (UBig::ONE % b, UBig::from(2u8) % b, n);
    while left > 0 {
        if left & 1 == 1 {
            power = power * &base % b;
        }
        base = &base * &base % b;
        left >>= 1;
    }
    power * a % b
}
