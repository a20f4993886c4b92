//! Products of many words, after Karatsuba, three products of half the length for one of the whole,
//! and above by [`thirds`].
//!
//! Below [`KARATSUBA_FROM`] words it is the rows of [`kernel`](crate::kernel), and from
//! [`TRANSFORM_FROM`] on a [`transform`](crate::transform). Integers of 4,096 bits went from 2.2 to
//! 1.1 of gawk's time with Karatsuba's algorithm, and integers of 100,000 bits from 1.9 to 0.7 with
//! the transform.

mod thirds;

use crate::transform;
use crate::words::{self, add, compare, sub};
use dashu_base::Sign;
use dashu_int::{IBig, UBig};
use std::cell::RefCell;

/// From so many words of both on, halves are multiplied.
const KARATSUBA_FROM: usize = 36;

/// The same for squares, whose rows are half as many.
const SQUARE_FROM: usize = 44;

/// From so many words on, thirds are: at 100 there is no difference, at 157 words products take
/// 1.19 of GMP's time instead of 1.39.
const THIRDS_FROM: usize = 100;

/// From so many words of the shorter factor on a transform is faster, where the CPU has what it
/// needs: at 250 words it takes 18 us, and thirds 19; squares by thirds take less until 300.
const TRANSFORM_FROM: usize = 270;

/// Numbers of more words than this are left to `dashu-int` where there is no transform.
const LONGEST: usize = 1500;

/// Whether it is done here: with two words at least, and not so many that they need a transform
/// which there is not.
fn is_ours(a: usize, b: usize) -> bool {
    let shorter = a.min(b);
    shorter > 2 && (shorter <= LONGEST || transform::can(TRANSFORM_FROM, TRANSFORM_FROM))
}

/// The product of natural numbers of any length.
pub(crate) fn product(a: &UBig, b: &UBig) -> UBig {
    let (x, y) = (a.as_words(), b.as_words());
    if !is_ours(x.len(), y.len()) {
        return a * b;
    }
    of_words(x, y)
}

/// The square of a natural number of any length.
pub(crate) fn squared(a: &UBig) -> UBig {
    product(a, a)
}

/// The product of integers of any length.
pub(crate) fn signed_product(a: &IBig, b: &IBig) -> IBig {
    let ((a_sign, x), (b_sign, y)) = (a.as_sign_words(), b.as_sign_words());
    if !is_ours(x.len(), y.len()) {
        return a * b;
    }
    let sign = if a_sign == b_sign { Sign::Positive } else { Sign::Negative };
    IBig::from_parts(sign, of_words(x, y))
}

/// The product, worked out where the one before was: an allocation less, and nothing to clear.
fn of_words(a: &[u64], b: &[u64]) -> UBig {
    thread_local! {
        static DESK: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    }
    let (len, shorter) = (a.len() + b.len(), a.len().min(b.len()));
    DESK.with_borrow_mut(|desk| {
        desk.resize(desk.len().max(len + scratch_for(shorter)), 0);
        let (out, scratch) = desk.split_at_mut(len);
        match (std::ptr::eq(a, b), a.len() == b.len()) {
            (true, _) => square_halves(out, a, scratch),
            (false, true) => balanced(out, a, b, scratch),
            (false, false) => multiply(out, a, b),
        }
        let product = UBig::from_words(words::significant(out));
        words::tidy(desk);
        product
    })
}

/// A power of more than two words: by squaring.
pub(crate) fn power(base: &UBig, exponent: usize) -> UBig {
    let Some(highest) = exponent.checked_ilog2() else { return UBig::ONE };
    let mut power = base.clone();
    for at in (0..highest).rev() {
        power = squared(&power);
        if exponent >> at & 1 == 1 {
            power = product(&power, base);
        }
    }
    power
}

/// `out = a * a`, which has twice the words.
pub(crate) fn square(out: &mut [u64], a: &[u64]) {
    if a.len() < SQUARE_FROM {
        return words::sqr(out, a);
    }
    square_halves(out, a, &mut vec![0; scratch_for(a.len())]);
}

/// `out = a * b`, which has as many words as both together. Neither is empty.
pub(crate) fn multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    let (a, b) = if a.len() > b.len() { (b, a) } else { (a, b) };
    let len = a.len();
    if len < KARATSUBA_FROM {
        return words::mul(out, a, b);
    }
    if len >= TRANSFORM_FROM && transform::can(len, b.len()) {
        return transform::multiply(out, a, b);
    }
    let mut scratch = vec![0; scratch_for(len)];
    if len == b.len() {
        return balanced(out, a, b, &mut scratch);
    }
    // Pieces as long as the shorter one.
    out.fill(0);
    let mut piece = vec![0; 2 * len];
    let mut pieces = b.chunks_exact(len);
    let mut at = 0;
    for of_b in &mut pieces {
        balanced(&mut piece, a, of_b, &mut scratch);
        add(&mut out[at..], &piece);
        at += len;
    }
    let rest = pieces.remainder();
    if !rest.is_empty() {
        let piece = &mut piece[..len + rest.len()];
        multiply(piece, rest, a);
        add(&mut out[at..], piece);
    }
}

/// What thirds need, or less. Of a length n it is 4 n, and two thirds of that for the products of
/// thirds and further ones, and a few words for each level.
const fn scratch_for(len: usize) -> usize {
    7 * len + 256
}

/// Of as many words each: with halves of words a1 a0 and b1 b0 the middle is a1 b1 + a0 b0 - (a1 -
/// a0) (b1 - b0).
fn balanced(out: &mut [u64], a: &[u64], b: &[u64], scratch: &mut [u64]) {
    let len = a.len();
    if len < KARATSUBA_FROM {
        return words::mul(out, a, b);
    }
    if len >= TRANSFORM_FROM && transform::can(len, len) {
        return transform::multiply(out, a, b);
    }
    if len >= THIRDS_FROM {
        return thirds::multiply(out, a, Some(b), scratch);
    }
    let low = len.div_ceil(2);
    let ((a0, a1), (b0, b1)) = (a.split_at(low), b.split_at(low));
    let (middle, scratch) = scratch.split_at_mut(2 * low);
    let is_negative = {
        let (a_difference, b_difference) = out[..2 * low].split_at_mut(low);
        difference(a_difference, a0, a1) != difference(b_difference, b0, b1)
    };
    {
        let (a_difference, b_difference) = out[..2 * low].split_at(low);
        balanced(middle, a_difference, b_difference, scratch);
    }
    balanced(&mut out[..2 * low], a0, b0, scratch);
    balanced(&mut out[2 * low..], a1, b1, scratch);
    join(out, middle, low, is_negative, scratch);
}

/// As [`balanced`]; the product of the differences is a square.
fn square_halves(out: &mut [u64], a: &[u64], scratch: &mut [u64]) {
    let len = a.len();
    if len < SQUARE_FROM {
        return words::sqr(out, a);
    }
    if len >= TRANSFORM_FROM && transform::can(len, len) {
        return transform::multiply(out, a, a);
    }
    if len >= THIRDS_FROM {
        return thirds::multiply(out, a, None, scratch);
    }
    let low = len.div_ceil(2);
    let (a0, a1) = a.split_at(low);
    let (middle, scratch) = scratch.split_at_mut(2 * low);
    difference(&mut out[..low], a0, a1);
    square_halves(middle, &out[..low], scratch);
    square_halves(&mut out[..2 * low], a0, scratch);
    square_halves(&mut out[2 * low..], a1, scratch);
    join(out, middle, low, false, scratch);
}

/// `out = |a - b|`, where `b` is not longer; whether `b` was larger.
fn difference(out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
    let (same, above) = a.split_at(b.len());
    if above.iter().all(|&word| word == 0) && compare(same, b).is_lt() {
        out[..b.len()].copy_from_slice(b);
        out[b.len()..].fill(0);
        sub(out, same);
        return true;
    }
    out.copy_from_slice(a);
    sub(out, b);
    false
}

/// Adds the middle of a product, of which `out` has the lower and the upper part, each of two
/// halves. `between` is the product of the differences, which is taken from these or, if it is
/// negative, added.
fn join(out: &mut [u64], between: &[u64], low: usize, is_negative: bool, scratch: &mut [u64]) {
    let sum = &mut scratch[..=2 * low];
    sum[..2 * low].copy_from_slice(&out[..2 * low]);
    sum[2 * low] = 0;
    add(sum, &out[2 * low..]);
    if is_negative {
        add(sum, between);
    } else {
        sub(sum, between);
    }
    // The middle is less than what is above it has room for, so that its highest word may be beyond
    // only when it is 0.
    let room = out.len() - low;
    let sum = &sum[..sum.len().min(room)];
    add(&mut out[low..], sum);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words_of(lens: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u64>> {
        let word = prop_oneof![
            Just(0),
            Just(u64::MAX),
            Just(u64::MAX),
            Just(1 << 63),
            Just(1),
            any::<u64>(),
            any::<u64>()
        ];
        prop_oneof![
            proptest::collection::vec(word, lens.clone()),
            lens.prop_map(|len| vec![u64::MAX; len]),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn products_and_squares_are_those_of_large_integers(a in words_of(1..400), b in words_of(1..400)) {
            let (x, y) = (UBig::from_words(&a), UBig::from_words(&b));
            prop_assert_eq!(product(&x, &y), &x * &y);
            prop_assert_eq!(squared(&x), x.sqr());
            prop_assert_eq!(power(&y, a.len() % 9), y.pow(a.len() % 9));
            let (x, y) = (-IBig::from(x), IBig::from(y));
            prop_assert_eq!(signed_product(&x, &y), x * y);
        }

        #[test]
        fn products_of_the_same_length_are_those_of_large_integers(a in words_of(20..350), b in words_of(350..351)) {
            let (a, b) = (UBig::from_words(&a), UBig::from_words(&b[..a.len()]));
            prop_assert_eq!(product(&a, &b), &a * &b);
        }
    }
}
