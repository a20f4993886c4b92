//! Terminals, of which there are none.

use crate::fd::AsFd;
use crate::io::{Errno, Result};

pub use crate::no_rustix::Winsize;

/// Whether it is a terminal.
pub fn isatty(_: impl AsFd) -> bool {
    false
}

/// A terminal's size.
///
/// # Errors
/// Always.
pub fn tcgetwinsize(_: impl AsFd) -> Result<Winsize> {
    Err(Errno::NOTSUP)
}
