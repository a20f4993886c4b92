//! `%e`, `%f`, `%g`: digits exact at any precision.
//!
//! Up to 15 digits come from one multiplication ([`crate::number`]'s decimal arithmetic), more from
//! the standard library, which has no `%g` and no precision above 65,535. A double has at most
//! 1,074 decimal places and 767 significant digits.

use super::layout::{Case, Flags, Layout, group, insert, write_special};
use super::{FormatError, hexadecimal, placed};
use crate::number::{fixed_digits, general_digits, localise, special_text, write_integral};
use riverhawk_precise::Sign;
use std::io::Write;

/// More places than any double has.
const MAX_PLACES: usize = 1100;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `%f`
    Fixed,
    /// `%e`
    Exponent,
    /// `%g`
    General,
    /// `%a`
    Hexadecimal,
}

/// Without flags and width.
#[inline]
pub(super) fn write_fixed(n: f64, places: usize, out: &mut Vec<u8>) {
    if let Some(digits) = fixed_digits(n.abs(), places)
        && placed::write(Sign::from(n.is_sign_negative()), digits, places, &Layout::default(), out)
    {
        return;
    }
    let start = out.len();
    if let Some(text) = special_text(n) {
        out.extend_from_slice(text);
    } else {
        let _ = write!(out, "{n:.places$}");
    }
    localise(out, start);
}

/// Without flags and width.
#[inline]
pub(crate) fn write_general(n: f64, precision: u8, out: &mut Vec<u8>) {
    let start = out.len();
    if let Some(decimal) = general_digits(n.abs(), precision.into()) {
        if n.is_sign_negative() {
            out.push(b'-');
        }
        let mut buffer = itoa::Buffer::new();
        place_general(
            buffer.format(decimal.digits).as_bytes(),
            decimal.exponent,
            precision.into(),
            Flags::default(),
            Case::Lower,
            out,
        );
    } else if let Some(text) = special_text(n) {
        out.extend_from_slice(text);
    } else {
        if n.is_sign_negative() {
            out.push(b'-');
        }
        let (digits, exponent) = exact_digits(n.abs(), usize::from(precision).max(1));
        let precision = usize::from(precision).max(1);
        place_general(&digits, exponent, precision, Flags::default(), Case::Lower, out);
    }
    localise(out, start);
}

pub(super) fn write(
    n: f64,
    form: Form,
    case: Case,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    if write_special(n, case, layout, out)? {
        return Ok(());
    }
    let magnitude = n.abs();
    let alternate = layout.flags.alternate;
    let precision = layout.precision.unwrap_or(6);
    if form == Form::Fixed
        && !(layout.flags.group || alternate)
        && let Some(digits) = fixed_digits(magnitude, precision)
        && placed::write(Sign::from(n.is_sign_negative()), digits, precision, layout, out)
    {
        return Ok(());
    }
    let start = out.len();
    out.extend_from_slice(layout.sign(Sign::from(n.is_sign_negative())));
    let mut digits_at = out.len();
    match form {
        Form::Fixed => {
            write_fixed(magnitude, precision.min(MAX_PLACES), out);
            let end = out.len();
            insert(out, end, precision.saturating_sub(MAX_PLACES), b'0')?;
            if alternate && precision == 0 {
                out.push(b'.');
            }
        }
        Form::Exponent => {
            let (digits, exponent) = exact_digits(magnitude, precision.min(MAX_PLACES) + 1);
            place_exponent(&digits, exponent, precision, layout.flags, case, out)?;
        }
        Form::General => {
            let precision = precision.max(1);
            let (mut digits, exponent) = exact_digits(magnitude, precision.min(MAX_PLACES));
            if alternate {
                let len = digits.len();
                insert(&mut digits, len, precision.saturating_sub(len), b'0')?;
            }
            place_general(&digits, exponent, precision, layout.flags, case, out);
        }
        Form::Hexadecimal => {
            digits_at = hexadecimal::write(magnitude, layout.precision, layout.flags, case, out)?
        }
    }
    localise(out, start);
    if layout.flags.group && matches!(form, Form::Fixed | Form::General) {
        let whole = out[digits_at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        group(out, digits_at, digits_at + whole);
    }
    layout.pad_number(out, start, digits_at)
}

fn exact_digits(magnitude: f64, count: usize) -> (Vec<u8>, i32) {
    if let Some(decimal) = general_digits(magnitude, count) {
        return (itoa::Buffer::new().format(decimal.digits).as_bytes().to_vec(), decimal.exponent);
    }
    let text = format!("{magnitude:.places$e}", places = count - 1);
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = digits.bytes().filter(u8::is_ascii_digit).collect();
    (digits, exponent.parse().unwrap_or(0))
}

/// C's rule for `%g`: `%e` if the exponent is below -4 or not below the precision; trailing zeros
/// only with `#`.
pub(super) fn place_general(
    digits: &[u8],
    exponent: i32,
    precision: usize,
    flags: Flags,
    case: Case,
    out: &mut Vec<u8>,
) {
    let kept = if flags.alternate {
        digits.len()
    } else {
        digits.iter().rposition(|&digit| digit != b'0').map_or(1, |last| last + 1)
    };
    let digits = &digits[..kept];
    match usize::try_from(exponent) {
        Ok(exponent) if exponent < precision => {
            let whole = exponent + 1;
            if kept <= whole {
                out.extend_from_slice(digits);
                out.resize(out.len() + whole - kept, b'0');
                if flags.alternate {
                    out.push(b'.');
                }
            } else {
                out.extend_from_slice(&digits[..whole]);
                out.push(b'.');
                out.extend_from_slice(&digits[whole..]);
            }
        }
        Err(_) if exponent >= -4 => {
            out.extend_from_slice(b"0.");
            out.extend_from_slice(&b"000"[..(-1 - exponent) as usize]);
            out.extend_from_slice(digits);
        }
        _ => {
            out.push(digits[0]);
            if kept > 1 || flags.alternate {
                out.push(b'.');
            }
            out.extend_from_slice(&digits[1..]);
            write_exponent(exponent, case, out);
        }
    }
}

pub(super) fn place_exponent(
    digits: &[u8],
    exponent: i32,
    precision: usize,
    flags: Flags,
    case: Case,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    out.push(digits[0]);
    if precision > 0 || flags.alternate {
        out.push(b'.');
    }
    out.extend_from_slice(&digits[1..]);
    let end = out.len();
    insert(out, end, (precision + 1).saturating_sub(digits.len()), b'0')?;
    write_exponent(exponent, case, out);
    Ok(())
}

fn write_exponent(exponent: i32, case: Case, out: &mut Vec<u8>) {
    out.push(case.letter(b'e'));
    out.push(if exponent < 0 { b'-' } else { b'+' });
    if exponent.abs() < 10 {
        out.push(b'0');
    }
    write_integral(exponent.abs().into(), out);
}
