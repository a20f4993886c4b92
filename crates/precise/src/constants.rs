//! Pi and the logarithms of the first primes, to as many bits as were asked for so far and some
//! more. Each is a series of fractions with small numerators and denominators, summed by halves
//! ("binary splitting": Haible and Papanikolaou, "Fast multiprecision evaluation of series
//! of rational numbers"), so that nearly all of the work is a few long products.

use crate::product::{product, signed_product};
use crate::quotient::{divide, divide_signed};
use crate::root::square_root;
use dashu_int::{IBig, UBig};
use std::cell::RefCell;

/// The circle's circumference over its diameter, off by less than 2.
pub(crate) fn pi(scale: usize) -> UBig {
    thread_local! {
        static KNOWN: RefCell<Known<1>> = const { RefCell::new(Known::NOTHING) };
    }
    KNOWN.with_borrow_mut(|known| {
        let ([pi], below) = known.to(scale, |scale| [compute_pi(scale)]);
        pi >> below
    })
}

/// The natural logarithm of 2, off by less than 2.
pub(crate) fn ln2(scale: usize) -> UBig {
    with_logarithms(scale, |[ln2, ..], below| ln2 >> below)
}

/// The natural logarithms of 2, 3, 5 and 7, off by less than 2.
pub(crate) fn logarithms(scale: usize) -> [UBig; 4] {
    with_logarithms(scale, |logarithms, below| {
        logarithms.each_ref().map(|logarithm| logarithm >> below)
    })
}

fn with_logarithms<T>(scale: usize, then: impl FnOnce(&[UBig; 4], usize) -> T) -> T {
    thread_local! {
        static KNOWN: RefCell<Known<4>> = const { RefCell::new(Known::NOTHING) };
    }
    KNOWN.with_borrow_mut(|known| {
        let (logarithms, below) = known.to(scale, compute_logarithms);
        then(logarithms, below)
    })
}

/// Constants, and how many bits of them are known.
struct Known<const COUNT: usize> {
    scale: usize,
    values: [UBig; COUNT],
}

impl<const COUNT: usize> Known<COUNT> {
    const NOTHING: Self = Self { scale: 0, values: [const { UBig::ZERO }; COUNT] };

    /// The constants, and how many bits more they have than are asked for. They are computed if
    /// what is known does not reach.
    fn to(&mut self, scale: usize, compute: fn(usize) -> [UBig; COUNT]) -> (&[UBig; COUNT], usize) {
        if self.scale < scale {
            // So much more that a precision that grows in steps computes them seldom.
            self.scale = scale + scale / 16 + 64;
            self.values = compute(self.scale);
        }
        (&self.values, self.scale - scale)
    }
}

/// By the series of the brothers Chudnovsky, 47 bits a term.
fn compute_pi(scale: usize) -> UBig {
    struct Part {
        p: IBig,
        q: IBig,
        t: IBig,
    }
    fn part(from: u64, to: u64) -> Part {
        if to - from == 1 {
            let a = from as i64;
            let (p, q) = if a == 0 {
                (IBig::ONE, IBig::ONE)
            } else {
                let q = IBig::from(a).pow(3) * 10_939_058_860_032_000u64;
                (IBig::from(6 * a - 5) * (2 * a - 1) * (6 * a - 1), q)
            };
            let t = &p * (IBig::from(545_140_134u32) * a + 13_591_409u32);
            return Part { t: if a % 2 == 1 { -t } else { t }, p, q };
        }
        let middle = from + (to - from) / 2;
        let (low, high) = (part(from, middle), part(middle, to));
        Part {
            t: signed_product(&low.t, &high.q) + signed_product(&low.p, &high.t),
            p: signed_product(&low.p, &high.p),
            q: signed_product(&low.q, &high.q),
        }
    }
    let wide = scale + 16;
    let all = part(0, wide as u64 / 47 + 2);
    let (root, _) = square_root(&(UBig::from(10_005u32) << (2 * wide)));
    let over = signed_product(&(all.q * 426_880u32), &root.into());
    let (pi, _) = divide_signed(&over, &all.t);
    pi.into_parts().1 >> 16
}

/// From the logarithms of 126/125, 225/224, 2401/2400 and 4375/4374, which have no primes but these
/// four: four series for four logarithms, where the usual three for that of 2 alone take as long.
fn compute_logarithms(scale: usize) -> [UBig; 4] {
    // Multiplied by up to 404 in all.
    let wide = scale + 16;
    let [a, b, c, d] = [251, 449, 4801, 8749].map(|of| artanh(of, wide));
    [(144u32, 54u32, 38u32, 62u32), (228, 86, 60, 98), (334, 126, 88, 144), (404, 152, 106, 174)]
        .map(|times| (&a * times.0 + &b * times.1 + &d * times.3 - &c * times.2) >> 16)
}

/// artanh 1/n, less by at most two, for an n below 2^16: the sum of 1 / ((2k + 1) n^(2k + 1)).
fn artanh(n: u32, scale: usize) -> UBig {
    /// A sum t / all, of terms from the first on of which the powers are counted; all is b, the
    /// product of the odd numbers, times these powers.
    struct Part {
        b: UBig,
        all: UBig,
        t: UBig,
    }
    fn part(square: u64, from: u64, to: u64) -> Part {
        let [first, second, square_wide] = [2 * from + 1, 2 * from + 3, square].map(u128::from);
        if to - from == 1 {
            return Part { b: first.into(), all: (first * square_wide).into(), t: UBig::ONE };
        }
        if to - from == 2 {
            let b = first * second;
            let t = second * square_wide + first;
            return Part {
                b: b.into(),
                all: UBig::from(b) * (square_wide * square_wide),
                t: t.into(),
            };
        }
        let middle = from + ((to - from) / 2).next_multiple_of(2);
        let (low, high) = (part(square, from, middle), part(square, middle, to));
        Part {
            t: product(&low.t, &high.all) + product(&low.b, &high.t),
            b: product(&low.b, &high.b),
            all: product(&low.all, &high.all),
        }
    }
    let square = u64::from(n) * u64::from(n);
    let terms = scale as u64 / u64::from(square.ilog2()) + 2;
    let whole = part(square, 0, terms);
    let (sum, _) = divide(&((whole.t * n) << scale), &whole.all);
    sum
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
        let all = compute_logarithms(200);
        assert!(near(
            &all[0],
            &digits("06931471805599453094172321214581765680755001343602552541206800094933936", 200)
        ));
        assert!(near(
            &compute_pi(200),
            &digits("31415926535897932384626433832795028841971693993751058209749445923078164", 200)
        ));
        for scale in (1..60).chain([64, 100, 777, 5_000, 40_000]) {
            let wide = compute_logarithms(scale + 100);
            for (narrow, wide) in compute_logarithms(scale).iter().zip(&wide) {
                assert!(near(narrow, &(wide >> 100)), "{scale}");
            }
            assert!(near(&compute_pi(scale), &(compute_pi(scale + 100) >> 100)), "{scale}");
        }
        for (logarithm, of) in all.iter().zip([2f64, 3.0, 5.0, 7.0]) {
            assert!(((logarithm >> 140).to_f64().value() / 2f64.powi(60) - of.ln()).abs() < 1e-14);
        }
    }
}
