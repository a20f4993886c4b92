//! Ziv's loop: a function is computed to some bits more than the precision, with a bound on the
//! error; if all numbers within the bound are rounded to the same, that is the result, and if not,
//! it is computed to more bits.
//!
//! The loop ends if the exact result is neither representable nor half-way between two numbers that
//! are. Callers handle the arguments for which it is.

use crate::context::Context;
use crate::float::{Float, top};
use crate::rounding::Sticky;
use dashu_base::{BitTest, Sign};
use dashu_int::UBig;
use std::cmp::Ordering;

/// A number close to the exact result.
pub(crate) struct Approximation {
    pub sign: Sign,
    /// The magnitude is this ...
    pub mantissa: UBig,
    /// ... times two to this power ...
    pub exponent: i64,
    /// ... and the exact one is less than so many units of the mantissa away.
    pub error: u64,
}

impl Context {
    /// The exact result, rounded. `approximate` is given how many bits should be right.
    pub(crate) fn ziv(&self, mut approximate: impl FnMut(usize) -> Approximation) -> Float {
        let mut bits = self.precision + 24;
        loop {
            if let Some(result) = self.decided(approximate(bits)) {
                return result;
            }
            bits += bits / 2;
        }
    }

    /// What every number within the error is rounded to, if that is the same for all.
    fn decided(&self, near: Approximation) -> Option<Float> {
        let Approximation { sign, mantissa, exponent, error } = near;
        let top = top(&mantissa, exponent);
        if top - 1 > self.range.max {
            return Some(self.overflow(sign));
        }
        if top >= self.range.min + self.precision as i64 {
            // The interval holds no representable number and no middle between two if the bits
            // between the error and the last place are neither all zeros nor all ones.
            let error_bits = (u64::BITS - error.leading_zeros()) as usize;
            let cut = mantissa.bit_len().checked_sub(self.precision)?;
            let mut below = (error_bits..cut.checked_sub(1)?).map(|at| mantissa.bit(at));
            let first = below.next()?;
            return below
                .any(|bit| bit != first)
                .then(|| self.finish(sign, mantissa, exponent, Sticky::Set));
        }
        // Near the smallest number the place of rounding is not the precision's.
        let error = UBig::from(error);
        if mantissa <= error {
            return None;
        }
        let low = self.finish(sign, &mantissa - &error, exponent, Sticky::Set);
        let high = self.finish(sign, mantissa + error - UBig::ONE, exponent, Sticky::Set);
        (low.compare(&high) == Some(Ordering::Equal)).then_some(low)
    }
}
