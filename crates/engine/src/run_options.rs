//! What a run takes from outside the program.

use std::ffi::OsString;

use crate::{Assignment, Optimising, Renderer};
use riverhawk_vm::config::Config;

/// What a run takes from outside the program. Names and values are bytes: nothing here need be
/// UTF-8.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// `-v` assignments in order, values as written (the run turns escape sequences into
    /// characters, as it does for operands). `-F x` is the assignment `FS=x`, so that the last
    /// of `-F` and `-v FS=` wins, as in gawk.
    pub assignments: Vec<Assignment>,
    /// `ARGV[1]` and on: files, `var=value`, `-`.
    pub operands: Vec<OsString>,
    /// `ARGV[0]`, and the first word of messages.
    pub program_name: OsString,
    /// The whole command line, which the program finds in `PROCINFO["argv"]`.
    pub command_line: Vec<OsString>,
    /// `ENVIRON`, and what commands started by the program see.
    pub environment: Vec<(OsString, OsString)>,
    /// What `ENVIRON` holds besides, for variables that are not set. Commands do not see it unless
    /// the program assigns another value.
    pub assumed_environment: Vec<(OsString, OsString)>,
    /// Everything else that the run is told.
    pub config: Config,
    /// The process belongs to this run: signals may be handled as an awk handles them, and a
    /// reader of standard output that went away ends the process by SIGPIPE if that is what
    /// was inherited. A library inside another program leaves this false: signals stay as they
    /// are and a broken pipe is an error.
    pub owns_process: bool,
    /// Threads that run pieces of the input: 1 for none, 0 for as many as there are cores. A
    /// program that is not proved to give the same bytes that way is run by one.
    pub jobs: usize,
    /// About how many bytes a piece has.
    pub piece_size: usize,
    /// Sums of fractions may come out otherwise in their last bits, so that such programs can be
    /// run in pieces too.
    pub relaxed_sums: bool,
    /// What is done to make the program faster, and what is to be seen of it.
    pub optimising: Optimising,
    /// How warnings are drawn; without colour if by nobody.
    pub renderer: Option<Renderer>,
}

impl RunOptions {
    /// Default of [`InputConfig::window`](riverhawk_vm::config::InputConfig::window): 256 KiB stays in the second-level cache and is
    /// within a third of mapping the file.
    pub const WINDOW_SIZE: usize = 256 * 1024;

    /// Default of [`RunOptions::piece_size`]: 4 MiB take some milliseconds to run, so that handing
    /// them out and joining them costs nothing beside it, and what the pieces under way print
    /// stays small.
    pub const PIECE_SIZE: usize = 4 * 1024 * 1024;
}

/// No operands, no assignments, an empty environment, UTF-8, a process that belongs to somebody
/// else.
impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            assignments: Vec::new(),
            operands: Vec::new(),
            program_name: OsString::from("rhawk"),
            command_line: Vec::new(),
            environment: Vec::new(),
            assumed_environment: Vec::new(),
            config: Config::default(),
            owns_process: false,
            jobs: 1,
            piece_size: RunOptions::PIECE_SIZE,
            relaxed_sums: false,
            optimising: Optimising::default(),
            renderer: None,
        }
    }
}
