//! Addition, subtraction, multiplication, division, remainder and square root: computed exactly, or
//! so far that the rest only has to be known not to be zero, and rounded once.

use crate::context::Context;
use crate::dword::Term;
use crate::float::{Float, Magnitude, top};
use crate::rounding::{Rounding, Sticky};
use Magnitude::{Finite, Infinite, Nan, Zero};
use dashu_base::{BitTest, DivRem, Sign, SquareRootRem};
use dashu_int::UBig;
use std::cmp::Ordering;

impl Context {
    /// a + b.
    pub fn add(&self, a: &Float, b: &Float) -> Float {
        self.sum(a, b, b.sign)
    }

    /// a - b.
    pub fn sub(&self, a: &Float, b: &Float) -> Float {
        self.sum(a, b, -b.sign)
    }

    /// a + b, where b has another sign than its own.
    fn sum(&self, a: &Float, b: &Float, b_sign: Sign) -> Float {
        match (&a.magnitude, &b.magnitude) {
            (Nan, _) | (_, Nan) => Float::NAN,
            (Infinite, Infinite) if a.sign != b_sign => Float::NAN,
            (Infinite, _) => a.clone(),
            (_, Infinite) => Float::infinity(b_sign),
            (Zero, Zero) if a.sign == b_sign => Float::zero(a.sign),
            (Zero, Zero) => self.cancelled(),
            (Zero, Finite(mantissa, exponent)) => {
                self.finish(b_sign, mantissa.clone(), *exponent, Sticky::Clear)
            }
            (Finite(mantissa, exponent), Zero) => {
                self.finish(a.sign, mantissa.clone(), *exponent, Sticky::Clear)
            }
            (Finite(a_mantissa, a_exponent), Finite(b_mantissa, b_exponent)) => {
                let a = Term { sign: a.sign, mantissa: a_mantissa, exponent: *a_exponent };
                let b = Term { sign: b_sign, mantissa: b_mantissa, exponent: *b_exponent };
                self.dword_sum(a, b).unwrap_or_else(|| {
                    if top(a.mantissa, a.exponent) >= top(b.mantissa, b.exponent) {
                        self.long_sum(a, b)
                    } else {
                        self.long_sum(b, a)
                    }
                })
            }
        }
    }

    /// The zero that x - x is.
    fn cancelled(&self) -> Float {
        Float::zero(Sign::from(self.rounding == Rounding::Down))
    }

    /// The sum, where the top of b is not above that of a.
    fn long_sum(&self, a: Term<'_>, b: Term<'_>) -> Float {
        // If b lies below the last place of a and of the result, it only makes the sum inexact.
        let last = a.exponent.min(top(a.mantissa, a.exponent) - self.precision as i64 - 3);
        if top(b.mantissa, b.exponent) < last {
            let mut mantissa = a.mantissa << (a.exponent - last) as usize;
            if a.sign != b.sign {
                mantissa -= UBig::ONE;
            }
            return self.finish(a.sign, mantissa, last, Sticky::Set);
        }
        let exponent = a.exponent.min(b.exponent);
        let (x, y) = if a.exponent == exponent {
            let up = (b.exponent - exponent) as usize;
            if a.sign == b.sign {
                let sum = (b.mantissa << up) + a.mantissa;
                return self.finish(a.sign, sum, exponent, Sticky::Clear);
            }
            (a.mantissa.clone(), b.mantissa << up)
        } else {
            let up = (a.exponent - exponent) as usize;
            if a.sign == b.sign {
                let sum = (a.mantissa << up) + b.mantissa;
                return self.finish(a.sign, sum, exponent, Sticky::Clear);
            }
            (a.mantissa << up, b.mantissa.clone())
        };
        match x.cmp(&y) {
            Ordering::Equal => self.cancelled(),
            Ordering::Greater => self.finish(a.sign, x - y, exponent, Sticky::Clear),
            Ordering::Less => self.finish(b.sign, y - x, exponent, Sticky::Clear),
        }
    }

    /// a * b.
    pub fn mul(&self, a: &Float, b: &Float) -> Float {
        let sign = a.sign * b.sign;
        match (&a.magnitude, &b.magnitude) {
            (Nan, _) | (_, Nan) => Float::NAN,
            (Infinite, Zero) | (Zero, Infinite) => Float::NAN,
            (Infinite, _) | (_, Infinite) => Float::infinity(sign),
            (Zero, _) | (_, Zero) => Float::zero(sign),
            (Finite(x, x_exponent), Finite(y, y_exponent)) => {
                let exponent = x_exponent + y_exponent;
                self.dword_product(sign, x, y, exponent)
                    .unwrap_or_else(|| self.finish(sign, product(x, y), exponent, Sticky::Clear))
            }
        }
    }

    /// a / b: by zero an infinity, or not a number.
    pub fn div(&self, a: &Float, b: &Float) -> Float {
        let sign = a.sign * b.sign;
        match (&a.magnitude, &b.magnitude) {
            (Nan, _) | (_, Nan) => Float::NAN,
            // MPFR leaves this NaN the sign of the quotient.
            (Infinite, Infinite) | (Zero, Zero) => Float { sign, ..Float::NAN },
            (Infinite, _) | (_, Zero) => Float::infinity(sign),
            (Zero, _) | (_, Infinite) => Float::zero(sign),
            (Finite(x, x_exponent), Finite(y, y_exponent)) => {
                let exponent = x_exponent - y_exponent;
                self.dword_quotient(sign, x, y, exponent)
                    .unwrap_or_else(|| self.quotient(sign, x, y, exponent))
            }
        }
    }

    /// `a / b * 2^exponent`, rounded.
    pub(crate) fn quotient(&self, sign: Sign, a: &UBig, b: &UBig, exponent: i64) -> Float {
        let up = (self.precision + 2 + b.bit_len()).saturating_sub(a.bit_len());
        let (quotient, remainder) = (a << up).div_rem(b);
        self.finish(sign, quotient, exponent - up as i64, Sticky::of(&remainder))
    }

    /// What is left of a after subtracting b as often as possible, with the sign of a.
    pub fn rem(&self, a: &Float, b: &Float) -> Float {
        match (&a.magnitude, &b.magnitude) {
            (Nan, _) | (_, Nan) => Float::NAN,
            (Infinite, _) | (_, Zero) => Float::NAN,
            (Zero, _) => a.clone(),
            (_, Infinite) => self.round(a),
            (Finite(x, x_exponent), Finite(y, y_exponent)) => {
                let (rest, exponent) = if x_exponent >= y_exponent {
                    (shifted_modulo(x, (x_exponent - y_exponent) as u64, y), *y_exponent)
                } else if y_exponent - x_exponent > x.bit_len() as i64 {
                    (x.clone(), *x_exponent)
                } else {
                    (x % (y << (y_exponent - x_exponent) as usize), *x_exponent)
                };
                self.finish(a.sign, rest, exponent, Sticky::Clear)
            }
        }
    }

    /// The square root; of what is negative, not a number.
    pub fn sqrt(&self, a: &Float) -> Float {
        match &a.magnitude {
            Nan => Float::NAN,
            Zero => a.clone(),
            _ if a.is_negative() => Float::NAN,
            Infinite => a.clone(),
            Finite(mantissa, exponent) => {
                if let Some(root) = self.dword_sqrt(mantissa, *exponent) {
                    return root;
                }
                let mut up = (2 * (self.precision + 2)).saturating_sub(mantissa.bit_len());
                // The exponent is halved.
                up += (exponent - up as i64).rem_euclid(2) as usize;
                let (root, remainder) = (mantissa << up).sqrt_rem();
                let exponent = (exponent - up as i64) / 2;
                self.finish(Sign::Positive, root, exponent, Sticky::of(&remainder))
            }
        }
    }
}

/// The product; of a number with itself in less time.
pub(crate) fn product(a: &UBig, b: &UBig) -> UBig {
    if std::ptr::eq(a, b) { a.sqr() } else { a * b }
}

/// `a * 2^count mod b`. The exponent of a float may be 2^30: a shift that long is made by squaring.
fn shifted_modulo(a: &UBig, count: u64, b: &UBig) -> UBig {
    if count < 4096 {
        return (a << count as usize) % b;
    }
    let (mut power, mut base, mut left) = (UBig::ONE % b, UBig::from(2u8) % b, count);
    while left > 0 {
        if left & 1 == 1 {
            power = power * &base % b;
        }
        base = base.sqr() % b;
        left >>= 1;
    }
    power * a % b
}
