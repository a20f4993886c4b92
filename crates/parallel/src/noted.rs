//! What a piece notes about the numbers it meets.

/// Sums up to 2^51 are exact, since every integer below 2^53 is a double. The margin is for `++`
/// and `--`, which are not noted (that many take more than a month), and for the rounding in
/// [`Noted::addend`].
pub const EXACT_BELOW: f64 = 2_251_799_813_685_248.0;

/// 1.5 * 2^52: adding it rounds to an integer.
const ROUNDS: f64 = 6_755_399_441_055_744.0;

/// What a piece has met so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noted {
    /// The sum of absolute addends, a bound of any partial sum.
    pub addends: f64,
    /// Differences of addends from integers, ORed: zero if all were integers.
    pub fractions: u64,
    /// Whether a maximum or minimum met something that is no finite number.
    pub unordered: bool,
    /// Whether ERRNO was set, which END may read.
    pub failed: bool,
}

impl Noted {
    /// NaN and infinities count as fractions; too large numbers exceed the bound.
    #[inline]
    pub fn addend(&mut self, addend: f64) {
        self.addends += addend.abs();
        // An integer less itself is +0, with no bits set. `trunc` is a call without SSE4.1, and a
        // conversion to `i64` and back takes twice the instructions.
        self.fractions |= ((addend + ROUNDS - ROUNDS) - addend).to_bits();
    }

    /// Whether sums, added to `before`, are the same in any order.
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
