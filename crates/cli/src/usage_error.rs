//! A command line that cannot be followed.

use crate::looks::Looks;
use std::fmt;

/// A command line that cannot be followed.
#[derive(Debug, PartialEq, Eq)]
pub struct UsageError {
    /// What is wrong, in one line.
    pub message: String,
    /// The exit status: 1, or 2 for a `-v` with no variable on its left side, as in gawk.
    pub status: u8,
    /// What the options before it say of messages: this one too.
    pub looks: Looks,
}

impl UsageError {
    /// The exit status for a wrong command line.
    pub const STATUS: u8 = 1;

    pub(crate) fn new(message: impl Into<String>) -> UsageError {
        UsageError::with_status(message, UsageError::STATUS)
    }

    pub(crate) fn with_status(message: impl Into<String>, status: u8) -> UsageError {
        UsageError { message: message.into(), status, looks: Looks::default() }
    }
}

impl fmt::Display for UsageError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for UsageError {}
