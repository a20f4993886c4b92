//! Where the characters of one conversion go: sign, padding, grouping.

use super::{Flags, FormatError};
use crate::number::{NumberSyntax, group_separator, special_text};
use riverhawk_blocks::room;

/// Flags, width and precision of one conversion, with `*` filled in.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layout {
    pub(super) flags: Flags,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
}

impl Layout {
    /// The sign of a number: `-`, or what the flags put before one that is not negative.
    #[inline]
    pub(super) fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.flags.plus, self.flags.space) {
            (true, ..) => b"-",
            (_, true, _) => b"+",
            (.., true) => b" ",
            _ => b"",
        }
    }

    /// Widens what `out` has since `start`, `len` characters, with spaces.
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

    /// Widens a number with spaces, or with zeros at `digits_at` (behind sign and prefix) if
    /// `zeros` and the flags say so.
    pub(super) fn pad_number(
        &self,
        out: &mut Vec<u8>,
        start: usize,
        digits_at: usize,
        zeros: bool,
    ) -> Result<(), FormatError> {
        let len = out.len() - start;
        if zeros && self.flags.zero && !self.flags.left {
            return insert(out, digits_at, self.width.saturating_sub(len), b'0');
        }
        self.pad(out, start, len)
    }

    /// Grouping, precision and width of an integer, once its digits stand at the end of `out`, from
    /// `digits_at` on.
    pub(super) fn finish_integer(
        &self,
        start: usize,
        digits_at: usize,
        grouped: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), FormatError> {
        if grouped {
            let end = out.len();
            group(out, digits_at, end);
        }
        let digits = out.len() - digits_at;
        insert(out, digits_at, self.precision.unwrap_or(0).saturating_sub(digits), b'0')?;
        self.pad_number(out, start, digits_at, self.precision.is_none())
    }
}

/// Appends a number that is not finite; false if it is: [`write_words`].
#[inline]
pub(super) fn write_special(
    n: f64,
    upper: bool,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<bool, FormatError> {
    if n.is_finite() {
        return Ok(false);
    }
    write_words(special_text(n), n.is_sign_negative(), upper, layout, out)
}

/// Appends what a number that is not finite is called, in its width; false if it is finite and has
/// no such name. Its sign is always there; by POSIX's rules (`--posix`) it is as in C, and `upper`
/// is for the conversions of real numbers alone.
pub(super) fn write_words(
    name: Option<&[u8]>,
    negative: bool,
    upper: bool,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<bool, FormatError> {
    let Some(text) = name else { return Ok(false) };
    let start = out.len();
    let by_posix = NumberSyntax::get().is_posix();
    let letters = if by_posix { &text[1..] } else { text };
    if by_posix {
        out.extend_from_slice(layout.sign(negative));
    }
    out.extend(letters.iter().map(|byte| if upper { byte.to_ascii_uppercase() } else { *byte }));
    layout.pad(out, start, out.len() - start)?;
    Ok(true)
}

/// Appends so many blanks: mostly a few, for which no length is looked at.
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

/// Inserts `count` times `byte` into `out` at `at`.
pub(super) fn insert(
    out: &mut Vec<u8>,
    at: usize,
    count: usize,
    byte: u8,
) -> Result<(), FormatError> {
    if count == 0 {
        return Ok(());
    }
    if !room::grow(out, count) {
        return Err(FormatError::OutOfMemory { wanted: count });
    }
    let end = out.len();
    out.resize(end + count, byte);
    if at < end {
        out.copy_within(at..end, at + count);
        out[at..at + count].fill(byte);
    }
    Ok(())
}

/// Puts commas, or what the locale has, between the thousands of the digits from `start` to `end`.
pub(super) fn group(out: &mut Vec<u8>, start: usize, end: usize) {
    let (mut at, separator) = (end, group_separator());
    while at > start + 3 {
        at -= 3;
        out.insert(at, separator);
    }
}
