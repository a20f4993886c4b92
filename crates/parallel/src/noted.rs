//! What a piece notes about the numbers it meets.

/// Sums up to 2^51 are exact, since below 2^53 every integer is a double. The margin is for `++`
/// and `--`, which are not noted (that many take more than a month), and for [`Noted::addend`],
/// whose rounding detects fractions only up to here.
pub const EXACT_BELOW: f64 = 2_251_799_813_685_248.0;

/// 1.5 * 2^52: adding it rounds to an integer, as long as doubles near the sum are the integers.
const ROUNDS: f64 = 6_755_399_441_055_744.0;

/// What a piece has met so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noted {
    /// The sum of the absolute addends, which bounds every partial sum in any order.
    pub addends: f64,
    /// The differences of addends from integers, ORed bit by bit: zero if each was an integer.
    pub fractions: u64,
    /// Whether a maximum or minimum was compared with something that is no finite number.
    pub unordered: bool,
    /// Whether ERRNO was set, which END may read.
    pub failed: bool,
}

impl Noted {
    /// Notes an addend. NaN and infinities count as fractions; numbers too large for the test
    /// exceed the bound.
    #[inline]
    pub fn addend(&mut self, addend: f64) {
        self.addends += addend.abs();
        // An integer less itself is +0, with no bits set. `trunc` is a call without SSE4.1, and
        // converting to `i64` and back takes twice as many instructions.
        self.fractions |= ((addend + ROUNDS - ROUNDS) - addend).to_bits();
    }

    /// Whether all sums, added to `before`, are the same in any order.
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
