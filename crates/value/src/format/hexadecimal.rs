//! `%a`, as in glibc: one digit before the point, 1, or 0 for subnormals.

use super::FormatError;
use super::layout::{Case, Flags, insert};

const FRACTION_BITS: usize = 52;

/// Appends a finite magnitude; returns the index of its digits, after `0x`.
pub(super) fn write(
    magnitude: f64,
    precision: Option<usize>,
    flags: Flags,
    case: Case,
    out: &mut Vec<u8>,
) -> Result<usize, FormatError> {
    let bits = magnitude.to_bits();
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let biased = (bits >> FRACTION_BITS) as i32;
    let exponent = match (biased, fraction) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => biased - 1023,
    };
    // The leading digit and 13 digits of fraction; rounding may carry into the former.
    let mut mantissa = fraction | u64::from(biased != 0) << FRACTION_BITS;
    let places = match precision {
        Some(places) if places < 13 => {
            let dropped = 4 * (13 - places);
            mantissa = round_half_even(mantissa, dropped) << dropped;
            places
        }
        Some(_) => 13,
        None if mantissa & ((1 << FRACTION_BITS) - 1) == 0 => 0,
        None => 13 - mantissa.trailing_zeros() as usize / 4,
    };

    out.extend_from_slice(case.hexadecimal_prefix());
    let digits_at = out.len();
    let digit = |place: usize| {
        let value = (mantissa >> (FRACTION_BITS - 4 * place)) as usize & 15;
        case.letter(b"0123456789abcdef"[value])
    };
    out.push(digit(0));
    if precision.unwrap_or(places) > 0 || flags.alternate {
        out.push(b'.');
    }
    out.extend((1..=places).map(digit));
    let end = out.len();
    insert(out, end, precision.unwrap_or(0).saturating_sub(places), b'0')?;
    out.push(case.letter(b'p'));
    out.push(if exponent < 0 { b'-' } else { b'+' });
    crate::number::write_integer(exponent.abs().into(), out);
    Ok(digits_at)
}

/// Rounds to nearest, ties to even.
fn round_half_even(n: u64, bits: usize) -> u64 {
    let kept = n >> bits;
    let (rest, half) = (n & ((1 << bits) - 1), 1 << (bits - 1));
    kept + u64::from(rest > half || rest == half && kept & 1 == 1)
}
