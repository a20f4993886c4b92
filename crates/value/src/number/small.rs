//! Which doubles are exact integers.

/// 2^53: from here on not every integer is a double.
pub const INTEGER_LIMIT: f64 = 9_007_199_254_740_992.0;

/// Whether the double is in the range of exact integers, so no integer was rounded to it. False for
/// NaN.
#[inline(always)]
pub fn is_small(number: f64) -> bool {
    number.abs() < INTEGER_LIMIT
}
