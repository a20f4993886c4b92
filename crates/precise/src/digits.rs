//! Number to digits: as many as are asked for, the last one rounded once from the exact value.

use crate::fixed::to_double;
use crate::float::{Float, Magnitude, round_off, top};
use crate::rounding::{Rounding, Sticky};
use crate::ten::power_of_five;
use dashu_base::{BitTest, DivRem, Sign};
use dashu_int::{IBig, UBig};
use std::cmp::Ordering;

/// Digits of a magnitude that is not zero, and where the point stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digits {
    /// ASCII digits, the first of them not zero.
    pub digits: Vec<u8>,
    /// The power of the base that the first digit counts.
    pub exponent: i64,
}

impl Float {
    /// The first `count` decimal digits, rounded; `None` if it is zero, infinite or not a number.
    pub fn significant_digits(&self, count: usize, rounding: Rounding) -> Option<Digits> {
        let Magnitude::Finite(mantissa, binary) = &self.magnitude else { return None };
        let count = count.max(1);
        // log10 of the magnitude, off by far less than one.
        let leading = to_double(mantissa, mantissa.bit_len());
        let estimate = (top(mantissa, *binary) as f64 + leading.log2()) * std::f64::consts::LOG10_2;
        let mut exponent = estimate.floor() as i64;
        // So near to a power of ten, the estimate does not say on which side of it.
        let is_near = (estimate - estimate.round()).abs() < 1e-6;
        loop {
            let scaled =
                decimal_scaled(mantissa, *binary, count as i64 - 1 - exponent, self.sign, rounding);
            let digits = decimal(&scaled);
            match digits.len().cmp(&count) {
                // The estimate was one too small or too large, or rounding went up to the next
                // power of ten.
                Ordering::Greater if digits[1..].iter().all(|&digit| digit == b'0') => {
                    let digits = digits[..count].to_vec();
                    return Some(Digits { digits, exponent: exponent + 1 });
                }
                Ordering::Greater => exponent += 1,
                Ordering::Less => exponent -= 1,
                Ordering::Equal if is_near && digits[0] == b'1' => {
                    // If it is below, there is room for one digit more.
                    let power = count as i64 - exponent;
                    let below = decimal_scaled(mantissa, *binary, power, self.sign, rounding);
                    let below = decimal(&below);
                    return Some(match below.len() == count {
                        true => Digits { digits: below, exponent: exponent - 1 },
                        false => Digits { digits, exponent },
                    });
                }
                Ordering::Equal => return Some(Digits { digits, exponent }),
            }
        }
    }

    /// The magnitude times 10^places, rounded to an integer, in decimal. `None` if it is infinite or
    /// not a number.
    pub fn fixed_digits(&self, places: usize, rounding: Rounding) -> Option<Vec<u8>> {
        match &self.magnitude {
            Magnitude::Zero => Some(b"0".to_vec()),
            Magnitude::Finite(mantissa, binary) => Some(decimal(&decimal_scaled(
                mantissa,
                *binary,
                places as i64,
                self.sign,
                rounding,
            ))),
            Magnitude::Infinite | Magnitude::Nan => None,
        }
    }

    /// How many decimal places it has; all further ones are zeros.
    pub fn decimal_places(&self) -> usize {
        match &self.magnitude {
            Magnitude::Finite(_, binary) => usize::try_from(-binary).unwrap_or(0),
            _ => 0,
        }
    }

    /// An upper bound on the number of digits, decimal or hexadecimal, that are not zeros at the end.
    pub fn most_digits(&self) -> usize {
        match &self.magnitude {
            Magnitude::Finite(mantissa, binary) => {
                mantissa.bit_len() + binary.unsigned_abs() as usize + 2
            }
            _ => 1,
        }
    }

    /// The first hexadecimal digit and `count` more, rounded, the first one's exponent counting in
    /// bits; all of them without `count`. Exponents are multiples of four, except that without
    /// further digits the first one is as large as can be, and a tie rounds away from
    /// zero, as in MPFR. `None` as for decimal digits.
    pub fn hexadecimal_digits(&self, count: Option<usize>, rounding: Rounding) -> Option<Digits> {
        let Magnitude::Finite(mantissa, binary) = &self.magnitude else { return None };
        let top = top(mantissa, *binary);
        let mut exponent = match count {
            Some(0) => top - 4,
            _ => (top - 1).div_euclid(4) * 4,
        };
        let bottom = match count {
            Some(count) => exponent - 4 * count as i64,
            None => {
                let lowest = binary + mantissa.trailing_zeros().unwrap_or(0) as i64;
                lowest.div_euclid(4) * 4
            }
        };
        let by = bottom - binary;
        let whole = match by > 0 {
            true if count == Some(0) && rounding == Rounding::Nearest => {
                ((mantissa >> (by as usize - 1)) + UBig::ONE) >> 1
            }
            true => round_off(mantissa.clone(), by as u64, Sticky::Clear, self.sign, rounding),
            false => mantissa << by.unsigned_abs() as usize,
        };
        let mut digits = whole.in_radix(16).to_string().into_bytes();
        let wanted = ((exponent - bottom.min(exponent)) / 4 + 1) as usize;
        if digits.len() > wanted {
            // Rounded up to the next power of sixteen.
            digits.truncate(wanted);
            exponent += 4;
        }
        Some(Digits { digits, exponent })
    }
}

/// An integer in decimal.
pub fn decimal(whole: &UBig) -> Vec<u8> {
    match u64::try_from(whole) {
        Ok(small) => itoa::Buffer::new().format(small).into(),
        Err(_) => whole.to_string().into_bytes(),
    }
}

/// An integer in a base of 2 to 36, lower case, with its sign.
pub fn in_base(integer: &IBig, base: u8) -> Vec<u8> {
    match (base, u64::try_from(integer)) {
        (10, Ok(small)) => itoa::Buffer::new().format(small).into(),
        (10, Err(_)) => integer.to_string().into_bytes(),
        _ => integer.in_radix(base.clamp(2, 36)).to_string().into_bytes(),
    }
}

/// `mantissa * 2^binary * 10^power` rounded to an integer.
fn decimal_scaled(
    mantissa: &UBig,
    binary: i64,
    power: i64,
    sign: Sign,
    rounding: Rounding,
) -> UBig {
    // As many bits as the integer has, and some behind its point.
    let whole = top(mantissa, binary) as f64 + power as f64 * std::f64::consts::LOG2_10;
    let mut bits = whole.max(0.0) as usize + 96;
    loop {
        let five = power_of_five(power.unsigned_abs(), bits);
        let round = |number: UBig, down: i64, sticky| match u64::try_from(down) {
            Ok(down) => round_off(number, down, sticky, sign, rounding),
            Err(_) => number << down.unsigned_abs() as usize,
        };
        if power >= 0 {
            let product = mantissa * &five.mantissa;
            let down = -(binary + power + five.exponent);
            if five.error == 0 {
                return round(product, down, Sticky::Clear);
            }
            if down > 0 {
                let high = &product + mantissa * (five.error - 1);
                let low = round(product, down, Sticky::Set);
                if low == round(high, down, Sticky::Set) {
                    return low;
                }
            }
        } else {
            // The quotient has two bits more than the integer.
            let shift = binary + power - five.exponent;
            let up = (shift + 2).max(0) as usize;
            let down = up as i64 - shift;
            let dividend = mantissa << up;
            let (quotient, remainder) = (&dividend).div_rem(&five.mantissa);
            if five.error == 0 {
                return round(quotient, down, Sticky::of(&remainder));
            }
            let high = round(quotient, down, Sticky::Set);
            if high == round(dividend / (five.mantissa + five.error), down, Sticky::Set) {
                return high;
            }
        }
        bits *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Context;

    #[test]
    fn what_is_a_little_below_a_power_of_ten_keeps_its_nines_while_they_are_nearer() {
        let below_one =
            Context::bits(61).sub(&Float::from_f64(1.0), &Float::from_f64(2f64.powi(-60)));
        let digits = |count| below_one.significant_digits(count, Rounding::Nearest).unwrap();
        assert_eq!(digits(18), Digits { digits: vec![b'9'; 18], exponent: -1 });
        assert_eq!(digits(17).exponent, 0);
        assert_eq!(digits(19).digits, b"9999999999999999991");
    }
}
