//! Results of a few words, computed and rounded where they are: no allocation but that of the
//! result, and none at all up to 128 bits.
//!
//! The fast ways of [`Context`]'s arithmetic. One word each is the common case, since a program
//! that says nothing has 53 bits.

use crate::context::Context;
use crate::float::{Float, Magnitude};
use crate::fraction;
use crate::root;
use crate::rounding::Rounding;
use crate::words::{self, MOST};
use dashu_int::UBig;

/// From so many words on the upper half of a product is computed first, which nearly always says
/// how it is rounded.
const UPPER_FROM: usize = 6;

/// From so many words of the divisor on as much is done for quotients.
const SHORT_DIVISION_FROM: usize = 5;

/// A magnitude's words, its exponent, and whether it is negative.
pub(crate) type Signed<'a> = (&'a [u64], i64, bool);

impl Context {
    /// Rounds as [`Context::finish`] does.
    #[inline]
    pub(crate) fn finish_two(
        &self,
        negative: bool,
        mantissa: u128,
        exponent: i64,
        more: bool,
    ) -> Float {
        let bits = 128 - i64::from(mantissa.leading_zeros());
        let precision = self.precision as i64;
        let top = bits + exponent;
        let is_inside = top >= self.range.least + precision && top < self.range.greatest;
        let drop = bits - precision;
        if !is_inside || mantissa == 0 || (more && drop < 2) {
            return self.finish(negative, UBig::from(mantissa), exponent, more);
        }
        if drop <= 0 {
            return self.float(negative, mantissa, exponent);
        }
        let half = mantissa >> (drop - 1) & 1 == 1;
        let rest = more || mantissa & ((1 << (drop - 1)) - 1) != 0;
        let kept = if drop < 128 { mantissa >> drop } else { 0 };
        let grown = kept + u128::from(self.rounding.grows(negative, kept & 1 == 1, half, rest));
        self.float(negative, grown, exponent + drop)
    }

    #[inline]
    fn float(&self, negative: bool, mantissa: u128, exponent: i64) -> Float {
        let magnitude = match u64::try_from(mantissa) {
            Ok(word) => UBig::from_word(word),
            Err(_) => UBig::from_dword(mantissa),
        };
        Float {
            negative,
            precision: self.precision as u32,
            magnitude: Magnitude::Finite(magnitude, exponent),
        }
    }

    /// Rounds as [`Context::finish`] does; the words are worked on.
    pub(crate) fn finish_words(
        &self,
        negative: bool,
        words: &mut [u64],
        exponent: i64,
        more: bool,
    ) -> Float {
        let used = words::significant(words).len();
        let bits =
            used as i64 * 64 - words[..used].last().map_or(0, |top| i64::from(top.leading_zeros()));
        let precision = self.precision as i64;
        let top = bits + exponent;
        let is_inside = top >= self.range.least + precision && top < self.range.greatest;
        let drop = bits - precision;
        if !is_inside || used == 0 || (more && drop < 2) {
            return self.finish(negative, UBig::from_words(&words[..used]), exponent, more);
        }
        let mut words = &mut words[..used];
        let mut exponent = exponent;
        if drop > 0 {
            let drop = drop as usize;
            let half = words::bit(words, drop - 1);
            let rest = more || words::any_below(words, drop - 1);
            words::shift_down(words, drop);
            // No zeros above: room is made for what is there, once.
            words = &mut words[..self.precision.div_ceil(64)];
            exponent += drop as i64;
            if self.rounding.grows(negative, words[0] & 1 == 1, half, rest)
                && words::add_word(words, 1) == 1
            {
                // All were ones, and filled their words.
                return self.finish(negative, UBig::ONE, exponent + precision, false);
            }
        }
        let magnitude = Magnitude::Finite(UBig::from_words(words), exponent);
        Float { negative, precision: self.precision as u32, magnitude }
    }

    /// The sum of two that are not zero, if they are short and not far apart.
    #[inline]
    pub(crate) fn short_sum(&self, a: Signed<'_>, b: Signed<'_>) -> Option<Float> {
        if let ([am], [bm]) = (a.0, b.0)
            && self.precision <= 64
        {
            return Some(self.sum_of_words((*am, a.1, a.2), (*bm, b.1, b.2)));
        }
        let low = a.1.min(b.1);
        let top = (words::bit_len(a.0) as i64 + a.1).max(words::bit_len(b.0) as i64 + b.1);
        match top - low {
            ..127 => {
                let placed = |(words, exponent, _): Signed<'_>| two(words) << (exponent - low);
                let (x, y) = (placed(a), placed(b));
                let (negative, sum) = match (a.2 == b.2, x >= y) {
                    (true, _) => (a.2, x + y),
                    (false, true) => (a.2, x - y),
                    (false, false) => (b.2, y - x),
                };
                Some(match sum {
                    0 => Float::zero(self.rounding == Rounding::Down),
                    _ => self.finish_two(negative, sum, low, false),
                })
            }
            127..319 => self.sum_in::<6>(a, b, low),
            319..1215 => self.sum_in::<20>(a, b, low),
            1215..2431 => self.sum_in::<MOST>(a, b, low),
            _ => None,
        }
    }

    /// The sum in so many words.
    fn sum_in<const WORDS: usize>(&self, a: Signed<'_>, b: Signed<'_>, low: i64) -> Option<Float> {
        let mut sum = [0; WORDS];
        // As many words as the longer one reaches, and one for what is carried.
        let words_of =
            |(words, exponent, _): Signed<'_>| words.len() + (exponent - low) as usize / 64;
        let len = words_of(a).max(words_of(b)) + 1;
        let sum = sum.get_mut(..len)?;
        words::place(sum, a.0, (a.1 - low) as usize);
        let by = (b.1 - low) as usize;
        let mut negative = a.2;
        if a.2 == b.2 {
            words::add_placed(sum, b.0, by);
        } else if words::sub_placed(sum, b.0, by) {
            negative = b.2;
            words::negate(sum);
        }
        if words::significant(sum).is_empty() {
            return Some(Float::zero(self.rounding == Rounding::Down));
        }
        Some(self.finish_words(negative, sum, low, false))
    }

    /// The sum of two of a word each, rounded to no more than that.
    #[inline]
    fn sum_of_words(&self, a: (u64, i64, bool), b: (u64, i64, bool)) -> Float {
        let (high, low) = if a.1 >= b.1 { (a, b) } else { (b, a) };
        let apart = (high.1 - low.1) as u64;
        // The one with the higher exponent is moved up to meet the other, or as far as there is
        // room.
        let by = apart.min(63 + u64::from(high.0.leading_zeros()));
        let aligned = u128::from(high.0) << by;
        let mut exponent = high.1 - by as i64;
        let down = apart - by;
        let (other, more) = match down {
            0 => (low.0, false),
            1..64 => (low.0 >> down, low.0 & ((1 << down) - 1) != 0),
            _ => (0, true),
        };
        // With something cut off, the first one has 127 bits, and the result at least 125.
        if high.2 == low.2 {
            return self.finish_two(high.2, aligned + u128::from(other), exponent, more);
        }
        let taken = u128::from(other) + u128::from(more);
        let (negative, difference) = match aligned >= taken {
            true => (high.2, aligned - taken),
            false => (low.2, taken - aligned),
        };
        if difference == 0 {
            return Float::zero(self.rounding == Rounding::Down);
        }
        if down == 0 {
            exponent = low.1;
        }
        self.finish_two(negative, difference, exponent, more)
    }

    /// The product of two that are not zero, if they are short.
    #[inline]
    pub(crate) fn short_product(
        &self,
        negative: bool,
        a: &[u64],
        b: &[u64],
        exponent: i64,
    ) -> Option<Float> {
        if let ([a], [b]) = (a, b) {
            return Some(self.finish_two(
                negative,
                u128::from(*a) * u128::from(*b),
                exponent,
                false,
            ));
        }
        let len = a.len() + b.len();
        match len {
            4 => match (a, b) {
                ([a0, a1], [b0, b1]) => {
                    let mut product = words::mul_two([*a0, *a1], [*b0, *b1]);
                    Some(self.finish_words(negative, &mut product, exponent, false))
                }
                _ => Some(self.product_in::<4>(negative, a, b, exponent)),
            },
            0..=3 => Some(self.product_in::<4>(negative, a, b, exponent)),
            5..=12 => Some(self.product_in::<12>(negative, a, b, exponent)),
            13..=MOST => Some(self.product_in::<MOST>(negative, a, b, exponent)),
            _ => None,
        }
    }

    /// The product in so many words.
    fn product_in<const WORDS: usize>(
        &self,
        negative: bool,
        a: &[u64],
        b: &[u64],
        exponent: i64,
    ) -> Float {
        let len = a.len();
        if let (word, [only]) | ([only], word) = (a, b) {
            let mut product = [0; WORDS];
            product[..word.len()].copy_from_slice(word);
            let product = &mut product[..=word.len()];
            words::mul_word(product, *only);
            return self.finish_words(negative, product, exponent, false);
        }
        if len >= UPPER_FROM && b.len() == len {
            let mut upper = [0; MOST / 2 + 2];
            match std::ptr::eq(a, b) {
                true => fraction::upper_square(&mut upper, a),
                false => fraction::upper_product(&mut upper, a, b),
            }
            // What was left out is below a word and a few bits more.
            let below = exponent + 64 * (len as i64 - 2);
            if let Some(product) =
                self.if_settled_words(negative, &mut upper[..len + 2], below, 64 + 8)
            {
                return product;
            }
        }
        let mut product = [0; WORDS];
        let product = &mut product[..a.len() + b.len()];
        match std::ptr::eq(a, b) {
            true => words::sqr(product, a),
            false => words::mul(product, a, b),
        }
        self.finish_words(negative, product, exponent, false)
    }

    /// The quotient of two that are not zero, if they are short; `exponent` is the difference of
    /// theirs.
    #[inline]
    pub(crate) fn short_quotient(
        &self,
        negative: bool,
        a: &[u64],
        b: &[u64],
        exponent: i64,
    ) -> Option<Float> {
        if let ([a], [b]) = (a, b)
            && self.precision <= 61
        {
            let (a_up, b_up) = (a.leading_zeros(), b.leading_zeros());
            let (dividend, divisor) = (a << a_up, b << b_up);
            // A quotient of 64 bits: half the dividend is below the divisor.
            let (dividend_high, dividend_low) = (dividend >> 1, dividend << 63);
            let (quotient, rest) = divide_once(dividend_high, dividend_low, divisor);
            let exponent = exponent - i64::from(a_up) + i64::from(b_up) - 63;
            return Some(self.finish_two(negative, u128::from(quotient), exponent, rest != 0));
        }
        // Both fill their words, so that a quotient of so many words has all their bits, or one
        // more.
        let wanted = (self.precision + 2).div_ceil(64);
        if b.len() >= SHORT_DIVISION_FROM && wanted + 1 < MOST / 2 {
            let wanted = (self.precision + 2 + 16).div_ceil(64);
            if let Some(quotient) = self.quotient_of_upper(negative, a, b, exponent, wanted) {
                return Some(quotient);
            }
        }
        let all = a.len().max(b.len() + wanted);
        match all {
            ..=4 => Some(self.quotient_in::<5>(negative, a, b, exponent, all)),
            5..=11 => Some(self.quotient_in::<12>(negative, a, b, exponent, all)),
            12..MOST => Some(self.quotient_in::<MOST>(negative, a, b, exponent, all)),
            _ => None,
        }
    }

    /// The quotient of a dividend of so many words, in an array of one word more.
    fn quotient_in<const WORDS: usize>(
        &self,
        negative: bool,
        a: &[u64],
        b: &[u64],
        exponent: i64,
        all: usize,
    ) -> Float {
        let (a_up, b_up) = (leading_zeros(a), leading_zeros(b));
        let a_up = a_up + 64 * (all - a.len());
        let (mut divisor, mut dividend, mut quotient) = ([0; WORDS], [0; WORDS], [0; WORDS]);
        let (divisor, dividend) = (&mut divisor[..b.len()], &mut dividend[..all]);
        words::place(divisor, b, b_up);
        words::place(dividend, a, a_up);
        let len = all - b.len();
        quotient[len] = words::divide(&mut quotient[..len], dividend, divisor);
        let more = dividend[..b.len()].iter().any(|&word| word != 0);
        self.finish_words(
            negative,
            &mut quotient[..=len],
            exponent - a_up as i64 + b_up as i64,
            more,
        )
    }

    /// The quotient of so many words, rounded, if that can be told from the upper parts of what is
    /// left over at each step: half the work. It cannot where the quotient is exact.
    fn quotient_of_upper(
        &self,
        negative: bool,
        a: &[u64],
        b: &[u64],
        exponent: i64,
        wanted: usize,
    ) -> Option<Float> {
        const HALF: usize = MOST / 2 + 1;
        let (a_up, b_up) = (leading_zeros(a), leading_zeros(b));
        let exponent = exponent + 64 * (a.len() as i64 - b.len() as i64 - wanted as i64)
            - a_up as i64
            + b_up as i64;
        let (mut divisor, mut dividend, mut quotient) = ([0; HALF], [0; MOST + 1], [0; HALF]);
        let divisor = &mut divisor[..b.len().min(wanted)];
        place_upper(divisor, b, b_up);
        let dividend = dividend.get_mut(..divisor.len() + wanted)?;
        place_upper(dividend, a, a_up);
        quotient[wanted] = words::divide_upper(&mut quotient[..wanted], dividend, divisor)?;
        // What was left out is less than a word for each of the quotient's, and as much for what
        // was cut off of both.
        let lost = (usize::BITS - (2 * wanted + 6).leading_zeros()) as usize;
        self.if_settled_words(negative, &mut quotient[..=wanted], exponent, lost)
    }

    /// The square root of what is not zero, if it is short.
    pub(crate) fn short_sqrt(&self, mantissa: &[u64], exponent: i64) -> Option<Float> {
        if let [word] = mantissa
            && self.precision <= 62
        {
            // A word's root of two words, the exponent of which is even.
            let up = 64 + i64::from(word.leading_zeros());
            let up = up - (exponent - up).rem_euclid(2);
            let (root, more) = root::sqrt_two(u128::from(*word) << up);
            return Some(self.finish_two(false, u128::from(root), (exponent - up) / 2, more != 0));
        }
        let bits = words::bit_len(mantissa);
        // A root of two bits more than are wanted, and all of the number; in whole words, filled,
        // with an even exponent.
        let len = (self.precision + 2).div_ceil(64).max(bits.div_ceil(128)).max(1);
        if 2 * len > MOST {
            return None;
        }
        let mut up = 128 * len - bits;
        if (exponent - up as i64) % 2 != 0 {
            up = up.checked_sub(1)?;
        }
        let exponent = (exponent - up as i64) / 2;
        Some(match len {
            1 => self.sqrt_in::<2>(mantissa, up, exponent),
            2 => self.sqrt_in::<4>(mantissa, up, exponent),
            3..=5 => self.sqrt_in::<10>(mantissa, up, exponent),
            _ => self.sqrt_in::<MOST>(mantissa, up, exponent),
        })
    }

    /// The square root in half so many words, or, of many, in as many as are filled.
    fn sqrt_in<const WORDS: usize>(&self, mantissa: &[u64], up: usize, exponent: i64) -> Float {
        let mut square = [0; WORDS];
        let len = (words::bit_len(mantissa) + up).div_ceil(128);
        let square = &mut square[..2 * len];
        words::place(square, mantissa, up);
        let mut root = [0; WORDS];
        let root = &mut root[..len];
        let above = root::sqrt(root, square);
        let more = above != 0 || square[..len].iter().any(|&word| word != 0);
        self.finish_words(false, root, exponent, more)
    }
}

/// By how many bits the highest word may be shifted up.
pub(crate) fn leading_zeros(words: &[u64]) -> usize {
    words.last().map_or(0, |top| top.leading_zeros()) as usize
}

/// The upper words of a number shifted up by less than a word, so that it begins at the top; zeros
/// below.
pub(crate) fn place_upper(out: &mut [u64], words: &[u64], by: usize) {
    match out.len().checked_sub(words.len()) {
        Some(below) => words::place(out, words, 64 * below + by),
        None => {
            let from = words.len() - out.len();
            words::place(out, &words[from..], by);
            if by > 0 {
                out[0] |= words[from - 1] >> (64 - by);
            }
        }
    }
}

/// As an integer, if there are no more than two.
#[inline]
fn two(words: &[u64]) -> u128 {
    words.iter().take(2).rev().fold(0, |two, &word| two << 64 | u128::from(word))
}

/// Two words by one that has its highest bit set and is above the first.
#[inline]
fn divide_once(high: u64, low: u64, divisor: u64) -> (u64, u64) {
    let dividend = u128::from(high) << 64 | u128::from(low);
    let quotient = (dividend / u128::from(divisor)) as u64;
    (quotient, low.wrapping_sub(quotient.wrapping_mul(divisor)))
}
