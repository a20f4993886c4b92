//! What a run takes from outside the program, in groups.
//!
//! The defaults suit a program inside another one: nothing is taken from the environment, and the
//! process belongs to the caller. Names, operands and values are bytes and need not be UTF-8. A
//! field that is an option of the command has the option's name.
//!
//! ```
//! use riverhawk_vm::config::{Assignment, CommandLine, InputConfig, MachineConfig};
//!
//! let config = MachineConfig {
//!     command_line: CommandLine {
//!         assignments: vec![Assignment::parse(b"FS=:").unwrap()],
//!         operands: vec![b"/etc/passwd".to_vec()],
//!         ..CommandLine::default()
//!     },
//!     input: InputConfig { strip_bom: true, ..InputConfig::default() },
//!     ..MachineConfig::default()
//! };
//! assert!(!config.owns_process && config.environment.variables.is_empty());
//! ```

mod assignment;

pub use assignment::{Assignment, AssignmentError};

use crate::data::Data;
use crate::error::RuntimeError;
use crate::host::HostFunctions;
use crate::lint::Level;
use crate::memory;
use crate::warning::Drawing;
use riverhawk_awkio::cancel::{self, Cancel, ProcessOwner, StopCause, StoppableRun};
use riverhawk_awkio::in_place::Edits;
use riverhawk_awkio::sandbox::Allowed;
use riverhawk_awkio::{Limit, Reading};
use riverhawk_memory::AccountInUse;
use riverhawk_record::table::Tables;
use riverhawk_text::encoding::Encodings;
use riverhawk_value::number::{DecimalPoint, NumberSyntax};
use std::time::Duration;

/// What a run takes from outside the program.
#[derive(Clone, Debug, Default)]
pub struct MachineConfig {
    /// ARGV, and variables set before the program starts.
    pub command_line: CommandLine,
    /// ENVIRON.
    pub environment: Environment,
    /// How files are read.
    pub input: InputConfig,
    /// How files are written and edited.
    pub output: OutputConfig,
    /// Tables in input and output.
    pub tables: Tables,
    /// What depends on language and country.
    pub locale: LocaleConfig,
    /// What a run may use up.
    pub limits: Limits,
    /// What the program may do.
    pub permissions: Permissions,
    /// What a run says besides its output.
    pub reports: Reports,
    /// Variables set before the program begins, after `command_line.assignments`. Array elements
    /// are added to those that are there.
    pub variables: Vec<(String, Data)>,
    /// Ends the run from another thread, if the program is compiled to be timed. In force from
    /// [`MachineConfig::begin`].
    pub cancel: Option<Cancel>,
    /// The host functions that the program was parsed with, in that order.
    pub host_functions: HostFunctions,
    /// The process belongs to this run: signals and a broken standard output are handled as an awk
    /// handles them, and memory is left to the system at the end. For a library inside another
    /// program it is false: signals stay as they are, a broken pipe is an error.
    pub owns_process: bool,
}

/// The command line after the program.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// `ARGV[0]`, and the first word of messages.
    pub program_name: Vec<u8>,
    /// The whole command line, for `PROCINFO["argv"]`.
    pub words: Vec<Vec<u8>>,
    /// `-v` in order, before escape sequences are replaced. `-F x` is `FS=x`: the last of both
    /// wins.
    pub assignments: Vec<Assignment>,
    /// `ARGV[1]` and on: files, `var=value`, `-`.
    pub operands: Vec<Vec<u8>>,
    /// Operands are files, even those like `var=value` (`-E`).
    pub only_files: bool,
}

/// ENVIRON, and what commands started by the program see.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// What both have.
    pub variables: Vec<(Vec<u8>, Vec<u8>)>,
    /// What ENVIRON holds for variables that are not set. Commands do not see it unless it is
    /// assigned.
    pub assumed: Vec<(Vec<u8>, Vec<u8>)>,
}

/// How files are read; the variable ENCODING names their encoding.
#[derive(Clone, Debug)]
pub struct InputConfig {
    /// First size of the window, in bytes; it grows when a record is longer.
    pub window_size: usize,
    /// Drops a byte order mark.
    pub strip_bom: bool,
    /// Decompresses files, up to this much (`--decompress-limit`); `None` is `--no-decompress`.
    pub decompress: Option<Limit>,
    /// Files of the main input are read as they grow, and what takes their names. They end at
    /// SIGINT or SIGTERM if the process belongs to the run.
    pub follow: bool,
}

/// How files are written and edited.
#[derive(Clone, Debug, Default)]
pub struct OutputConfig {
    /// The encoding of what is written: `name`, or `name:policy` with `strict`, `replace` or
    /// `permissive` for characters it lacks; UTF-8 if `None`.
    pub output_encoding: Option<Vec<u8>>,
    /// Compresses files named `.gz`, `.zst`, `.bz2`, `.xz` or `.lz4`.
    pub compress_output: bool,
    /// Files of the main input are replaced by what is printed while they are read; the old ones
    /// stay under this suffix, unless it is empty.
    pub in_place: Option<Vec<u8>>,
    /// What becomes of edited files, and of a program that prints nothing.
    pub edits: Edits,
}

/// What depends on language and country; by default nothing.
#[derive(Clone, Debug, Default)]
pub struct LocaleConfig {
    /// Encodings that the program can name, instead of the built-in ones.
    pub encodings: Option<Encodings>,
    /// What input text may be a number.
    pub numbers: NumberSyntax,
    /// What stands before a number's fraction in input and output, but not in JSON and program
    /// text.
    pub decimal_point: DecimalPoint,
    /// The locale whose order of texts counts; the order of bytes if none.
    pub collation: Option<Vec<u8>>,
}

/// What a run may use up; more is an error that names the limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The run may hold so many bytes more than when it begins. Only with the allocator
    /// `riverhawk_memory::Checked`. Memory that another thread frees stays counted, and what the
    /// specialiser and decompression allocate on theirs is not counted. In force from
    /// [`MachineConfig::begin`].
    pub memory_limit: Option<usize>,
    /// For a program compiled to be timed, on one thread. Ends the commands that it started; in a
    /// process of its own SIGURG wakes what is blocked, and all commands end. In force from
    /// [`MachineConfig::begin`].
    pub timeout: Option<Duration>,
    /// Bytes of a record.
    pub max_record: Option<usize>,
    /// Bytes printed to all outputs.
    pub max_output: Option<usize>,
    /// Iterations, also of the record loop, and calls, for a program compiled to be counted, on one
    /// thread: the same with and without machine code.
    pub max_steps: Option<u64>,
    /// Records of the main input, for a program that is compiled to be counted, on one thread.
    pub max_records: Option<u64>,
    /// Nested calls of functions; at most, and by default, 8,388,608.
    pub max_call_depth: Option<usize>,
}

/// While it lives, limits and [`MachineConfig::cancel`] are in force on its thread. Scopes end in the
/// opposite order in which they have begun.
#[derive(Debug)]
#[must_use]
pub struct RunScope {
    stoppable: Option<StoppableRun>,
    _account: Option<AccountInUse>,
}

impl RunScope {
    /// What has stopped the run.
    pub fn cause(&self) -> Option<StopCause> {
        self.stoppable.as_ref()?.cause()
    }
}

/// What the program may do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// It may read its operands and print, and nothing else.
    pub sandbox: bool,
    /// Exceptions in the sandbox; none, and gawk's messages, if `None`.
    pub allowed: Option<Allowed>,
}

/// What a run says besides its output.
#[derive(Clone, Debug, Default)]
pub struct Reports {
    /// Lists the variables in [`Ended::variables`](crate::machine::Ended::variables).
    pub dump_variables: bool,
    /// Give the variables at the end in [`Ended::data`](crate::machine::Ended::data).
    pub data: bool,
    /// What a program that is compiled to be warned is warned of.
    pub lint: Level,
    /// How warnings are drawn; one line each if `None`.
    pub drawing: Option<Drawing>,
}

impl MachineConfig {
    /// JSON has a period everywhere.
    pub fn decimal_point(&self) -> DecimalPoint {
        if self.tables.is_json() { DecimalPoint::Period } else { self.locale.decimal_point }
    }

    /// Whether numbers are read and written as in program text.
    pub fn has_plain_numbers(&self) -> bool {
        self.locale.numbers == NumberSyntax::Decimal && self.decimal_point() == DecimalPoint::Period
    }

    /// Puts the limits and the handle to cancel the run in force for the calling thread, until what
    /// is returned is dropped.
    ///
    /// # Errors
    /// The allocator counts nothing, or no thread can look at the clock.
    pub fn begin(&self) -> Result<RunScope, Box<RuntimeError>> {
        let limit = self.limits.memory_limit;
        // Without a limit the process's own account does for a run that the process belongs to.
        let account = (limit.is_some() || !self.owns_process).then(|| memory::open_account(limit));
        let account =
            account.transpose().map_err(|message| Box::new(RuntimeError::new(message)))?;
        let timeout = self.limits.timeout;
        let stoppable = timeout.is_some() || self.cancel.is_some();
        let owner = if self.owns_process { ProcessOwner::Run } else { ProcessOwner::Host };
        let stoppable =
            stoppable.then(|| cancel::begin(self.cancel.as_ref(), timeout, owner)).transpose();
        let stoppable = stoppable.map_err(|error| {
            Box::new(RuntimeError::new(format!("cannot limit the time: {error}")))
        })?;
        Ok(RunScope { stoppable, _account: account })
    }

    /// Whether anything is limited but memory and the depth of calls.
    pub fn limits_the_run(&self) -> bool {
        let limits = Limits { memory_limit: None, max_call_depth: None, ..self.limits };
        self.cancel.is_some() || limits != Limits::default()
    }

    /// How files opened from now on are read.
    pub(crate) fn reading(&self, before: &Reading) -> Reading {
        Reading {
            decompress: self.input.decompress,
            strip_mark: self.input.strip_bom,
            max_record: self.limits.max_record,
            ..before.clone()
        }
    }
}

impl InputConfig {
    /// 256 KiB stays in the second-level cache, and is within a third of mapping the file.
    pub const WINDOW_SIZE: usize = riverhawk_stream::DEFAULT_WINDOW;
}

/// A command without operands.
impl Default for CommandLine {
    fn default() -> CommandLine {
        CommandLine {
            program_name: b"rhawk".to_vec(),
            words: Vec::new(),
            assignments: Vec::new(),
            operands: Vec::new(),
            only_files: false,
        }
    }
}

impl Default for InputConfig {
    fn default() -> InputConfig {
        InputConfig {
            window_size: InputConfig::WINDOW_SIZE,
            strip_bom: false,
            decompress: Some(Limit::default()),
            follow: false,
        }
    }
}
