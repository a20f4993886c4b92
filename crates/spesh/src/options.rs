//! Options of the specialiser, named as on the command line after `--spesh-`.

use crate::thresholds::{BUFFER_ENTRIES, NO_DELAY_BUFFER_ENTRIES, Thresholds};
use std::path::PathBuf;

/// What can be asked of the specialiser.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The file that statistics and plans are written to.
    pub log: Option<PathBuf>,
    /// Every threshold is 1, and buffers are short: what was seen once is specialised.
    pub nodelay: bool,
    /// At most so many specialisations are produced; 0 only watches. Halving it finds the one that
    /// breaks something.
    pub limit: Option<u64>,
    /// A thread that hands over a buffer waits until it has been dealt with, so a program with one
    /// thread runs and dumps the same each time.
    pub blocking: bool,
    /// Entries in a log buffer, if another number than usual.
    pub buffer: Option<usize>,
}

impl Options {
    pub(crate) fn thresholds(&self) -> Thresholds {
        if self.nodelay { Thresholds::NO_DELAY } else { Thresholds::USUAL }
    }

    pub(crate) fn buffer_entries(&self) -> usize {
        let usual = if self.nodelay { NO_DELAY_BUFFER_ENTRIES } else { BUFFER_ENTRIES };
        self.buffer.unwrap_or(usual).clamp(1, BUFFER_ENTRIES)
    }
}
