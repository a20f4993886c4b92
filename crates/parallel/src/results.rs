//! What a piece gives.

use crate::noted::Noted;
use crate::portable::Portable;

/// How a piece ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceEnd {
    /// At its end.
    Whole,
    /// By `nextfile`: what is left of its file is not read.
    FileSkipped,
    /// By an error, a warning, `exit`, more output than is kept: only a serial run can do that.
    Abandoned,
}

/// What a piece gives.
#[derive(Debug)]
pub struct Results {
    /// How it ended.
    pub end: PieceEnd,
    /// Records read.
    pub records: u64,
    /// What was printed.
    pub output: Vec<u8>,
    /// What was noted.
    pub noted: Noted,
    /// For each share of the plan what the piece made of it; `None` when it left it alone or
    /// nobody wants it.
    pub values: Vec<Option<Portable>>,
    /// Whether each range was open before the piece, as was assumed, and after it.
    pub ranges: (Vec<bool>, Vec<bool>),
    /// Every range opened or closed within the piece, so that what was assumed does not show at
    /// its end.
    pub ranges_met: bool,
}
