//! `%d`, `%i`, `%u`, `%o`, `%x`, `%X`.

use super::layout::{Case, Layout, group, insert, write_special};
use super::{FormatError, placed, real};
use crate::number::{NumberSyntax, write_integral};
use riverhawk_precise::Sign;

/// 2^64
const UNSIGNED_LIMIT: f64 = 18_446_744_073_709_551_616.0;
/// -2^63: negative numbers down to here wrap around, as in C.
const SIGNED_LIMIT: f64 = -9_223_372_036_854_775_808.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Radix {
    Decimal,
    Octal,
    Hexadecimal(Case),
}

/// `%d` and `%i`: the integer part, however large.
pub(super) fn write_signed(n: f64, layout: &Layout, out: &mut Vec<u8>) -> Result<(), FormatError> {
    if write_special(n, Case::Lower, layout, out)? {
        return Ok(());
    }
    let small = n as i64;
    if layout.precision.is_none()
        && !layout.flags.group
        && small.unsigned_abs() < 1 << 53
        && placed::write(Sign::from(small < 0), small.unsigned_abs(), 0, layout, out)
    {
        return Ok(());
    }
    let whole = n.trunc();
    let start = out.len();
    out.extend_from_slice(layout.sign(Sign::from(whole < 0.0)));
    let digits_at = out.len();
    // gawk tests before truncating: `%.0d` of 0.5 is 0, of 0 nothing.
    if n != 0.0 || layout.precision != Some(0) {
        write_integral(whole.abs(), out);
    }
    if layout.flags.group {
        let end = out.len();
        group(out, digits_at, end);
    }
    layout.finish_integer(start, digits_at, out)
}

/// `%u`, `%o`, `%x`, `%X`: two's complement, or `%g` for what 64 bits do not hold.
pub(super) fn write_unsigned(
    n: f64,
    radix: Radix,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    // By POSIX's rules such a number is in lower case.
    let case = if NumberSyntax::get().is_posix() { Case::Lower } else { radix.case() };
    if write_special(n, case, layout, out)? {
        return Ok(());
    }
    let whole = n.trunc();
    if !(SIGNED_LIMIT..UNSIGNED_LIMIT).contains(&whole) {
        return real::write(n, real::Form::General, Case::Lower, &as_general(radix, layout), out);
    }
    let value = if whole < 0.0 { whole as i64 as u64 } else { whole as u64 };
    let start = out.len();
    if n != 0.0 {
        out.extend_from_slice(radix.prefix(layout));
    }
    let digits_at = out.len();
    if n != 0.0 || layout.precision != Some(0) {
        match radix {
            Radix::Decimal => out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes()),
            Radix::Octal => write_digits(value, 3, b"01234567", out),
            Radix::Hexadecimal(Case::Lower) => write_digits(value, 4, b"0123456789abcdef", out),
            Radix::Hexadecimal(Case::Upper) => write_digits(value, 4, b"0123456789ABCDEF", out),
        }
    }
    finish_unsigned(radix, start, digits_at, layout, out)
}

fn as_general(radix: Radix, layout: &Layout) -> Layout {
    let mut layout = *layout;
    layout.flags.group &= radix == Radix::Decimal;
    layout.flags.zero &= layout.precision.is_none();
    layout.flags.alternate &= radix != Radix::Decimal;
    layout
}

pub(super) fn finish_unsigned(
    radix: Radix,
    start: usize,
    digits_at: usize,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    let digits = &out[digits_at..];
    if radix == Radix::Octal
        && layout.flags.alternate
        && digits.len() >= layout.precision.unwrap_or(0)
        && digits.first() != Some(&b'0')
    {
        insert(out, digits_at, 1, b'0')?;
    }
    if layout.flags.group && radix == Radix::Decimal {
        let end = out.len();
        group(out, digits_at, end);
    }
    layout.finish_integer(start, digits_at, out)
}

fn write_digits(value: u64, bits: u32, digits: &[u8], out: &mut Vec<u8>) {
    let count = (64 - value.leading_zeros()).div_ceil(bits).max(1);
    out.extend(
        (0..count)
            .rev()
            .map(|place| digits[(value >> (bits * place)) as usize & (digits.len() - 1)]),
    );
}

impl Radix {
    /// The prefix of `#` for a number not 0. As in gawk, tested before truncating.
    pub(super) fn prefix(self, layout: &Layout) -> &'static [u8] {
        match self {
            Radix::Hexadecimal(case) if layout.flags.alternate => case.hexadecimal_prefix(),
            _ => b"",
        }
    }

    pub(super) fn case(self) -> Case {
        match self {
            Radix::Hexadecimal(case) => case,
            Radix::Decimal | Radix::Octal => Case::Lower,
        }
    }
}
