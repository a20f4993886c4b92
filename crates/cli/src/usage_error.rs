//! Usage errors.

use crate::looks::Looks;
use std::fmt;

#[derive(Debug, PartialEq, Eq)]
pub struct UsageError {
    /// One line.
    pub message: String,
    /// 1, or as in gawk 2 for a `-v` without a variable before the sign.
    pub status: u8,
    /// From the options before the error.
    pub looks: Looks,
}

impl UsageError {
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
