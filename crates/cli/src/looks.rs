//! How messages look.

use crate::terminal::Color;
use riverhawk_engine::MessageFormat;

/// What messages look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// `--message-format`.
    pub format: MessageFormat,
    /// `--color`.
    pub color: Color,
}
