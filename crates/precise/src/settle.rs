//! Ziv's loop: functions whose results go on for ever are computed a little further than is asked
//! for, with a bound on the error; if every number within that bound is rounded to the same, that
//! is the answer, and otherwise they are computed further.
//!
//! It ends because the results that it is used for are never representable and never half-way
//! between two that are: whoever calls it has dealt with the arguments for which they are.

use crate::context::Context;
use crate::float::Float;
use dashu_base::BitTest;
use dashu_int::UBig;

/// A number close to the wanted one.
pub(crate) struct Approximation {
    pub negative: bool,
    /// An integer ...
    pub mantissa: UBig,
    /// ... times two to this power.
    pub exponent: i64,
    /// The wanted magnitude is less than so many units of `mantissa` away.
    pub error: u64,
}

impl Context {
    /// The wanted number, rounded. `approximate` is given how many bits should be right.
    pub(crate) fn settle(&self, mut approximate: impl FnMut(usize) -> Approximation) -> Float {
        let mut bits = self.precision + 24;
        loop {
            if let Some(settled) = self.if_settled(&approximate(bits)) {
                return settled;
            }
            bits += bits / 2;
        }
    }

    /// What every number within the error is rounded to, if that is the same for all.
    fn if_settled(&self, near: &Approximation) -> Option<Float> {
        let bits = near.mantissa.bit_len();
        let error_bits = (64 - near.error.leading_zeros()) as usize;
        let top = bits as i64 + near.exponent;
        let drop = bits.checked_sub(self.precision)?;
        if top - 1 > self.range.greatest {
            return Some(self.overflow(near.negative));
        }
        if top >= self.range.least + self.precision as i64 {
            // Between two neighbours, and on one side of the middle: the bits below the middle's
            // are not all the same.
            let mut below = (error_bits..drop.checked_sub(1)?).map(|at| near.mantissa.bit(at));
            let first = below.next()?;
            return below
                .any(|bit| bit != first)
                .then(|| self.finish(near.negative, near.mantissa.clone(), near.exponent, true));
        }
        let error = UBig::from(near.error);
        if near.mantissa <= error {
            return None;
        }
        let low = self.finish(near.negative, &near.mantissa - &error, near.exponent, true);
        let high =
            self.finish(near.negative, &near.mantissa + error - UBig::ONE, near.exponent, true);
        (low.compare(&high) == Some(std::cmp::Ordering::Equal)).then_some(low)
    }
}
