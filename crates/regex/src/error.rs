//! Errors in patterns.

use std::fmt;

/// A pattern that cannot be compiled.
///
/// `Display` gives one line: `unmatched ( at byte 3 of the regular expression`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    message: String,
    offset: usize,
}

impl Error {
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> Error {
        Error { message: message.into(), offset }
    }

    /// More automaton than [`crate::limits::NFA_BYTES`], or a repeat count over the limit.
    pub(crate) fn too_big(offset: usize) -> Error {
        Error::new(offset, "regular expression too big")
    }

    /// What is wrong, without the position.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The byte of the pattern where the error begins.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {} of the regular expression", self.message, self.offset)
    }
}

impl std::error::Error for Error {}
