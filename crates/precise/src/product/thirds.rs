//! Products by thirds, after Toom and Cook: five products of a third of the length for one of the
//! whole. Halves take four and a half of those, so that this pays where the sums between are little
//! beside the products.
//!
//! The factors are polynomials of three coefficients each, the values of which at 0, 1, -1, 2 and
//! infinity are multiplied; from these the five coefficients of the product are found by Bodrato's
//! sequence ("Towards optimal Toom-Cook multiplication", 2007), in which nothing is below zero
//! but the value at -1.

use super::{balanced, square_halves};
use crate::words::{add, add_word, compare, shift_down, sub};

/// The values of a factor at 1, at 2, and at -1 without its sign, which is returned.
fn evaluate(values: [&mut [u64]; 3], a: &[u64], third: usize) -> bool {
    let [one, two, minus_one] = values;
    let (a0, others) = a.split_at(third);
    let (a1, a2) = others.split_at(third);
    // a0 + a2, and with a1 on either side.
    one[..third].copy_from_slice(a0);
    one[third] = 0;
    add(one, a2);
    two.copy_from_slice(one);
    let is_negative = two[third] == 0 && compare(&two[..third], a1).is_lt();
    if is_negative {
        minus_one[..third].copy_from_slice(a1);
        minus_one[third] = 0;
        sub(minus_one, &two[..third]);
    } else {
        minus_one.copy_from_slice(two);
        sub(minus_one, a1);
    }
    add(one, a1);
    // a0 + 2 (a1 + 2 a2).
    two[..a2.len()].copy_from_slice(a2);
    two[a2.len()..].fill(0);
    crate::words::double(two);
    add(two, a1);
    crate::words::double(two);
    add(two, a0);
    is_negative
}

/// `out = a * b`, of as many words each, or the square of one.
pub(super) fn multiply(out: &mut [u64], a: &[u64], b: Option<&[u64]>, scratch: &mut [u64]) {
    let len = a.len();
    let third = len.div_ceil(3);
    let wide = third + 1;
    let (values, scratch) = scratch.split_at_mut(6 * wide);
    let (products, scratch) = scratch.split_at_mut(6 * wide);
    let (of_a, of_b) = values.split_at_mut(3 * wide);
    let parts = |values: &mut [u64], factor: &[u64]| {
        let (one, others) = values.split_at_mut(wide);
        let (two, minus_one) = others.split_at_mut(wide);
        evaluate([one, two, minus_one], factor, third)
    };
    let mut is_negative = parts(of_a, a);
    match b {
        Some(b) => {
            is_negative ^= parts(of_b, b);
            for (at, product) in products.chunks_exact_mut(2 * wide).enumerate() {
                let place = at * wide..(at + 1) * wide;
                balanced(product, &of_a[place.clone()], &of_b[place], scratch);
            }
            balanced(&mut out[..2 * third], &a[..third], &b[..third], scratch);
            balanced(&mut out[4 * third..], &a[2 * third..], &b[2 * third..], scratch);
        }
        None => {
            is_negative = false;
            for (product, value) in products.chunks_exact_mut(2 * wide).zip(of_a.chunks_exact(wide))
            {
                square_halves(product, value, scratch);
            }
            square_halves(&mut out[..2 * third], &a[..third], scratch);
            square_halves(&mut out[4 * third..], &a[2 * third..], scratch);
        }
    }
    let (one, others) = products.split_at_mut(2 * wide);
    let (two, minus_one) = others.split_at_mut(2 * wide);
    let (first, last) = (&out[..2 * third], &out[4 * third..]);
    // c1 + c2 + 3 c3 + 5 c4, in the place of the value at 2.
    if is_negative {
        add(two, minus_one);
    } else {
        sub(two, minus_one);
    }
    divide_by_three(two);
    // c1 + c3, in the place of the value at -1.
    if is_negative {
        add(minus_one, one);
    } else {
        subtract_from(minus_one, one);
    }
    shift_down(minus_one, 1);
    // c1 + c2 + c3 + c4.
    sub(one, first);
    // c3 + 2 c4.
    sub(two, one);
    shift_down(two, 1);
    // c2.
    sub(one, minus_one);
    sub(one, last);
    // c3.
    sub(two, last);
    sub(two, last);
    // c1.
    sub(minus_one, two);
    out[2 * third..4 * third].copy_from_slice(&one[..2 * third]);
    add_word(&mut out[4 * third..], one[2 * third]);
    for (coefficient, at) in [(minus_one, third), (two, 3 * third)] {
        let place = &mut out[at..];
        let count = (2 * wide).min(place.len());
        add(place, &coefficient[..count]);
    }
}

/// `a = b - a`, of the same length.
fn subtract_from(a: &mut [u64], b: &[u64]) {
    let mut borrow = false;
    for (a, b) in a.iter_mut().zip(b) {
        (*a, borrow) = b.borrowing_sub(*a, borrow);
    }
}

/// `words /= 3`, which leaves nothing over: from below, by the inverse modulo 2^64.
fn divide_by_three(words: &mut [u64]) {
    const INVERSE: u64 = 0xaaaa_aaaa_aaaa_aaab;
    let mut borrow = 0;
    for word in words {
        let (rest, under) = word.overflowing_sub(borrow);
        *word = rest.wrapping_mul(INVERSE);
        // Three times that is the rest and 0, 1 or 2 times 2^64.
        borrow = u64::from(under)
            + u64::from(*word > u64::MAX / 3)
            + u64::from(*word > u64::MAX / 3 * 2);
    }
}
