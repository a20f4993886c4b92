//! Arithmetic of mantissas that fit in a word or two, as those of 53 bits do: nothing is allocated.
//!
//! Each function is a special case of the one in [`arithmetic`](crate::arithmetic) that calls it,
//! and gives no result where that is needed.

use crate::context::Context;
use crate::float::Float;
use crate::rounding::{Cut, Rounding, Sticky};
use crate::word::{dword, of_dword, of_word, word};
use dashu_base::Sign;
use dashu_int::UBig;

impl Context {
    /// As [`Context::finish`].
    #[inline]
    pub(crate) fn finish_dword(
        &self,
        sign: Sign,
        mantissa: u128,
        exponent: i64,
        sticky: Sticky,
    ) -> Float {
        let bits = 128 - i64::from(mantissa.leading_zeros());
        let precision = self.precision as i64;
        let top = bits + exponent;
        let is_inside = top >= self.range.min + precision && top < self.range.max;
        let count = bits - precision;
        if !is_inside || mantissa == 0 || (sticky == Sticky::Set && count < 2) {
            return self.finish(sign, UBig::from(mantissa), exponent, sticky);
        }
        if count <= 0 {
            return self.float(sign, of_rounded(mantissa), exponent);
        }
        let kept = if count < 128 { mantissa >> count } else { 0 };
        let cut = Cut {
            odd: kept & 1 == 1,
            half: mantissa >> (count - 1) & 1 == 1,
            rest: sticky == Sticky::Set || mantissa & ((1 << (count - 1)) - 1) != 0,
        };
        let rounded = kept + u128::from(self.rounding.increments(sign, cut));
        self.float(sign, of_rounded(rounded), exponent + count)
    }

    /// The sum of two numbers that are not zero, if both fit in two words under one exponent.
    #[inline]
    pub(crate) fn dword_sum(&self, a: Term<'_>, b: Term<'_>) -> Option<Float> {
        let low = a.exponent.min(b.exponent);
        let placed = |number: Term<'_>| {
            let mantissa = dword(number.mantissa)?;
            let up = number.exponent - low;
            (up < i64::from(mantissa.leading_zeros())).then(|| mantissa << up)
        };
        let (x, y) = (placed(a)?, placed(b)?);
        let (sign, sum) = match (a.sign == b.sign, x >= y) {
            // One bit is free in each.
            (true, _) => (a.sign, x + y),
            (false, true) => (a.sign, x - y),
            (false, false) => (b.sign, y - x),
        };
        Some(match sum {
            0 => Float::zero(Sign::from(self.rounding == Rounding::Down)),
            _ => self.finish_dword(sign, sum, low, Sticky::Clear),
        })
    }

    /// The product of two mantissas of a word.
    #[inline]
    pub(crate) fn dword_product(
        &self,
        sign: Sign,
        a: &UBig,
        b: &UBig,
        exponent: i64,
    ) -> Option<Float> {
        let (a, b) = (word(a)?, word(b)?);
        let product = u128::from(a) * u128::from(b);
        Some(self.finish_dword(sign, product, exponent, Sticky::Clear))
    }

    /// The quotient of two mantissas of a word.
    #[inline]
    pub(crate) fn dword_quotient(
        &self,
        sign: Sign,
        a: &UBig,
        b: &UBig,
        exponent: i64,
    ) -> Option<Float> {
        let (a, b) = (word(a)?, word(b)?);
        if self.precision > 61 {
            return None;
        }
        // The quotient is between 2^62 and 2^64.
        let (a_up, b_up) = (a.leading_zeros(), b.leading_zeros());
        let (dividend, divisor) = (u128::from(a << a_up) << 63, u128::from(b << b_up));
        let quotient = dividend / divisor;
        let sticky = if quotient * divisor == dividend { Sticky::Clear } else { Sticky::Set };
        let exponent = exponent - i64::from(a_up) + i64::from(b_up) - 63;
        Some(self.finish_dword(sign, quotient, exponent, sticky))
    }

    /// The square root of a mantissa of a word.
    #[inline]
    pub(crate) fn dword_sqrt(&self, mantissa: &UBig, exponent: i64) -> Option<Float> {
        let word = word(mantissa)?;
        if self.precision > 61 {
            return None;
        }
        // As far up as leaves an even exponent.
        let up = 64 + i64::from(word.leading_zeros());
        let up = up - (exponent - up).rem_euclid(2);
        let square = u128::from(word) << up;
        let root = square.isqrt();
        let sticky = if root * root == square { Sticky::Clear } else { Sticky::Set };
        Some(self.finish_dword(Sign::Positive, root, (exponent - up) / 2, sticky))
    }
}

/// A term of a sum, finite and not zero.
#[derive(Clone, Copy)]
pub(crate) struct Term<'a> {
    pub sign: Sign,
    pub mantissa: &'a UBig,
    pub exponent: i64,
}

/// An integer that is most often of one word.
#[inline]
fn of_rounded(integer: u128) -> UBig {
    match u64::try_from(integer) {
        Ok(word) => of_word(word),
        Err(_) => of_dword(integer),
    }
}
