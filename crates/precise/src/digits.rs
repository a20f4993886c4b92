//! Number to digits: as many as are asked for, the last one rounded once from the exact value.

use crate::decimal::digits_of;
use crate::float::{Float, Magnitude, shift_down};
use crate::product::product;
use crate::quotient::divide;
use crate::rounding::Rounding;
use crate::ten::{power_of_five, small_power_of_five};
use crate::words::{self, MOST, Room};
use dashu_base::{BitTest, Sign};
use dashu_int::{IBig, UBig};
use std::fmt::Write;

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
        let top = mantissa.bit_len() as i64 + binary;
        let leading = leading_fraction(mantissa);
        let estimate = (top as f64 + leading.log2()) * std::f64::consts::LOG10_2;
        let mut exponent = estimate.floor() as i64;
        // So near to a power of ten nobody can tell on which side of it.
        let is_near = (estimate - estimate.round()).abs() < 1e-6;
        loop {
            let scaled = decimal_scaled(
                mantissa,
                *binary,
                count as i64 - 1 - exponent,
                self.negative,
                rounding,
            );
            let digits = decimal(&scaled);
            match digits.len().cmp(&count) {
                // The estimate was one too small or too large, or rounding went up to the next
                // power of ten.
                std::cmp::Ordering::Greater if digits[1..].iter().all(|&digit| digit == b'0') => {
                    let digits = digits[..count].to_vec();
                    return Some(Digits { digits, exponent: exponent + 1 });
                }
                std::cmp::Ordering::Greater => exponent += 1,
                std::cmp::Ordering::Less => exponent -= 1,
                std::cmp::Ordering::Equal if is_near && digits[0] == b'1' => {
                    // If it is below, there is room for one digit more.
                    let power = count as i64 - exponent;
                    let below = decimal_scaled(mantissa, *binary, power, self.negative, rounding);
                    let below = decimal(&below);
                    return Some(match below.len() == count {
                        true => Digits { digits: below, exponent: exponent - 1 },
                        false => Digits { digits, exponent },
                    });
                }
                std::cmp::Ordering::Equal => return Some(Digits { digits, exponent }),
            }
        }
    }

    /// The magnitude as a whole number of 10^-places, rounded, in decimal: `0` if that is nothing.
    /// `None` if it is infinite or not a number.
    pub fn fixed_digits(&self, places: usize, rounding: Rounding) -> Option<Vec<u8>> {
        match &self.magnitude {
            Magnitude::Zero => Some(b"0".to_vec()),
            Magnitude::Finite(mantissa, binary) => Some(decimal(&decimal_scaled(
                mantissa,
                *binary,
                places as i64,
                self.negative,
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

    /// A number of digits, decimal or hexadecimal, behind which there are only zeros.
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
        let top = mantissa.bit_len() as i64 + binary;
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
            true => shift_down(mantissa, by as u64, false, self.negative, rounding),
            false => mantissa << by.unsigned_abs() as usize,
        };
        let mut digits = Vec::new();
        let mut text = String::new();
        let _ = write!(text, "{whole:x}");
        digits.extend_from_slice(text.as_bytes());
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
        Err(_) => digits_of(whole),
    }
}

/// An integer in a base of 2 to 36, lower case, with its sign.
pub fn in_base(integer: &IBig, base: u8) -> Vec<u8> {
    if let (10, Ok(small)) = (base, u64::try_from(integer)) {
        return itoa::Buffer::new().format(small).into();
    }
    if base == 10 {
        let (sign, words) = integer.as_sign_words();
        let mut digits = digits_of(&UBig::from_words(words));
        if sign == Sign::Negative {
            digits.insert(0, b'-');
        }
        return digits;
    }
    integer.in_radix(base.clamp(2, 36)).to_string().into_bytes()
}

/// The mantissa as a fraction between one half and one.
fn leading_fraction(mantissa: &UBig) -> f64 {
    let bits = mantissa.bit_len();
    let top = if bits > 64 { mantissa >> (bits - 64) } else { mantissa << (64 - bits) };
    u64::try_from(&top).unwrap_or(u64::MAX) as f64 / 2f64.powi(64)
}

/// As [`decimal_scaled`], if all of it is short.
fn short_scaled(
    mantissa: &[u64],
    binary: i64,
    power: i64,
    negative: bool,
    rounding: Rounding,
) -> Option<UBig> {
    let (five, len) = small_power_of_five(power.unsigned_abs())?;
    let five = &five[..len];
    let all = mantissa.len() + len;
    if all + 2 > MOST {
        return None;
    }
    let mut product: Room = [0; MOST];
    let (whole, by, more) = if power >= 0 {
        words::mul(&mut product[..all], mantissa, five);
        (&mut product[..all], binary + power, false)
    } else {
        // Two bits more than the integer has.
        let top = five[len - 1].leading_zeros() as usize;
        let up = usize::try_from(binary + power + 2 + top as i64).unwrap_or(0);
        if mantissa.len() + up / 64 + 2 > MOST {
            return None;
        }
        let all = (mantissa.len() + up / 64 + 1).max(len) + 1;
        let (mut dividend, mut divisor): (Room, [u64; 2]) = ([0; MOST], [0; 2]);
        words::place(&mut dividend[..all], mantissa, up);
        words::place(&mut divisor[..len], five, top);
        let quotient = &mut product[..all - len];
        words::divide(quotient, &mut dividend[..all], &divisor[..len]);
        let more = dividend[..len].iter().any(|&word| word != 0);
        (quotient, binary + power - up as i64 + top as i64, more)
    };
    let Ok(down) = usize::try_from(-by) else {
        return (!more).then(|| UBig::from_words(whole) << by.unsigned_abs() as usize);
    };
    if down == 0 && more {
        return None;
    }
    let half = down > 0 && words::bit(whole, down - 1);
    let rest = more || (down > 1 && words::any_below(whole, down - 1));
    words::shift_down(whole, down);
    let mut rounded = UBig::from_words(whole);
    if rounding.grows(negative, whole[0] & 1 == 1, half, rest) {
        rounded += UBig::ONE;
    }
    Some(rounded)
}

/// `mantissa * 2^binary * 10^power` rounded to an integer.
fn decimal_scaled(
    mantissa: &UBig,
    binary: i64,
    power: i64,
    negative: bool,
    rounding: Rounding,
) -> UBig {
    if let Some(scaled) = short_scaled(mantissa.as_words(), binary, power, negative, rounding) {
        return scaled;
    }
    // As many bits as the integer has, and some for what is behind its point.
    let whole =
        (mantissa.bit_len() as i64 + binary) as f64 + power as f64 * std::f64::consts::LOG2_10;
    let mut bits = whole.max(0.0) as usize + 96;
    loop {
        // Ten to a power is five to it, shifted.
        let five = power_of_five(power.unsigned_abs(), bits);
        let round = |number: &UBig, by: i64, more: bool| match u64::try_from(by) {
            Ok(down) => shift_down(number, down, more, negative, rounding),
            Err(_) => number << by.unsigned_abs() as usize,
        };
        let (least, most) = if power >= 0 {
            let product = product(mantissa, &five.mantissa);
            let down = -(binary + power + five.exponent);
            if five.error > 0 && down <= 0 {
                bits *= 2;
                continue;
            }
            let high = &product + mantissa * UBig::from(five.error.saturating_sub(1));
            (round(&product, down, five.error > 0), round(&high, down, five.error > 0))
        } else {
            // Divided by five to a power, and shifted: two bits more than the integer has say how
            // it is rounded.
            let shift = binary + power - five.exponent;
            let up = (shift + 2).max(0) as usize;
            let down = up as i64 - shift;
            let (quotient, rest) = divide(&(mantissa << up), &five.mantissa);
            let most = round(&quotient, down, five.error > 0 || !rest.is_zero());
            if five.error == 0 {
                return most;
            }
            (round(&divide(&(mantissa << up), &(five.mantissa + five.error)).0, down, true), most)
        };
        if least == most {
            return least;
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
