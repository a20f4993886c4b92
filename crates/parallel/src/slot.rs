//! Variables that a piece may change.

use riverhawk_syntax::ast::{GlobalId, Special};

/// The place of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A global.
    Global(GlobalId),
    /// A special variable: RSTART or RLENGTH.
    Special(Special),
}
