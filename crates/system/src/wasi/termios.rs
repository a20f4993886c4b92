//! Terminals.

use crate::fd::AsFd;
use crate::io::{Errno, Result};

pub use rustix::termios::isatty;

/// A terminal's size in characters.
#[derive(Clone, Copy, Debug)]
pub struct Winsize {
    /// Its lines.
    pub ws_row: u16,
    /// Its columns.
    pub ws_col: u16,
}

/// A terminal's size, which is not known.
///
/// # Errors
/// Always.
pub fn tcgetwinsize(_: impl AsFd) -> Result<Winsize> {
    Err(Errno::NOTSUP)
}
