//! The form of messages.

use crate::terminal::Color;
use riverhawk::engine::MessageFormat;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// `--message-format`.
    pub format: MessageFormat,
    /// `--color`.
    pub color: Color,
}
