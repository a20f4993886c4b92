//! Optimisation, and its logs.

use std::path::PathBuf;

/// The compiler's passes: over machine code's representation, which [`Optimiser::no_pass`] may name,
/// and over the program, `forms` and `locals` ([`LeftOut`](crate::LeftOut)).
pub const PASSES: &[&str] = &[
    "conditions",
    "dead",
    "forms",
    "headers",
    "integers",
    "invariants",
    "locals",
    "parameters",
    "views",
];

/// Optimisation, and its logs. It never changes a program's results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Optimiser {
    /// The file for the specialiser's statistics and plans.
    pub spesh_log: Option<PathBuf>,
    /// Wait for the specialiser after each buffer, so that runs are repeatable.
    pub spesh_blocking: bool,
    /// Specialise after one observation.
    pub spesh_nodelay: bool,
    /// Maximum number of specialisations; 0 only observes.
    pub spesh_limit: Option<u64>,
    /// Entries in a log buffer. The first one begins after as many iterations and calls.
    pub spesh_buffer: Option<usize>,
    /// No machine code. The specialiser still observes if another setting needs it.
    pub no_jit: bool,
    /// No on-stack replacement: machine code is entered only by calls.
    pub no_osr: bool,
    /// No inlining.
    pub no_inline: bool,
    /// Of [`PASSES`], those over machine code's representation that are left out.
    pub no_pass: Vec<&'static str>,
    /// The file that lists inlined functions, and why others are not inlined.
    pub inline_log: Option<PathBuf>,
    /// The file for the decisions of the process's thread pool.
    pub pool_log: Option<PathBuf>,
    /// List machine code in `/tmp/perf-PID.map`, for `perf report`.
    pub perf_map: bool,
    /// Write machine code to `jit-PID.dump` in the working directory, for `perf inject --jit`.
    pub jitdump: bool,
    /// Keep the intermediate representation of all machine code.
    pub keep_ir: bool,
    /// Keep all machine code as assembly.
    pub keep_assembly: bool,
}

impl Optimiser {
    pub(crate) fn writes_logs(&self) -> bool {
        self.spesh_log.is_some() || self.inline_log.is_some() || self.perf_map || self.jitdump
    }

    /// Whether a run is watched, for optimisation or for a log.
    pub fn watches(&self) -> bool {
        cfg!(feature = "jit") && (!self.no_jit || self.needs_watching())
    }

    /// Whether a setting needs watching, whatever it gains.
    pub fn needs_watching(&self) -> bool {
        self.spesh_log.is_some()
            || self.spesh_blocking
            || self.spesh_nodelay
            || self.spesh_limit.is_some()
            || self.spesh_buffer.is_some()
    }
}

#[cfg(all(test, feature = "jit"))]
mod tests {
    use super::*;
    use riverhawk_spesh::ir::passes::Pass;

    #[test]
    fn every_pass_can_be_left_out() {
        let over_code = |name: &&&str| !["forms", "locals"].contains(*name);
        let passes: Vec<&str> = PASSES.iter().filter(over_code).copied().collect();
        assert_eq!(Pass::ALL.map(Pass::name), *passes);
    }
}
