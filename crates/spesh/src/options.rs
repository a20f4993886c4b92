//! Options of the specialiser. On the command line each has the same name after `--spesh-`.

use crate::thresholds::{BUFFER_ENTRIES, NO_DELAY_BUFFER_ENTRIES, Thresholds};
use std::path::PathBuf;

/// Options of the specialiser.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecialiserOptions {
    /// The file that statistics and plans are written to.
    pub log: Option<PathBuf>,
    /// All thresholds are 1 and buffers are short.
    pub nodelay: bool,
    /// The maximum number of specialisations; with 0 it only watches. Bisecting it finds a wrong
    /// one.
    pub limit: Option<u64>,
    /// Threads wait for the worker, so that the dump of one thread is repeatable.
    pub blocking: bool,
    /// Entries in a log buffer, instead of the default.
    pub buffer: Option<usize>,
}

impl SpecialiserOptions {
    pub(crate) fn thresholds(&self) -> Thresholds {
        if self.nodelay { Thresholds::NO_DELAY } else { Thresholds::USUAL }
    }

    pub(crate) fn buffer_entries(&self) -> usize {
        let usual = if self.nodelay { NO_DELAY_BUFFER_ENTRIES } else { BUFFER_ENTRIES };
        self.buffer.unwrap_or(usual).clamp(1, BUFFER_ENTRIES)
    }
}
