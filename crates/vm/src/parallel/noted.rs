//! What a piece notes about the numbers it has met.

use crate::runtime::Runtime;
use riverhawk_value::Value;

/// Sums up to here are exact: below 2^53 every integer is a double. Half of it is left to `++` and `--`, which are not noted:
/// 2^52 of them take more than a month.
pub const EXACT_BELOW: f64 = 4_503_599_627_370_496.0;

/// What a piece of a parallel run has met so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noted {
    /// The sizes of all addends, added up. No sum, and no part of a sum in any order, is larger than this.
    pub addends: f64,
    /// An addend was no integer.
    pub fraction: bool,
    /// Something that is no finite number was compared with the greatest or least value so far.
    pub unordered: bool,
    /// ERRNO was set, which stays for END to look at.
    pub failed: bool,
}

impl Noted {
    /// Notes an addend. NaN and infinities count as fractions; what is beyond an `i64` takes the sum of sizes past every bound.
    #[inline]
    pub fn addend(&mut self, addend: f64) {
        self.addends += addend.abs();
        // `trunc` is a call where SSE4.1 is not taken for granted: 4 % of a column sum.
        self.fraction |= addend as i64 as f64 != addend;
    }

    /// Whether all sums came out as they would have in any other order, given what was there before.
    pub fn sums_are_exact(&self, before: f64) -> bool {
        !self.fraction && self.addends + before < EXACT_BELOW
    }
}

impl Runtime {
    /// Notes a value that is compared with the greatest or least so far. One that was never assigned could not be told from an
    /// element that nothing was assigned to.
    pub(crate) fn note_comparand(&mut self, value: &Value) {
        let record = self.record.text();
        let nothing = matches!(value, Value::Uninit | Value::Unassigned | Value::NoField | Value::Untyped(_));
        self.notes.unordered |= nothing || !value.is_numeric(record) || !value.number(record).is_finite();
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
        assert!(!exact(&[f64::NAN]));
        assert!(!exact(&[f64::INFINITY]));
        assert!(!exact(&[1.0, f64::NEG_INFINITY]));
        assert!(!exact(&[EXACT_BELOW / 2.0, -EXACT_BELOW / 2.0]));
        assert!(!Noted::default().sums_are_exact(EXACT_BELOW));
    }
}
