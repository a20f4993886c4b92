//! Square roots of any number of words, after P. Zimmermann, "Karatsuba Square Root" (1999), as in
//! GMP: the root of the upper half, a quotient for the lower one, and its square, so that a root
//! costs little more than the division of half its length that is part of it.

use crate::product;
use crate::quotient::divide_words;
use crate::words::{self, MOST, add, add_product, add_word, shift_down, sub, sub_word};
use dashu_base::BitTest;
use dashu_int::UBig;

/// The square root, rounded down, and whether anything is left over.
pub(crate) fn square_root(square: &UBig) -> (UBig, bool) {
    let bits = square.bit_len();
    let len = bits.div_ceil(128).max(1);
    // An even number of bits up to the top.
    let up = (128 * len - bits) / 2 * 2;
    let mut shifted = vec![0; 2 * len];
    words::place(&mut shifted, square.as_words(), up);
    if bits == 0 {
        return (UBig::ZERO, false);
    }
    let mut root = vec![0; len];
    let above = sqrt(&mut root, &mut shifted);
    // What leaves the root below its point is left over as well.
    let more = above != 0
        || words::any_below(&root, up / 2)
        || shifted[..len].iter().any(|&word| word != 0);
    shift_down(&mut root, up / 2);
    (UBig::from_words(&root), more)
}

/// The root of the upper words of a square, and what is left over of them made less than the root:
/// how often the root was taken from it, 0 or 1.
pub(crate) fn upper_half(root: &mut [u64], square: &mut [u64]) -> u64 {
    let more = sqrt(root, square);
    if more != 0 {
        sub(&mut square[..root.len()], root);
    }
    more
}

/// The square root, rounded down, of twice as many words, the highest of which has one of its two
/// highest bits set. What is left over is in the low half then, and one more if this returns 1.
/// After Zimmermann's "Karatsuba Square Root" as in GMP.
pub(crate) fn sqrt(root: &mut [u64], square: &mut [u64]) -> u64 {
    let len = root.len();
    if len == 1 {
        let (found, rest) = sqrt_two(u128::from(square[1]) << 64 | u128::from(square[0]));
        (root[0], square[0]) = (found, rest as u64);
        return (rest >> 64) as u64;
    }
    let low = len / 2;
    let high = len - low;
    let (root_low, root_high) = root.split_at_mut(low);
    let mut more = upper_half(root_high, &mut square[2 * low..]);
    more += divide_words(root_low, &mut square[low..low + len], root_high);
    let odd = root_low[0] & 1;
    shift_down(root_low, 1);
    root_low[low - 1] |= more << 63;
    more >>= 1;
    let mut carry = 0i64;
    if odd == 1 {
        carry = add(&mut square[low..low + high], root_high) as i64;
    }
    let (mut room, mut more_room) = ([0; MOST], Vec::new());
    let of_low = match room.get_mut(..2 * low) {
        Some(room) => room,
        None => {
            more_room.resize(2 * low, 0);
            &mut more_room[..]
        }
    };
    product::square(of_low, root_low);
    let borrow = more + sub(&mut square[..2 * low], of_low);
    carry -= match low == high {
        true => borrow as i64,
        false => sub_word(&mut square[2 * low..2 * low + 1], borrow) as i64,
    };
    if carry < 0 {
        let over = add_word(root_high, more);
        carry += (add_product(&mut square[..len], root, 2) + 2 * over) as i64;
        carry -= sub_word(&mut square[..len], 1) as i64;
        sub_word(root, 1);
    }
    carry as u64
}

/// The root of a number of at least 127 bits, and what is left over: a double's root, which is
/// right to 52 bits, and one of Newton's steps, where what is missing is small enough for a double.
#[inline]
pub(crate) fn sqrt_two(square: u128) -> (u64, u128) {
    let near = (((square >> 64) as u64 as f64).sqrt() * (1u64 << 32) as f64) as u64;
    // Of 77 bits at most, and a division by twice the root: the lower bits do not count, and to
    // convert two words takes a call.
    let missing = square.wrapping_sub(u128::from(near) * u128::from(near)) as i128;
    let step = ((missing >> 14) as i64 as f64 * (1 << 13) as f64 / near as f64) as i64;
    let mut root = near.saturating_add_signed(step);
    let step = i128::from(root) - i128::from(near);
    let mut rest = missing - step * (2 * i128::from(near) + step);
    while rest < 0 {
        root -= 1;
        rest += 2 * i128::from(root) + 1;
    }
    while rest > 2 * i128::from(root) {
        rest -= 2 * i128::from(root) + 1;
        root += 1;
    }
    (root, rest as u128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::tests::words;
    use dashu_base::SquareRootRem;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        #[test]
        fn square_roots_are_those_of_large_integers(a in words(1..10), more in words(1..10)) {
            let mut square = a;
            square.extend(more);
            square.truncate(square.len() / 2 * 2);
            *square.last_mut().unwrap() |= 1 << 62;
            let whole = UBig::from_words(&square);
            let len = square.len() / 2;
            let mut root = vec![9; len];
            let above = sqrt(&mut root, &mut square);
            square.truncate(len);
            square.push(above);
            let (r, rest) = whole.sqrt_rem();
            prop_assert_eq!(UBig::from_words(&root), r);
            prop_assert_eq!(UBig::from_words(&square), rest);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn the_square_of_a_long_root_is_just_below(square in words(100..900), exact: bool) {
            let square = UBig::from_words(&square) + UBig::ONE;
            let square = if exact { &square * &square } else { square };
            let (root, more) = square_root(&square);
            let least = &root * &root;
            prop_assert_eq!(more, least != square);
            prop_assert!(least <= square && (&root + UBig::ONE) * (&root + UBig::ONE) > square);
        }
    }
}
