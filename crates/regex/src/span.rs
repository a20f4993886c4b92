//! Where a match is.

/// A span of the text in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Match {
    /// Index of the first byte of the match.
    pub start: usize,
    /// Index of the first byte behind it.
    pub end: usize,
}

impl Match {
    /// Whether nothing was matched.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }
}
