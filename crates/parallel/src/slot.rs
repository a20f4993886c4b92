//! Which variable a piece may change.

use riverhawk_syntax::ast::{GlobalId, Special};

/// A variable by where it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A global.
    Global(GlobalId),
    /// One that the engine keeps: RSTART or RLENGTH.
    Special(Special),
}
