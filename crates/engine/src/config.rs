//! A run's settings.

use crate::cluster::ClusterRun;
use crate::{Optimiser, Renderer};
use riverhawk_vm::config::MachineConfig;

/// A run's settings. By default there are no operands, no environment, one thread, and the process
/// is the caller's.
///
/// ```
/// use riverhawk_engine::{CommandLine, CompileOptions, Config, MachineConfig, Source, compile};
///
/// let source = Source::new("exit.awk", "BEGIN { exit ARGC }");
/// let program = compile(vec![source], &CompileOptions::default()).unwrap();
/// let command_line = CommandLine {
///     operands: vec![b"input.txt".to_vec()],
///     ..CommandLine::default()
/// };
/// let machine = MachineConfig { command_line, ..MachineConfig::default() };
/// assert_eq!(program.run(Config { machine, ..Config::default() }).status, 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Command line, environment, files, locale, limits, permissions.
    pub machine: MachineConfig,
    /// Optimisation, and its logs.
    pub optimiser: Optimiser,
    /// Threads for the input.
    pub parallel: Parallel,
    /// Other machines for the input, instead of threads.
    pub cluster: Option<ClusterRun>,
    /// Tools that show the run.
    pub tools: Tools,
}

/// How the input is divided among threads. The number of threads and the size of pieces do not
/// change the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parallel {
    /// Number of threads: 1 for none besides the first, 0 for as many as there are cores. A program
    /// runs on one thread unless it is proved to give the same output in pieces; so does a run that
    /// follows files, edits them in place, or has limits other than time, memory and nested calls.
    pub jobs: usize,
    /// Approximate size of a piece in bytes.
    pub piece_size: usize,
    /// Sums are exact and rounded once, on one thread too, which lets programs that add fractions
    /// run in pieces.
    pub relaxed_sums: bool,
}

/// Tools that show the run.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    /// Show progress on standard error, if that is a terminal.
    pub progress: bool,
    /// Count what the run does, for [`crate::Outcome::stats`].
    pub stats: bool,
    /// Print each statement to standard error before it runs; needs an observed program.
    pub trace: bool,
    /// Draws the run's warnings; without colour if `None`.
    pub renderer: Option<Renderer>,
}

impl Parallel {
    /// Default of [`Parallel::piece_size`]: 4 MiB take some milliseconds to run, so that dividing
    /// and joining costs little, and the output waiting to be joined stays small.
    pub const PIECE_SIZE: usize = 4 * 1024 * 1024;

    /// How many [`Parallel::jobs`] stands for.
    pub fn threads(&self) -> usize {
        match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            jobs => jobs,
        }
    }
}

/// One thread.
impl Default for Parallel {
    fn default() -> Parallel {
        Parallel { jobs: 1, piece_size: Parallel::PIECE_SIZE, relaxed_sums: false }
    }
}
