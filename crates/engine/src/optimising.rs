//! What is done to make a program faster, and what is to be seen of it.

use std::path::PathBuf;

/// What is done to make a program faster, and what is to be seen of it. Nothing here changes what a
/// program does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Optimising {
    /// The file that the specialiser writes its statistics and plans to.
    pub spesh_log: Option<PathBuf>,
    /// The program waits for the specialiser each time it has something for it, so that two runs
    /// go the same way.
    pub spesh_blocking: bool,
    /// What was seen once is specialised.
    pub spesh_nodelay: bool,
    /// Only so many specialisations are made; 0 only watches.
    pub spesh_limit: Option<u64>,
    /// Observations are handed over in buffers of so many entries, and the first is made after as
    /// many loop turns and calls.
    pub spesh_buffer: Option<usize>,
    /// No machine code. The specialiser watches all the same if something else here asks for it.
    pub no_jit: bool,
    /// Loops go on as they began: machine code is entered by calls only.
    pub no_osr: bool,
    /// Functions are called and never copied into their callers.
    pub no_inline: bool,
    /// The file that is told which functions were copied into their callers, and why others were
    /// not.
    pub inline_log: Option<PathBuf>,
    /// Machine code is listed in `/tmp/perf-PID.map`, for `perf report`.
    pub perf_map: bool,
    /// Machine code is written with its lines to `jit-PID.dump` in the working folder, for `perf
    /// inject --jit`.
    pub jitdump: bool,
    /// Keep the intermediate representation of all machine code as text.
    pub keep_ir: bool,
    /// Keep all machine code as text.
    pub keep_assembly: bool,
}

impl Optimising {
    /// Whether a run is watched: to be made faster, or because somebody wants to see or try the
    /// watching itself.
    pub fn watches(&self) -> bool {
        cfg!(feature = "jit") && (!self.no_jit || self.asks_for_watching())
    }

    /// Whether somebody wants to see or try the watching, whatever comes of it.
    pub fn asks_for_watching(&self) -> bool {
        self.spesh_log.is_some()
            || self.spesh_blocking
            || self.spesh_nodelay
            || self.spesh_limit.is_some()
            || self.spesh_buffer.is_some()
    }
}
