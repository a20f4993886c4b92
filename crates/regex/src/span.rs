//! Where a match is.

/// A byte range of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Match {
    /// Index of the first byte.
    pub start: usize,
    /// Index after the last byte.
    pub end: usize,
}

impl Match {
    /// Whether the match is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}
