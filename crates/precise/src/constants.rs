//! Pi and the logarithm of 2, kept to as many bits as were needed so far.
//!
//! Both are sums of few values of arctan or artanh at 1/n, whose series are summed by binary
//! splitting (B. Haible and T. Papanikolaou, "Fast multiprecision evaluation of series of rational
//! numbers", 1998).

use dashu_base::Sign;
use dashu_int::{IBig, UBig};
use std::cell::RefCell;
use std::thread::LocalKey;

/// A constant and the scale that it is known to.
type Known = RefCell<(usize, UBig)>;

thread_local! {
    static PI: Known = const { RefCell::new((0, UBig::ZERO)) };
    static LN2: Known = const { RefCell::new((0, UBig::ZERO)) };
}

/// Pi as a multiple of 2^-scale, off by less than 2.
pub(crate) fn pi(scale: usize) -> UBig {
    to_scale(scale, &PI, compute_pi)
}

/// The natural logarithm of 2 as a multiple of 2^-scale, off by less than 2.
pub(crate) fn ln2(scale: usize) -> UBig {
    to_scale(scale, &LN2, compute_ln2)
}

fn to_scale(scale: usize, known: &'static LocalKey<Known>, compute: fn(usize) -> UBig) -> UBig {
    known.with_borrow_mut(|(known_scale, value)| {
        if *known_scale < scale {
            // Some more, for a precision that grows in small steps.
            *known_scale = scale + scale / 16 + 64;
            *value = compute(*known_scale);
        }
        &*value >> (*known_scale - scale)
    })
}

/// By Machin's formula.
fn compute_pi(scale: usize) -> UBig {
    let wide = scale + 16;
    let sum = arc(5, Sign::Negative, wide) * 16u32 - arc(239, Sign::Negative, wide) * 4u32;
    sum.into_parts().1 >> 16usize
}

fn compute_ln2(scale: usize) -> UBig {
    let wide = scale + 16;
    let artanh = |n| arc(n, Sign::Positive, wide);
    let sum = artanh(26) * 18u32 - artanh(4801) * 2u32 + artanh(8749) * 8u32;
    sum.into_parts().1 >> 16usize
}

/// artanh 1/n, or with a negative sign arctan 1/n, off by less than 2: the sum of
/// `sign^k / ((2k + 1) n^(2k + 1))`.
fn arc(n: u32, sign: Sign, scale: usize) -> IBig {
    /// Some terms, beginning at `from`: `sum / (odds n^(2 count))` with `odds` the product of all
    /// 2k + 1, and `denominator` that of both.
    struct Terms {
        odds: IBig,
        denominator: IBig,
        sum: IBig,
    }
    fn terms(n: u32, sign: Sign, from: u64, to: u64) -> Terms {
        if to - from == 1 {
            let odds = IBig::from(2 * from + 1);
            let denominator = &odds * (u64::from(n) * u64::from(n));
            let sum = if from % 2 == 1 { sign * IBig::ONE } else { IBig::ONE };
            return Terms { odds, denominator, sum };
        }
        let middle = from + (to - from) / 2;
        let (low, high) = (terms(n, sign, from, middle), terms(n, sign, middle, to));
        Terms {
            sum: low.sum * &high.denominator + &low.odds * high.sum,
            odds: low.odds * high.odds,
            denominator: low.denominator * high.denominator,
        }
    }
    let count = scale as u64 / u64::from((n * n).ilog2()) + 2;
    let all = terms(n, sign, 0, count);
    ((all.sum * n) << scale) / all.denominator
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the first digits, which are known, and at many scales against more bits than were
    /// asked for.
    #[test]
    fn constants_are_off_by_less_than_two() {
        let digits = |text: &str, scale: usize| {
            let number: UBig = text.parse().unwrap();
            (number << scale) / UBig::from(10u8).pow(text.len() - 1)
        };
        let near = |a: &UBig, b: &UBig| {
            (IBig::from(a.clone()) - IBig::from(b.clone())).into_parts().1 < UBig::from(2u8)
        };
        assert!(near(
            &compute_ln2(200),
            &digits("06931471805599453094172321214581765680755001343602552541206800094933936", 200)
        ));
        assert!(near(
            &compute_pi(200),
            &digits("31415926535897932384626433832795028841971693993751058209749445923078164", 200)
        ));
        for scale in (1..60).chain([64, 100, 777, 5_000, 40_000]) {
            assert!(near(&compute_ln2(scale), &(compute_ln2(scale + 100) >> 100)), "{scale}");
            assert!(near(&compute_pi(scale), &(compute_pi(scale + 100) >> 100)), "{scale}");
        }
    }
}
