//! The first digits of a number, correctly rounded, without big arithmetic.
//!
//! Printing p digits means multiplying or dividing by a power of ten and rounding to an integer. A
//! power up to 10^22 is exact, so the result q is within half a unit in its last place of the true
//! value. Below 2^52 integers and halves are multiples of that unit, so both are on the same side
//! of every half unless q *is* a half; then the sign of the error, exact by fused multiply-add,
//! decides. Ties go to even, as in libc.

use super::powers::EXACT_POWERS;

/// Above this a double has no half to round at.
const LIMIT: f64 = (1u64 << 52) as f64;

/// `digits`, read as d.ddd with `precision` digits in all, times ten to the `exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    /// An integer from 10^(precision - 1) to 10^precision - 1.
    pub(crate) digits: u64,
    pub(crate) exponent: i32,
}

/// `magnitude * 10^places` as a rounded integer: the digits of `%.{places}f`. `None` when out of
/// range.
#[inline]
pub(crate) fn fixed_digits(magnitude: f64, places: usize) -> Option<u64> {
    scale(magnitude, i32::try_from(places).ok()?)
}

/// The first `precision` digits (1 to 15) of a positive number, as in `%.{precision - 1}e`. `None`
/// when out of range.
#[inline]
pub(crate) fn general_digits(magnitude: f64, precision: usize) -> Option<Decimal> {
    if !(1..=15).contains(&precision) || !(1e-15..1e22).contains(&magnitude) {
        return None;
    }
    let last = precision as i32 - 1;
    let limit = EXACT_POWERS[precision] as u64;
    // 78913 / 2^18 is log10(2); the guess is right or one too low, as the mantissa adds less than a
    // digit.
    let binary = (magnitude.to_bits() >> 52) as i32 - 1023;
    let mut exponent = (binary * 78913) >> 18;
    let mut digits = scale(magnitude, last - exponent)?;
    // Also 9.9999996, which with six digits is 10.0000.
    if digits >= limit {
        exponent += 1;
        digits = scale(magnitude, last - exponent)?;
    }
    if digits < limit / 10 {
        return None;
    }
    Some(Decimal { digits, exponent })
}

/// `magnitude * 10^power` rounded, ties to even; `None` from 2^52, or if the power is not exact.
#[inline]
fn scale(magnitude: f64, power: i32) -> Option<u64> {
    let ten = *EXACT_POWERS.get(power.unsigned_abs() as usize)?;
    let scaled = if power < 0 { magnitude / ten } else { magnitude * ten };
    if scaled >= LIMIT || scaled.is_nan() {
        return None;
    }
    let whole = scaled as u64;
    let fraction = scaled - whole as f64;
    let up = if fraction == 0.5 {
        // The sign of what the true value has beyond the half.
        let beyond = if power < 0 {
            scaled.mul_add(-ten, magnitude)
        } else {
            magnitude.mul_add(ten, -scaled)
        };
        beyond > 0.0 || beyond == 0.0 && whole & 1 == 1
    } else {
        fraction > 0.5
    };
    Some(whole + u64::from(up))
}

#[cfg(test)]
mod tests {
    use super::{Decimal, fixed_digits, general_digits};

    #[test]
    fn ties_go_to_even_and_near_ties_to_their_side() {
        assert_eq!([0.5, 1.5, 2.5, 3.5].map(|n| fixed_digits(n, 0)), [0, 2, 2, 4].map(Some));
        // All are below the tie but 0.375, which is on it.
        let rounded = [0.145, 1.115, 0.155, 2.675, 1.005, 0.375].map(|n| fixed_digits(n, 2));
        let exact = [0.145, 1.115, 0.155, 2.675, 1.005, 0.375f64]
            .map(|n| format!("{n:.2}").replace('.', "").parse().ok());
        assert_eq!(rounded, exact);
    }

    #[test]
    fn carries_into_one_digit_more() {
        assert_eq!(general_digits(9.999_999_6, 6), Some(Decimal { digits: 100_000, exponent: 1 }));
        assert_eq!(general_digits(0.1, 6), Some(Decimal { digits: 100_000, exponent: -1 }));
        assert_eq!(general_digits(123_456.5, 6), Some(Decimal { digits: 123_456, exponent: 5 }));
    }

    #[test]
    fn says_so_when_out_of_range() {
        assert_eq!(fixed_digits(1e16, 0), None);
        assert_eq!(fixed_digits(1.0, 23), None);
        assert_eq!(general_digits(1.0, 16), None);
        assert_eq!(general_digits(1e300, 6), None);
        assert_eq!(general_digits(0.0, 6), None);
    }
}
