//! Neighbouring records as text: what is ASCII is copied, and the rest is decoded once for all of them.

use crate::strings::{ascii, substring};
use pyo3::prelude::*;
use pyo3::types::PyString;
use riverhawk_simd::{is_ascii, mark_code_points};

/// Bytes that are decoded at once: what is made of them is read while it is in the cache.
const MAX_DECODED: usize = 64 * 1024;

/// How the text of neighbouring records is made.
pub(crate) enum Block<'py> {
    Ascii,
    Decoded(Decoded<'py>),
}

/// The text of all the records.
pub(crate) struct Decoded<'py> {
    text: Bound<'py, PyString>,
    /// Where it begins in the window.
    base: usize,
    code_points: CodePoints,
}

/// Which code point begins at a byte.
struct CodePoints {
    /// A bit for each byte that begins one, and one for the end.
    marks: Vec<u64>,
    /// The number of set bits before each word.
    before: Vec<u32>,
}

impl<'py> Block<'py> {
    /// Of what is in the window from `start` to `end`; `None` if that is too long to be decoded at once, or no
    /// UTF-8.
    pub(crate) fn of(
        py: Python<'py>,
        window: &[u8],
        start: usize,
        end: usize,
    ) -> Option<Block<'py>> {
        let bytes = &window[start..end];
        if is_ascii(bytes) {
            return Some(Block::Ascii);
        }
        if bytes.len() > MAX_DECODED {
            return None;
        }
        let code_points = CodePoints::of(bytes)?;
        let text = PyString::from_bytes(py, bytes).ok()?;
        Some(Block::Decoded(Decoded { text, base: start, code_points }))
    }

    /// The text between two places in the window; `None` if one is inside a code point.
    #[inline]
    pub(crate) fn part(
        &self,
        py: Python<'py>,
        window: &[u8],
        start: usize,
        end: usize,
    ) -> Option<PyResult<Bound<'py, PyString>>> {
        match self {
            Block::Ascii => Some(ascii(py, &window[start..end])),
            Block::Decoded(decoded) => {
                let start = decoded.code_points.index(start - decoded.base)?;
                let end = decoded.code_points.index(end - decoded.base)?;
                Some(substring(&decoded.text, start, end))
            }
        }
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
