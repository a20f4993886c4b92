//! What a piece notes about the numbers it has met.

/// Sums up to here, 2^51, are exact: below 2^53 every integer is a double. The rest is left to `++`
/// and `--`, which are not noted (so many of them take more than a month), and to
/// [`Noted::addend`], whose rounding tells fractions only up to here.
pub const EXACT_BELOW: f64 = 2_251_799_813_685_248.0;

/// 1.5 * 2^52: what is added to it is rounded to an integer, as long as the sum stays where doubles
/// are the integers.
const ROUNDS: f64 = 6_755_399_441_055_744.0;

/// What a piece of a parallel run has met so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noted {
    /// The sizes of all addends, added up. No sum, and no part of a sum in any order, is larger
    /// than this.
    pub addends: f64,
    /// What addends differed by from integers, bit by bit: zero as long as each was one.
    pub fractions: u64,
    /// Something that is no finite number was compared with the greatest or least value so far.
    pub unordered: bool,
    /// ERRNO was set, which stays for END to look at.
    pub failed: bool,
}

impl Noted {
    /// Notes an addend. NaN and infinities count as fractions; what is too large to be told takes
    /// the sum of sizes past the bound.
    #[inline]
    pub fn addend(&mut self, addend: f64) {
        self.addends += addend.abs();
        // An integer less itself is +0, whose bits are all zero. `trunc` is a call where SSE4.1 is
        // not taken for granted, and a conversion to `i64` and back takes twice as many
        // instructions.
        self.fractions |= ((addend + ROUNDS - ROUNDS) - addend).to_bits();
    }

    /// Whether all sums came out as they would have in any other order, given what was there
    /// before.
    pub fn sums_are_exact(&self, before: f64) -> bool {
        self.fractions == 0 && self.addends + before < EXACT_BELOW
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(addends: &[f64]) -> bool {
        let mut noted = Noted::default();
        addends.iter().for_each(|&addend| noted.addend(addend));
        noted.sums_are_exact(0.0)
    }

    #[test]
    fn integers_below_the_bound_are_exact_and_everything_else_is_not() {
        assert!(exact(&[]));
        assert!(exact(&[1.0, -2.0, 0.0, -0.0, 1e15]));
        assert!(!exact(&[0.5, 0.5]));
        assert!(exact(&[EXACT_BELOW - 1.0]));
        assert!(exact(&[1.0 - EXACT_BELOW]));
        assert!(!exact(&[EXACT_BELOW - 0.5]));
        assert!(!exact(&[0.5 - EXACT_BELOW]));
        assert!(!exact(&[1e-300]));
        assert!(!exact(&[f64::NAN]));
        assert!(!exact(&[f64::INFINITY]));
        assert!(!exact(&[1.0, f64::NEG_INFINITY]));
        assert!(!exact(&[EXACT_BELOW / 2.0, -EXACT_BELOW / 2.0]));
        assert!(!Noted::default().sums_are_exact(EXACT_BELOW));
    }
}
