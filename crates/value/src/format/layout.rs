//! Sign, padding and grouping of one conversion.

use super::FormatError;
use crate::number::{NumberSyntax, group_separator, special_text};
use riverhawk_memory as memory;
use riverhawk_precise::Sign;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) left: bool,
    pub(super) plus: bool,
    pub(super) space: bool,
    pub(super) alternate: bool,
    pub(super) zero: bool,
    pub(super) group: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Lower,
    Upper,
}

impl Case {
    pub(super) fn of(letter: u8) -> Case {
        if letter.is_ascii_uppercase() { Case::Upper } else { Case::Lower }
    }

    #[inline]
    pub(super) fn letter(self, lower: u8) -> u8 {
        if self == Case::Upper { lower.to_ascii_uppercase() } else { lower }
    }

    #[inline]
    pub(super) fn hexadecimal_prefix(self) -> &'static [u8] {
        if self == Case::Upper { b"0X" } else { b"0x" }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    pub(super) flags: Flags,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
}

impl Layout {
    #[inline]
    pub(super) fn sign(&self, sign: Sign) -> &'static [u8] {
        match (sign, self.flags.plus, self.flags.space) {
            (Sign::Negative, ..) => b"-",
            (_, true, _) => b"+",
            (.., true) => b" ",
            _ => b"",
        }
    }

    pub(super) fn pad(
        &self,
        out: &mut Vec<u8>,
        start: usize,
        len: usize,
    ) -> Result<(), FormatError> {
        let missing = self.width.saturating_sub(len);
        let at = if self.flags.left { out.len() } else { start };
        insert(out, at, missing, b' ')
    }

    pub(super) fn pad_number(
        &self,
        out: &mut Vec<u8>,
        start: usize,
        digits_at: usize,
    ) -> Result<(), FormatError> {
        let len = out.len() - start;
        if self.flags.zero && !self.flags.left {
            return insert(out, digits_at, self.width.saturating_sub(len), b'0');
        }
        self.pad(out, start, len)
    }

    pub(super) fn finish_integer(
        &self,
        start: usize,
        digits_at: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        let Some(precision) = self.precision else {
            return self.pad_number(out, start, digits_at);
        };
        let digits = out.len() - digits_at;
        insert(out, digits_at, precision.saturating_sub(digits), b'0')?;
        self.pad(out, start, out.len() - start)
    }
}

#[inline]
pub(super) fn write_special(
    n: f64,
    case: Case,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<bool, FormatError> {
    if n.is_finite() {
        return Ok(false);
    }
    write_words(special_text(n), Sign::from(n.is_sign_negative()), case, layout, out)
}

/// Appends infinity or NaN; false if finite. The sign is always written, except with `--posix`,
/// which follows C.
pub(super) fn write_words(
    name: Option<&[u8]>,
    sign: Sign,
    case: Case,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<bool, FormatError> {
    let Some(text) = name else { return Ok(false) };
    let start = out.len();
    let by_posix = NumberSyntax::get().is_posix();
    let letters = if by_posix { &text[1..] } else { text };
    if by_posix {
        out.extend_from_slice(layout.sign(sign));
    }
    let letters_at = out.len();
    out.extend_from_slice(letters);
    if case == Case::Upper {
        out[letters_at..].make_ascii_uppercase();
    }
    layout.pad(out, start, out.len() - start)?;
    Ok(true)
}

/// Blanks are usually few. A fixed number is then written and the surplus removed, which avoids a
/// call.
#[inline]
pub(super) fn append_blanks(out: &mut Vec<u8>, count: usize) -> Result<(), FormatError> {
    const MAX_AT_ONCE: usize = 32;
    let end = out.len();
    if count > MAX_AT_ONCE {
        return insert(out, end, count, b' ');
    }
    out.extend_from_slice(&[b' '; MAX_AT_ONCE]);
    out.truncate(end + count);
    Ok(())
}

/// Lengths that make up `count`, until memory has run out: a width may take long to write.
fn in_pieces(count: usize) -> impl Iterator<Item = usize> {
    const AT_ONCE: usize = 1 << 20;
    (0..count)
        .step_by(AT_ONCE)
        .map(move |at| (count - at).min(AT_ONCE))
        .take_while(|_| !memory::ran_out())
}

pub(super) fn insert(
    out: &mut Vec<u8>,
    at: usize,
    count: usize,
    byte: u8,
) -> Result<(), FormatError> {
    if count == 0 {
        return Ok(());
    }
    if !memory::grow(out, count) {
        return Err(FormatError::OutOfMemory { wanted: count });
    }
    let end = out.len();
    for at_once in in_pieces(count) {
        out.resize(out.len() + at_once, byte);
    }
    if out.len() < end + count {
        return Err(FormatError::OutOfMemory { wanted: count });
    }
    if at < end {
        out.copy_within(at..end, at + count);
        out[at..at + count].fill(byte);
    }
    Ok(())
}

pub(super) fn group(out: &mut Vec<u8>, start: usize, end: usize) {
    let (mut at, separator) = (end, group_separator());
    while at > start + 3 {
        at -= 3;
        out.insert(at, separator);
    }
}
