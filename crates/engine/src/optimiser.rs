//! What makes a program faster, and what is shown of it.

use std::path::PathBuf;

/// What makes a program faster, and what is shown of it. Nothing here changes what a program does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Optimiser {
    /// The file that the specialiser writes its statistics and plans to.
    pub spesh_log: Option<PathBuf>,
    /// The program waits for the specialiser whenever it hands something over: runs are repeatable.
    pub spesh_blocking: bool,
    /// What was seen once is specialised.
    pub spesh_nodelay: bool,
    /// Only so many specialisations are made; 0 only watches.
    pub spesh_limit: Option<u64>,
    /// Observations are handed over in buffers of so many entries; the first is made after as many
    /// iterations and calls.
    pub spesh_buffer: Option<usize>,
    /// No machine code. The specialiser still observes if another setting asks for it.
    pub no_jit: bool,
    /// Loops go on as they began: machine code is entered by calls only.
    pub no_osr: bool,
    /// Functions are called and never copied into their callers.
    pub no_inline: bool,
    /// The file for which functions were inlined, and why others were not.
    pub inline_log: Option<PathBuf>,
    /// The file that the decisions of the process's thread pool are written to.
    pub pool_log: Option<PathBuf>,
    /// Machine code is listed in `/tmp/perf-PID.map`, for `perf report`.
    pub perf_map: bool,
    /// Machine code is written to `jit-PID.dump` in the working directory, for `perf inject --jit`.
    pub jitdump: bool,
    /// Keep the intermediate representation of all machine code as text.
    pub keep_ir: bool,
    /// Keep all machine code as text.
    pub keep_assembly: bool,
}

impl Optimiser {
    /// Whether a run is observed, to be made faster or for the observations themselves.
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
