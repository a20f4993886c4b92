//! Quotients of many words: by the division of school in rows of the [`kernel`](crate::kernel), and
//! above [`RECURSIVE_FROM`] words by halves, so that most of the work is products (Brent and
//! Zimmermann, "Modern Computer Arithmetic", 1.4.3; Burnikel and Ziegler).

use crate::product;
use crate::words::{self, add, compare, sub, sub_word};
use dashu_base::{DivRem, Sign};
use dashu_int::{IBig, UBig};
use std::cell::RefCell;

/// A quotient of so many words is two of half as many: at 157 words that takes as long as without.
const RECURSIVE_FROM: usize = 120;

/// Quotient and rest of natural numbers. The divisor is not zero.
pub(crate) fn divide(a: &UBig, b: &UBig) -> (UBig, UBig) {
    of_words(a.as_words(), b.as_words()).unwrap_or_else(|| a.div_rem(b))
}

/// Quotient and rest of integers, the quotient cut off toward zero. The divisor is not zero.
pub(crate) fn divide_signed(a: &IBig, b: &IBig) -> (IBig, IBig) {
    let ((a_sign, x), (b_sign, y)) = (a.as_sign_words(), b.as_sign_words());
    let Some((quotient, rest)) = of_words(x, y) else { return a.div_rem(b) };
    let sign = if a_sign == b_sign { Sign::Positive } else { Sign::Negative };
    (IBig::from_parts(sign, quotient), IBig::from_parts(a_sign, rest))
}

/// Quotient and rest, if the divisor has two words at least and the dividend is larger.
fn of_words(a: &[u64], b: &[u64]) -> Option<(UBig, UBig)> {
    thread_local! {
        static DESK: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    }
    let len = b.len();
    let places = (a.len() + 1).checked_sub(len).filter(|&places| places > 1)?;
    if len < 2 {
        return None;
    }
    let up = b[len - 1].leading_zeros() as usize;
    DESK.with_borrow_mut(|desk| {
        let all = a.len() + 1;
        desk.resize(desk.len().max(all + len + places), 0);
        let (dividend, rest) = desk.split_at_mut(all);
        let (divisor, rest) = rest.split_at_mut(len);
        let quotient = &mut rest[..places];
        words::place(divisor, b, up);
        words::place(dividend, a, up);
        // A word above what is shifted: less than the divisor, so that the quotient has no more
        // places.
        divide_words(quotient, dividend, divisor);
        let rest = &mut dividend[..len];
        words::shift_down(rest, up);
        let found = (
            UBig::from_words(words::significant(quotient)),
            UBig::from_words(words::significant(rest)),
        );
        words::tidy(desk);
        Some(found)
    })
}

/// As [`words::divide`], of any length.
pub(crate) fn divide_words(quotient: &mut [u64], dividend: &mut [u64], divisor: &[u64]) -> u64 {
    let (len, places) = (divisor.len(), quotient.len());
    if len.min(places) < RECURSIVE_FROM {
        return words::divide(quotient, dividend, divisor);
    }
    let mut product = vec![0; len.max(places) + 1];
    if places <= len {
        // By as many words of the divisor, from above, as the quotient has; what the others take
        // away is one product. Where each half takes that away, 313 words of 1,563 by 1,250
        // took 1.9 times as long.
        let (below, upper) = divisor.split_at(len - places);
        let mut above = by_halves(quotient, &mut dividend[below.len()..], upper, &mut product);
        if !below.is_empty() {
            take_away(&mut dividend[..len], quotient, &mut above, below, divisor, &mut product);
        }
        return above;
    }
    // As many words as the divisor has, from above.
    let mut at = places - places % len;
    let mut above = 0;
    if at == places {
        at -= len;
    }
    let mut until = places;
    loop {
        let part = &mut quotient[at..until];
        let carried = by_halves(part, &mut dividend[at..until + len], divisor, &mut product);
        if until == places {
            above = carried;
        }
        if at == 0 {
            return above;
        }
        (at, until) = (at - len, at);
    }
}

/// A quotient that is not longer than the divisor: its upper half from the upper words of both,
/// then what the lower words of the divisor take away, and the lower half in the same way. The
/// first half may be too large by one or two.
fn by_halves(
    quotient: &mut [u64],
    dividend: &mut [u64],
    divisor: &[u64],
    product: &mut [u64],
) -> u64 {
    let (len, places) = (divisor.len(), quotient.len());
    if places < RECURSIVE_FROM {
        return words::divide(quotient, dividend, divisor);
    }
    let half = places / 2;
    let (low, high) = quotient.split_at_mut(half);
    let (below, upper) = divisor.split_at(half);
    let mut above = by_halves(high, &mut dividend[2 * half..], upper, product);
    let window = &mut dividend[half..half + len];
    take_away(window, high, &mut above, below, divisor, product);
    let mut over = by_halves(low, &mut dividend[half..half + len], upper, product);
    take_away(&mut dividend[..len], low, &mut over, below, divisor, product);
    debug_assert_eq!(over, 0);
    above
}

/// `window -= quotient * below`, where `above` stands above the quotient; both are made smaller
/// until nothing is lacking.
pub(crate) fn take_away(
    window: &mut [u64],
    quotient: &mut [u64],
    above: &mut u64,
    below: &[u64],
    divisor: &[u64],
    product: &mut [u64],
) {
    let product = &mut product[..quotient.len() + below.len()];
    product::multiply(product, quotient, below);
    let mut lacking = sub(window, product);
    if *above != 0 {
        lacking += sub(&mut window[quotient.len()..], below);
    }
    while lacking > 0 {
        *above -= sub_word(quotient, 1);
        lacking -= add(window, divisor);
    }
    debug_assert!(compare(window, divisor).is_lt());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::tests::words;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        #[test]
        fn quotients_and_rests_are_those_of_large_integers(a in words(0..90), b in words(0..50), negative: bool) {
            let (a, b) = (UBig::from_words(&a), UBig::from_words(&b) + UBig::ONE);
            prop_assert_eq!(divide(&a, &b), (&a).div_rem(&b));
            // One more and one less than what leaves nothing over.
            for a in [&a * &b, &a * &b + UBig::ONE, (&a + UBig::ONE) * &b - UBig::ONE] {
                prop_assert_eq!(divide(&a, &b), (&a).div_rem(&b));
            }
            let sign = if negative { Sign::Negative } else { Sign::Positive };
            let (a, b) = (IBig::from_parts(sign, a), -IBig::from(b));
            prop_assert_eq!(divide_signed(&a, &b), (&a).div_rem(&b));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn long_quotients_and_rests_make_up_the_dividend(a in words(1..900), b in words(100..400), near: bool) {
            let (a, b) = (UBig::from_words(&a), UBig::from_words(&b) + UBig::ONE);
            // Just below a multiple the first digits are often too large.
            let a = if near { (a + UBig::ONE) * &b - UBig::ONE } else { a };
            let (quotient, rest) = divide(&a, &b);
            prop_assert!(rest < b);
            prop_assert_eq!(quotient * &b + rest, a);
        }
    }
}
