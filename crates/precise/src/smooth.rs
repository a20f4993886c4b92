//! Fractions of small primes near a power of e: what is left of the exponent is so small that a
//! dozen of halvings are saved, and to multiply by the fraction takes a few words (after F.
//! Johansson, "Computing elementary functions using multi-prime argument reduction", 2022).

use crate::constants::logarithms;
use dashu_int::{IBig, UBig};

/// Fractions that are a little more than one, 8/7, 36/35, 126/125, 225/224, 65625/65536 and
/// 2401/2400: the logarithm, and the exponents of 2, 3, 5 and 7. Each is taken as often as brings a
/// number nearest to zero.
const STEPS: [(f64, [i32; 4]); 6] = [
    (0.13353139262452263, [3, 0, 0, -1]),
    (0.02817087696669632, [2, 2, -1, -1]),
    (0.007968169649176874, [1, 2, -3, 1]),
    (0.00445435034938028, [-5, 2, 2, -1]),
    (0.0013571109347999188, [-16, 1, 5, 1]),
    (0.00041657988521623276, [-5, -1, -2, 4]),
];

/// By so many bits, at least, what is left of an exponent is below one: half of the logarithm of
/// 2401/2400 is.
pub(crate) const REST_BITS: usize = 12;

/// A product of powers of 2, 3, 5 and 7.
pub(crate) struct Smooth([i32; 4]);

impl Smooth {
    /// The one next to e^x, or nearly so, for -1 <= x <= 1. Its powers of 3, 5 and 7 have a word at
    /// most.
    pub(crate) fn near(x: f64) -> Self {
        let mut exponents = [0; 4];
        let mut left = x;
        for (size, step) in STEPS {
            let times = (left / size).round();
            left -= times * size;
            for (exponent, of_step) in exponents.iter_mut().zip(step) {
                *exponent += of_step * times as i32;
            }
        }
        Self(exponents)
    }

    /// Its logarithm, off by less than 2^9.
    pub(crate) fn logarithm(&self, scale: usize) -> IBig {
        let of_primes = logarithms(scale);
        of_primes
            .into_iter()
            .zip(self.0)
            .map(|(logarithm, times)| IBig::from(logarithm) * times)
            .sum()
    }

    /// A number times this.
    pub(crate) fn times(&self, mut number: UBig) -> UBig {
        let [twos, others @ ..] = self.0;
        let power = |of: u64, times: i32| of.pow(times.unsigned_abs());
        let odd = || [3u64, 5, 7].into_iter().zip(others);
        for (of, times) in odd().filter(|&(_, times)| times > 0) {
            number *= power(of, times);
        }
        if twos > 0 {
            number <<= twos.unsigned_abs() as usize;
        }
        for (of, times) in odd().filter(|&(_, times)| times < 0) {
            number /= power(of, times);
        }
        if twos < 0 {
            number >>= twos.unsigned_abs() as usize;
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_near_and_of_a_word() {
        for part in -100_000..=100_000 {
            let x = f64::from(part) / 100_000.0;
            let near = Smooth::near(x);
            let logarithm: f64 = near
                .0
                .iter()
                .zip([2f64, 3.0, 5.0, 7.0])
                .map(|(&times, of)| f64::from(times) * of.ln())
                .sum();
            assert!((x - logarithm).abs() < 0.5f64.powi(REST_BITS as i32), "{x}");
            assert!(near.0.iter().map(|times| times.unsigned_abs()).sum::<u32>() < 256, "{x}");
            for (&times, of) in near.0[1..].iter().zip([3u64, 5, 7]) {
                assert!(of.checked_pow(times.unsigned_abs()).is_some(), "{x}: {:?}", near.0);
            }
            let power = near.times(UBig::ONE << 100).to_f64().value() / 2f64.powi(100);
            assert!((power.ln() - x).abs() < 0.5f64.powi(REST_BITS as i32), "{x}");
        }
    }
}
