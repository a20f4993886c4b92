//! Quoted rows, as in gawk's CSV: newlines and separators outside quotes.
//!
//! For rows every quote counts, so "inside quotes" is the parity of the quotes so far: one
//! carry-less multiplication for 64 bytes. A field that begins with a quote ends with one before a
//! separator or the end; other quotes are text. Where the two differ (`5" pipe`), the row is parsed
//! byte by byte.

use crate::block::BLOCK;
use crate::quoting::{QuoteState, QuotedSplit, Quoting};

/// Finds newlines outside quotes, and blocks that are not ASCII, as [`mark_byte`](crate::mark_byte)
/// does.
///
/// `state` is updated from the start of `text` to its end, so a text may be cut anywhere.
///
/// # Panics
/// As [`mark_byte`](crate::mark_byte).
pub fn mark_rows(
    text: &[u8],
    quoting: Quoting,
    state: &mut QuoteState,
    marks: &mut [u64],
    non_ascii: &mut [u64],
) {
    let blocks = text.len().div_ceil(BLOCK);
    assert!(
        marks.len() >= blocks && non_ascii.len() >= blocks.div_ceil(64),
        "mark words for {blocks} blocks"
    );
    crate::kernels::mark_rows(text, quoting, state, &mut marks[..blocks], non_ascii)
}

/// The fields of one row from `from_at`, the start of a field: pushes `(start, end)` of the text
/// between a field's quotes, or of the whole field without quotes.
///
/// A field is quoted if a quote precedes its range. Unless the result [is
/// literal](QuotedSplit::is_literal), the range may hold doubled quotes or carriage returns, and
/// the text may continue after the range.
///
/// ```
/// use riverhawk_simd::{FINISHED, Quoting, split_quoted};
/// let mut fields = Vec::new();
/// let split = split_quoted(br#"a,"b,c","#, Quoting::CSV, 0, usize::MAX, &mut fields);
/// assert_eq!((split.resume_at, split.is_literal), (FINISHED, true));
/// assert_eq!(fields, [(0, 1), (3, 6), (8, 8)]);
/// ```
///
/// # Panics
/// If `text` has more than `u32::MAX` bytes.
#[inline]
pub fn split_quoted(
    text: &[u8],
    quoting: Quoting,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> QuotedSplit {
    assert!(u32::try_from(text.len()).is_ok(), "a record of 4 GiB or more has no u32 positions");
    crate::kernels::split_quoted(text, quoting, from_at, max_fields, out)
}

#[cfg(test)]
#[path = "quoted_tests.rs"]
mod tests;
