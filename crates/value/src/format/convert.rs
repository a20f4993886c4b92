//! Numbers to text.

use super::{Format, write_general};
use crate::number::{
    I64_LIMIT, decimal_point, special, special_text, write_integer, write_integral,
};
use riverhawk_memory as memory;
use riverhawk_precise::{Context, Number, in_base};

/// Appends `n` as awk does: integers of any size with all digits (`-0` is `0`), `+inf`, `-inf`,
/// `+nan`, `-nan`, and the rest by `format`, which is CONVFMT or OFMT.
///
/// A format that needs more than one argument, which [`Format::for_numbers`] refuses, is replaced
/// by `%.6g`.
///
/// ```
/// use riverhawk_value::{format::Format, number::number_to_text};
/// let convfmt = Format::parse(b"%.6g");
/// let mut out = Vec::new();
/// number_to_text(9_007_199_254_740_993.0, &convfmt, &mut out);
/// out.push(b' ');
/// number_to_text(3.14159265, &convfmt, &mut out);
/// assert_eq!(out, b"9007199254740992 3.14159");
/// ```
#[inline]
pub fn number_to_text(n: f64, format: &Format, out: &mut Vec<u8>) {
    let integer = n as i64;
    if integer as f64 == n && integer != i64::MAX {
        write_integer(integer, out);
    } else if let Some(precision) = format.general_precision()
        && n.is_finite()
        && n.abs() < I64_LIMIT
    {
        write_general(n, precision, out);
    } else {
        write_unusual(n, format, out);
    }
}

#[cold]
fn write_unusual(n: f64, format: &Format, out: &mut Vec<u8>) {
    if let Some(text) = special_text(n) {
        out.extend_from_slice(text);
    } else if n.abs() >= I64_LIMIT {
        write_integral(n, out);
    } else if format.write_number(n, out).is_err() && !memory::ran_out() {
        write_general(n, 6, out);
    }
}

/// Appends a number as awk does: integers with all digits, the rest by `format`, rounded by this
/// thread's [`Context`].
#[cold]
#[inline(never)]
pub fn precise_to_text(number: &Number, format: &Format, out: &mut Vec<u8>) {
    match number {
        Number::Float(float) if special(float).is_some() => {
            out.extend_from_slice(special(float).unwrap_or_default())
        }
        Number::Float(float) if !float.is_integral() => format.write_precise_number(number, out),
        number => {
            let integer = number.truncate().unwrap_or_default();
            out.extend_from_slice(&in_base(&integer, 10));
        }
    }
}

pub(crate) fn spelled_by(number: &Number, format: &Format) -> Option<u32> {
    match number {
        Number::Float(float) if special(float).is_some() => None,
        Number::Float(float) if !float.is_integral() => {
            let digits = u32::from(format.general_digits()?);
            Some(
                2 + (digits << 3 | Context::current().rounding as u32) * 256
                    + u32::from(decimal_point()),
            )
        }
        _ => Some(1),
    }
}
