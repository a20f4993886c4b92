//! What a run takes from outside the program.

use crate::{Optimiser, Renderer};
use riverhawk_vm::config::MachineConfig;

/// What a run takes from outside the program, in groups. The default takes nothing: no operands, no
/// environment, one thread, and the process is the caller's.
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
    /// What the program itself meets: command line, environment, files, locale, limits,
    /// permissions.
    pub machine: MachineConfig,
    /// What is done to make the program faster, and what is to be seen of it.
    pub optimiser: Optimiser,
    /// How the input is spread over threads.
    pub parallel: Parallel,
    /// What shows how a run goes.
    pub tools: Tools,
}

/// How the input is spread over threads. Nothing here changes what a program prints, but for the
/// last bits of sums if they are relaxed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parallel {
    /// Threads that run pieces of the input: 1 for none, 0 for as many as there are cores. A
    /// program that is not proved to give the same bytes that way is run by one; so is one that
    /// follows files, edits them in place, or has other limits than that of memory.
    pub jobs: usize,
    /// About how many bytes a piece has.
    pub piece_size: usize,
    /// Sums of fractions may come out otherwise in their last bits, so that such programs can be
    /// run in pieces too.
    pub relaxed_sums: bool,
}

/// What shows how a run goes.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    /// Show on standard error, if that is a terminal, how far the input has been read.
    pub progress: bool,
    /// Count what the run does and return it in [`crate::Outcome::stats`].
    pub stats: bool,
    /// Print each statement to standard error before it runs; the program was compiled to be
    /// observed.
    pub trace: bool,
    /// How warnings of the run are drawn; without colour if `None`.
    pub renderer: Option<Renderer>,
}

impl Parallel {
    /// Default of [`Parallel::piece_size`]: 4 MiB take some milliseconds to run, so that handing
    /// them out and joining them costs nothing beside it, and what the pieces under way print
    /// stays small.
    pub const PIECE_SIZE: usize = 4 * 1024 * 1024;

    /// How many threads are asked for.
    pub(crate) fn threads(&self) -> usize {
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
