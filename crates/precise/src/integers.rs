//! Products and powers of integers of a few words, on the stack: what `dashu-int` allocates on its
//! way takes as long as the work.

use crate::words::{self, MOST, Room};
use dashu_base::Sign;
use dashu_int::{IBig, UBig};

/// The product of two that are long enough for that to count, from four words each on, and no
/// longer than the stack has room for.
pub(crate) fn short_product(a: &IBig, b: &IBig) -> Option<IBig> {
    let ((a_sign, a), (b_sign, b)) = (a.as_sign_words(), b.as_sign_words());
    let len = a.len() + b.len();
    if len > MOST || a.len().min(b.len()) < 4 {
        return None;
    }
    let mut product = [0; MOST];
    match std::ptr::eq(a, b) {
        true => words::sqr(&mut product[..len], a),
        false => words::mul(&mut product[..len], a, b),
    }
    let sign = if a_sign == b_sign { Sign::Positive } else { Sign::Negative };
    Some(IBig::from_parts(sign, UBig::from_words(words::significant(&product[..len]))))
}

/// The power of a word, if it is short: by squaring, in a word as long as it fits.
pub(crate) fn short_power(base: &[u64], exponent: usize) -> Option<UBig> {
    let &[base] = base else { return None };
    if base.is_power_of_two() {
        return Some(UBig::ONE << (base.trailing_zeros() as usize).checked_mul(exponent)?);
    }
    let bits = (64 - base.leading_zeros()) as usize;
    if exponent == 0 || bits.checked_mul(exponent)? > 64 * (MOST - 2) {
        return None;
    }
    // In a word as long as it fits.
    let (mut word, mut at) = (base, exponent.ilog2());
    while at > 0 {
        let is_odd = exponent >> (at - 1) & 1 == 1;
        let next = word
            .checked_mul(word)
            .and_then(|square| square.checked_mul(if is_odd { base } else { 1 }));
        let Some(next) = next else { break };
        (word, at) = (next, at - 1);
    }
    let (mut power, mut square): (&mut Room, &mut Room) = (&mut [0; MOST], &mut [0; MOST]);
    let mut len = 1;
    power[0] = word;
    for at in (0..at).rev() {
        words::sqr(&mut square[..2 * len], &power[..len]);
        len = words::significant(&square[..2 * len]).len();
        if exponent >> at & 1 == 1 {
            words::mul_word(&mut square[..=len], base);
            len = words::significant(&square[..=len]).len();
        }
        (power, square) = (square, power);
    }
    Some(UBig::from_words(&power[..len]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn short_powers_are_those_of_large_integers(base in 1u64.., shift in 0u32..64, exponent in 0usize..200) {
            let base = (base >> shift).max(1);
            if let Some(power) = short_power(&[base], exponent) {
                prop_assert_eq!(power, UBig::from(base).pow(exponent));
            }
        }

        #[test]
        fn short_products_are_those_of_large_integers(
            a in proptest::collection::vec(any::<u64>(), 0..20),
            b in proptest::collection::vec(any::<u64>(), 0..20),
            negative: bool,
        ) {
            let sign = if negative { Sign::Negative } else { Sign::Positive };
            let (a, b) = (IBig::from_parts(sign, UBig::from_words(&a)), IBig::from(UBig::from_words(&b)));
            if let Some(product) = short_product(&a, &b) {
                prop_assert_eq!(product, a * b);
            }
        }
    }
}
