//! Number to text.

use crate::small::SmallStr;
use std::io::Write;

/// From here on every double is an integer, and does not fit an `i64`.
pub(crate) const I64_LIMIT: f64 = (1u64 << 63) as f64;

/// Whether `n` is a finite integer.
#[inline]
pub fn is_integral(n: f64) -> bool {
    // The conversion saturates, so large numbers and NaN need the second test.
    n as i64 as f64 == n && n.abs() < I64_LIMIT || n.abs() >= I64_LIMIT && n.is_finite()
}

/// Appends `n` in decimal.
#[inline]
pub fn write_integer(n: i64, out: &mut Vec<u8>) {
    match SmallStr::of_integer(n) {
        Some(digits) => digits.append_to(out),
        None => out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes()),
    }
}

/// Appends all digits of the integer part; zero has no sign.
pub(crate) fn write_integral(n: f64, out: &mut Vec<u8>) {
    if n.abs() < I64_LIMIT {
        write_integer(n as i64, out);
    } else {
        // A precision gives exact digits; without one the shortest are padded with zeros.
        let _ = write!(out, "{n:.0}");
    }
}

pub(crate) fn special_text(n: f64) -> Option<&'static [u8]> {
    match (n.is_nan(), n.is_infinite(), n.is_sign_negative()) {
        (true, _, false) => Some(b"+nan"),
        (true, _, true) => Some(b"-nan"),
        (_, true, false) => Some(b"+inf"),
        (_, true, true) => Some(b"-inf"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_integral;

    #[test]
    fn integral_numbers_are_told_from_the_rest_at_every_size() {
        for n in [
            0.0,
            -0.0,
            1.0,
            -7.0,
            9_007_199_254_740_993.0,
            9_223_372_036_854_775_808.0,
            -9.3e18,
            1e300,
        ] {
            assert!(is_integral(n), "{n}");
        }
        for n in [0.5, -1e-300, 4503599627370495.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(!is_integral(n), "{n}");
        }
    }
}
