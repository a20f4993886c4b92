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
    /// By an error, a warning, `exit` or too much output.
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
    /// By share of the plan; `None` if unchanged or not wanted.
    pub values: Vec<Option<Portable>>,
    /// Ranges assumed open before the piece, and open after it.
    pub ranges: (Vec<bool>, Vec<bool>),
    /// Whether every range opened or closed, so that its end is certain.
    pub ranges_met: bool,
    /// The error or warning of a piece that was abandoned.
    pub complaint: Option<String>,
}

impl Results {
    /// Of pieces that did nothing.
    pub(crate) fn of_nothing() -> Results {
        Results {
            end: PieceEnd::Whole,
            records: 0,
            output: Vec::new(),
            noted: Noted::default(),
            values: Vec::new(),
            ranges: (Vec::new(), Vec::new()),
            ranges_met: true,
            complaint: None,
        }
    }
}
