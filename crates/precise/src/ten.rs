//! Powers of five, which are powers of ten but for a shift.
//!
//! `1e300000000` has a thousand million bits, of which a result keeps a few dozen. A large power is
//! computed to some bits more than are needed, with a bound on the error; if that leaves the
//! rounding open, to more bits, and at last exactly.

use dashu_base::BitTest;
use dashu_int::UBig;

/// Powers up to this are computed exactly.
const MAX_EXACT: u64 = 2_000;

/// An integer times two to a power, and by less than how many units the exact value may be larger.
pub(crate) struct Power {
    pub mantissa: UBig,
    pub exponent: i64,
    /// 0 if it is exact.
    pub error: u64,
}

/// The powers that fit in two words.
const SMALL: [u128; 56] = {
    let mut powers = [1; 56];
    let mut at = 1;
    while at < 56 {
        powers[at] = powers[at - 1] * 5;
        at += 1;
    }
    powers
};

/// 5^n to about so many bits; exactly if it has not many more.
pub(crate) fn power_of_five(n: u64, bits: usize) -> Power {
    let exact = |mantissa| Power { mantissa, exponent: 0, error: 0 };
    if let Some(&small) = SMALL.get(n as usize) {
        return exact(UBig::from(small));
    }
    let exact_bits = (n as f64 * 5f64.log2()) as usize + 2;
    if n <= MAX_EXACT || exact_bits <= bits + bits / 2 {
        return exact(UBig::from(5u8).pow(n as usize));
    }
    // Each squaring doubles the relative error and each truncation adds 2^(1 - keep). At most 40
    // squarings matter, since exponents end at 2^30: with 72 more bits the error stays far below a
    // unit of the result.
    let keep = bits + 72;
    let mut power = Power { mantissa: UBig::ONE, exponent: 0, error: 0 };
    for at in (0..64 - n.leading_zeros()).rev() {
        power.mantissa = power.mantissa.sqr();
        power.exponent *= 2;
        if n >> at & 1 == 1 {
            power.mantissa *= 5u8;
        }
        power.truncate(keep);
    }
    power.truncate(bits);
    power
}

impl Power {
    fn truncate(&mut self, bits: usize) {
        let extra = self.mantissa.bit_len().saturating_sub(bits);
        if extra > 0 {
            self.mantissa >>= extra;
            self.exponent += extra as i64;
            self.error = 2;
        }
    }
}
