//! Neighbouring records as one text, of which parts are made: that takes fewer instructions than to decode each.

use crate::strings::substring;
use pyo3::prelude::*;
use pyo3::types::PyString;
use riverhawk_simd::{is_ascii, mark_code_points};

/// Bytes that are decoded at once: what is made of them is read while it is in the cache.
const MAX_BLOCK: usize = 64 * 1024;

/// The text of neighbouring records.
pub(crate) struct Block<'py> {
    text: Bound<'py, PyString>,
    /// Where it begins in the window.
    base: usize,
    /// `None` if it is all ASCII: places in the text are those in the bytes.
    code_points: Option<CodePoints>,
}

/// Which code point begins at a byte.
struct CodePoints {
    /// A bit for each byte that begins one, and one for the end.
    marks: Vec<u64>,
    /// The number of set bits before each word.
    before: Vec<u32>,
}

impl<'py> Block<'py> {
    /// `None` if the bytes are too many, or no UTF-8.
    pub(crate) fn of(py: Python<'py>, bytes: &[u8], base: usize) -> Option<Block<'py>> {
        if bytes.len() > MAX_BLOCK {
            return None;
        }
        let code_points = if is_ascii(bytes) { None } else { Some(CodePoints::of(bytes)?) };
        Some(Block { text: PyString::from_bytes(py, bytes).ok()?, base, code_points })
    }

    /// The text between two places in the window; `None` if one is inside a code point.
    #[inline]
    pub(crate) fn part(&self, start: usize, end: usize) -> Option<PyResult<Bound<'py, PyString>>> {
        let (start, end) = (start - self.base, end - self.base);
        let (start, end) = match &self.code_points {
            None => (start, end),
            Some(code_points) => (code_points.index(start)?, code_points.index(end)?),
        };
        Some(substring(&self.text, start, end))
    }
}

impl CodePoints {
    fn of(bytes: &[u8]) -> Option<CodePoints> {
        let mut marks = vec![0; bytes.len() / 64 + 1];
        if !mark_code_points(b"", bytes, &mut marks) {
            return None;
        }
        marks[bytes.len() / 64] |= 1 << (bytes.len() % 64);
        let mut count = 0;
        let before = marks.iter().map(|word| {
            let before = count;
            count += word.count_ones();
            before
        });
        Some(CodePoints { before: before.collect(), marks })
    }

    #[inline]
    fn index(&self, at: usize) -> Option<usize> {
        let (word, bit) = (self.marks[at / 64], 1 << (at % 64));
        if word & bit == 0 {
            return None;
        }
        Some(self.before[at / 64] as usize + (word & (bit - 1)).count_ones() as usize)
    }
}
