//! Exact sums against sums of large integers, in units of the least double.

use proptest::collection::vec;
use proptest::prelude::*;
use riverhawk_precise::{ExactSum, IBig, exact_sum};

const LEAST: f64 = f64::from_bits(1);

/// The number in units of the least double; of infinity what the next number above would be.
fn integer(number: f64) -> IBig {
    let bits = number.abs().to_bits();
    let (exponent, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    let size = match exponent {
        0 => IBig::from(fraction),
        _ => IBig::from(fraction | 1 << 52) << (exponent as usize - 1),
    };
    if number.is_sign_negative() { -size } else { size }
}

fn exact(addends: &[f64]) -> IBig {
    addends.iter().map(|&addend| integer(addend)).sum()
}

/// Checks that no other number is nearer, and of two as near that it is the even one.
fn check_rounded(sum: f64, exact: &IBig) -> Result<(), TestCaseError> {
    prop_assert!(sum != 0.0 || sum.is_sign_positive());
    let distance = |number: f64| {
        let difference = integer(number) - exact;
        if difference < IBig::ZERO { -difference } else { difference }
    };
    let is_even = |number: f64| number.to_bits().is_multiple_of(2);
    for other in [sum.next_up(), sum.next_down()] {
        let (own, others) = (distance(sum), distance(other));
        let is_nearer = own < others || (own == others && is_even(sum));
        prop_assert!(other.is_nan() || other == sum || is_nearer, "{sum:e}, not {other:e}");
    }
    Ok(())
}

fn sum_of(addends: &[f64]) -> ExactSum {
    let mut sum = ExactSum::default();
    addends.iter().for_each(|&addend| sum.add(addend));
    sum
}

fn finite() -> impl Strategy<Value = f64> {
    let any = any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |n| n.is_finite());
    let decimal = (-1_000_000_i32..1_000_000).prop_map(|hundredths| f64::from(hundredths) / 100.0);
    let subnormal = (0..1_u64 << 53).prop_map(f64::from_bits);
    let near_ties = (-3_i32..3, -60_i32..60).prop_map(|(n, e)| f64::from(n) * f64::powi(2.0, e));
    prop_oneof![
        any,
        decimal,
        subnormal.clone(),
        subnormal.prop_map(|n| -n),
        near_ties,
        Just(f64::MAX),
        Just(-f64::MAX),
        Just(f64::powi(2.0, 970)),
        Just(-f64::powi(2.0, 969)),
        Just(-0.0),
    ]
}

proptest! {
    #[test]
    fn a_sum_is_the_exact_one_rounded_once(addends in vec(finite(), 0..40)) {
        check_rounded(sum_of(&addends).to_f64(), &exact(&addends))?;
    }

    #[test]
    fn what_is_taken_away_again_leaves_nothing(
        addends in vec(finite(), 0..40), rest in finite(), seed: u64,
    ) {
        let mut all: Vec<f64> =
            addends.iter().flat_map(|&addend| [addend, -addend]).chain([rest]).collect();
        let mut random = seed;
        for at in (1..all.len()).rev() {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            all.swap(at, (random >> 33) as usize % (at + 1));
        }
        prop_assert_eq!(sum_of(&all).to_f64(), rest);
    }

    #[test]
    fn parts_make_the_same_sum_in_any_order(
        parts in vec(vec(finite(), 0..8), 0..8), special in prop_oneof![
            4 => Just(0.0), 1 => Just(f64::INFINITY), 1 => Just(f64::NEG_INFINITY), 1 => Just(-f64::NAN)
        ],
    ) {
        let mut all = parts.concat();
        all.push(special);
        let whole = sum_of(&all).to_f64().to_bits();
        let (mut forward, mut back) = (sum_of(&[special]), ExactSum::default());
        for part in &parts {
            forward.add_all(&sum_of(part));
        }
        for part in parts.iter().rev() {
            let part = ExactSum::from_words(&sum_of(part).words()).expect("its own words");
            back.add_all(&part);
        }
        back.add_all(&sum_of(&[special]));
        prop_assert_eq!(forward.to_f64().to_bits(), whole);
        prop_assert_eq!(back.to_f64().to_bits(), whole);
        let again = ExactSum::from_words(&forward.words()).expect("its own words");
        prop_assert_eq!(again.to_f64().to_bits(), whole);
    }

    #[test]
    fn words_make_a_sum_or_none(words in vec(prop_oneof![any::<u64>(), 0..70_u64], 0..80)) {
        if let Some(mut sum) = ExactSum::from_words(&words) {
            let number = sum.to_f64();
            sum.add_all(&sum.clone());
            prop_assert!(sum.to_f64() == 2.0 * number || number.is_nan());
        }
    }

    #[test]
    fn two_numbers_have_an_exact_sum_or_none(a in finite(), b in finite()) {
        let is_exact = |sum: &f64| sum.is_finite() && integer(*sum) == integer(a) + integer(b);
        let sum = a + b;
        prop_assert_eq!(exact_sum(a, b), Some(sum).filter(is_exact));
    }
}

#[test]
fn infinities_and_what_is_no_number_are_as_in_other_sums() {
    let bits = |addends: &[f64]| sum_of(addends).to_f64().to_bits();
    let (infinity, nan) = (f64::INFINITY.to_bits(), f64::NAN.to_bits());
    assert_eq!(bits(&[1.0, f64::INFINITY, -f64::MAX]), infinity);
    assert_eq!(bits(&[f64::INFINITY, f64::INFINITY]), infinity);
    assert_eq!(bits(&[f64::INFINITY, 1.0, f64::NEG_INFINITY]), nan);
    assert_eq!(bits(&[-f64::NAN, 1.0]), nan);
    assert_eq!(bits(&[f64::NAN, f64::NEG_INFINITY]), nan);
}

#[test]
fn a_sum_overflows_only_as_a_whole() {
    assert_eq!(sum_of(&[f64::MAX, f64::MAX]).to_f64(), f64::INFINITY);
    assert_eq!(sum_of(&[f64::MAX, f64::MAX, -f64::MAX]).to_f64(), f64::MAX);
    let half = f64::powi(2.0, 970);
    assert_eq!(sum_of(&[f64::MAX, half]).to_f64(), f64::INFINITY);
    assert_eq!(sum_of(&[f64::MAX, half, -LEAST]).to_f64(), f64::MAX);
    assert_eq!(sum_of(&[-f64::MAX, -half, LEAST]).to_f64(), -f64::MAX);
}

#[test]
fn bad_words_are_no_sum() {
    let (one, least) = (1.0_f64.to_bits(), LEAST.to_bits());
    for words in [
        &[][..],
        &[one],
        &[least, one],
        &[one, f64::NAN.to_bits()],
        &[f64::INFINITY.to_bits(), 0],
        &[one, 0, 0, 1],
        &[0, 2, 0, 1],
        &[0, 0, 68, 1],
        &[0, 0, 67, 1, 1],
        &[0, 0, u64::MAX, 1],
        &[0, 0, 0, 1 << 32],
    ] {
        assert_eq!(ExactSum::from_words(words), None, "{words:?}");
    }
}
