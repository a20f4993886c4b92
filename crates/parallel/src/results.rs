//! The results of a piece.

use crate::noted::Noted;
use crate::portable::Portable;

/// How a piece ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceEnd {
    /// At its end.
    Whole,
    /// By `nextfile`: the rest of its file is not read.
    FileSkipped,
    /// By an error, a warning, `exit` or too much output, which need a serial run.
    Abandoned,
}

/// The results of a piece.
#[derive(Debug)]
pub struct Results {
    /// How it ended.
    pub end: PieceEnd,
    /// Records read.
    pub records: u64,
    /// What was printed.
    pub output: Vec<u8>,
    /// What was noted about numbers.
    pub noted: Noted,
    /// The piece's value for each share of the plan; `None` if unchanged or not wanted.
    pub values: Vec<Option<Portable>>,
    /// Which ranges were assumed open before the piece, and which were open after it.
    pub ranges: (Vec<bool>, Vec<bool>),
    /// Whether every range opened or closed in the piece, so that the assumption does not affect
    /// its end.
    pub ranges_met: bool,
}
