//! Which doubles are exact integers.

/// 2^53: from here on not every integer is a double.
pub const INTEGER_LIMIT: f64 = 9_007_199_254_740_992.0;

/// Whether a double lies where every integer is one, so that what came out as it was not rounded
/// from an integer. Not so of NaN.
#[inline(always)]
pub fn is_small(number: f64) -> bool {
    number.abs() < INTEGER_LIMIT
}
