//! `%s` and `%c`.

use super::layout::{Layout, append_blanks};
use super::{FormatArgs, FormatError};
use riverhawk_memory::Growing;
use riverhawk_text::{Unit, char_to_byte, encode_code_point, length};

/// `%s`: the precision is the maximum of characters.
pub(super) fn write_text<A: FormatArgs + ?Sized>(
    args: &mut A,
    argument: usize,
    layout: &Layout,
    unit: Unit,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    let start = out.len();
    if layout.precision.is_none()
        && let Some(text) = args.as_text(argument)
    {
        // Padding first, so that nothing moves.
        let missing = layout.width.saturating_sub(length(text, unit));
        if !layout.flags.left {
            append_blanks(out, missing)?;
        }
        out.extend_by(text);
        if layout.flags.left {
            append_blanks(out, missing)?;
        }
        return Ok(());
    }
    args.text(argument, out);
    cut(out, start, layout.precision, unit);
    pad(out, start, layout, unit)
}

/// `%c`: the character of a number, or the first of a text; NUL if empty. Ignores the precision.
pub(super) fn write_character<A: FormatArgs + ?Sized>(
    args: &mut A,
    argument: usize,
    layout: &Layout,
    unit: Unit,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    let start = out.len();
    if args.is_number(argument) {
        // The bits that C's conversions to wint_t and unsigned char keep.
        return write_code(low_bits(args.number(argument)), layout, unit, out);
    }
    args.text(argument, out);
    if out.len() == start {
        out.push(0);
    }
    cut(out, start, Some(1), unit);
    pad(out, start, layout, unit)
}

pub(super) fn write_code(
    code: u32,
    layout: &Layout,
    unit: Unit,
    out: &mut Vec<u8>,
) -> Result<(), FormatError> {
    let start = out.len();
    match unit {
        Unit::Byte => out.push(code as u8),
        Unit::CodePoint | Unit::Grapheme => encode_code_point(code, out),
    }
    // One character whatever its bytes: above U+10FFFF they are not UTF-8.
    layout.pad(out, start, 1)
}

/// The low 32 bits of the integer part; 0 beyond 64-bit integers.
fn low_bits(n: f64) -> u32 {
    if n >= 0.0 {
        if n < 18_446_744_073_709_551_616.0 { n as u64 as u32 } else { 0 }
    } else if n >= -9_223_372_036_854_775_808.0 {
        n as i64 as u32
    } else {
        0
    }
}

fn cut(out: &mut Vec<u8>, start: usize, characters: Option<usize>, unit: Unit) {
    if let Some(characters) = characters
        && characters < out.len() - start
    {
        out.truncate(start + char_to_byte(&out[start..], unit, characters));
    }
}

fn pad(out: &mut Vec<u8>, start: usize, layout: &Layout, unit: Unit) -> Result<(), FormatError> {
    if layout.width == 0 {
        return Ok(());
    }
    let len = length(&out[start..], unit);
    layout.pad(out, start, len)
}
