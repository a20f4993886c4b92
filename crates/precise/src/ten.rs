//! Powers of ten so large that nobody wants all their digits.
//!
//! `1e300000000` has a thousand million bits, of which a result keeps a few dozen. The power is
//! computed to a little more than that, with a bound on the error; if that leaves the rounding
//! open, it is computed further, and at last exactly.

use crate::product::{power, squared};
use dashu_base::BitTest;
use dashu_int::UBig;

/// Up to here powers are computed exactly: a microsecond or two.
const EXACT: u64 = 2_000;

/// An integer times two to a power, and by how many units the true value may be larger.
pub(crate) struct Power {
    pub mantissa: UBig,
    pub exponent: i64,
    /// 0: it is exact.
    pub error: u64,
}

/// The powers of five that fit in two words.
const FIVES: [u128; 56] = {
    let mut powers = [1; 56];
    let mut at = 1;
    while at < 56 {
        powers[at] = powers[at - 1] * 5;
        at += 1;
    }
    powers
};

/// 5^n as words, if there are no more than two.
#[inline]
pub(crate) fn small_power_of_five(n: u64) -> Option<([u64; 2], usize)> {
    let power = *FIVES.get(usize::try_from(n).ok()?)?;
    let words = [power as u64, (power >> 64) as u64];
    Some((words, 1 + usize::from(words[1] != 0)))
}

/// 5^n to about so many bits; exactly if it has not many more.
pub(crate) fn power_of_five(n: u64, bits: usize) -> Power {
    let exact_bits = (n as f64 * 5f64.log2()) as usize + 2;
    if n <= EXACT || exact_bits <= bits + bits / 2 {
        return Power { mantissa: power(&UBig::from(5u8), n as usize), exponent: 0, error: 0 };
    }
    // Each squaring doubles the relative error and each truncation adds 2^(1 - keep). No more than
    // 40 squarings matter, since exponents end at 2^30, so 72 bits more are enough for the
    // error to stay far below one unit of what is kept in the end.
    let keep = bits + 72;
    let mut power = Power { mantissa: UBig::ONE, exponent: 0, error: 0 };
    let mut was_cut = false;
    for at in (0..64 - n.leading_zeros()).rev() {
        power.mantissa = squared(&power.mantissa);
        power.exponent *= 2;
        if n >> at & 1 == 1 {
            power.mantissa *= 5u8;
        }
        let extra = power.mantissa.bit_len().saturating_sub(keep);
        if extra > 0 {
            power.mantissa >>= extra;
            power.exponent += extra as i64;
            was_cut = true;
        }
    }
    let extra = power.mantissa.bit_len().saturating_sub(bits);
    let error = if was_cut || extra > 0 { 2 } else { 0 };
    Power { mantissa: power.mantissa >> extra, exponent: power.exponent + extra as i64, error }
}
