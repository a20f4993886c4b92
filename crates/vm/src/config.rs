//! What a run takes from outside the program.
//!
//! The defaults suit a program inside another one: nothing is taken from the environment, and the
//! process belongs to the caller. Names, operands and values are bytes and need not be UTF-8.
//! Options of the command have fields of the same name.
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
use crate::progress::ProgressCallback;
use crate::warning::Drawing;
use riverhawk_awkio::cancel::{self, Cancel, ProcessOwner, StopCause, StoppableRun};
use riverhawk_awkio::filesystem::OperandFiles;
use riverhawk_awkio::in_place::Edits;
use riverhawk_awkio::sandbox::Allowed;
use riverhawk_awkio::{Limit, Reading};
use riverhawk_memory::AccountInUse;
use riverhawk_record::table::Tables;
use riverhawk_text::encoding::Encodings;
use riverhawk_value::number::{DecimalPoint, NumberSyntax};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// What a run takes from outside the program.
#[derive(Clone, Debug, Default)]
pub struct MachineConfig {
    /// ARGV and `-v`.
    pub command_line: CommandLine,
    /// ENVIRON.
    pub environment: Environment,
    /// How files are read.
    pub input: InputConfig,
    /// How files are written.
    pub output: OutputConfig,
    /// Tables in input and output.
    pub tables: Tables,
    /// What depends on language and country.
    pub locale: LocaleConfig,
    /// How much a run may use.
    pub limits: Limits,
    /// What the program may do.
    pub permissions: Permissions,
    /// What a run reports besides its output.
    pub reports: Reports,
    /// Variables set before the program begins, after `command_line.assignments`. Existing arrays
    /// keep their other elements.
    pub variables: Vec<(String, Data)>,
    /// Lets another thread end the run from [`MachineConfig::begin`] on. The program must be
    /// compiled to be timed.
    pub cancel: Option<Cancel>,
    /// The time of day for the program; the system's if `None`.
    pub clock: Option<SystemTime>,
    /// The seed of `rand` until `srand` is called; 1, as in gawk, if `None`.
    pub seed: Option<u32>,
    /// The host functions in the order in which the parser got them.
    pub host_functions: HostFunctions,
    /// Whether the process belongs to this run. If so, signals and a broken standard output are
    /// handled as in an awk, and memory is left to the system at the end. If not, signals stay as
    /// they are and a broken pipe is an error.
    pub owns_process: bool,
}

/// The command line after the program.
#[derive(Clone, Debug)]
pub struct CommandLine {
    /// `ARGV[0]`, and the first word of messages.
    pub program_name: Vec<u8>,
    /// The whole command line: `PROCINFO["argv"]`.
    pub words: Vec<Vec<u8>>,
    /// `-v`, in order, with escape sequences. `-F x` is `FS=x`; the last one counts.
    pub assignments: Vec<Assignment>,
    /// `ARGV[1]` and on: files, `var=value`, `-`.
    pub operands: Vec<Vec<u8>>,
    /// Whether operands like `var=value` are files too (`-E`).
    pub only_files: bool,
}

/// ENVIRON, and the environment of commands.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// Variables that both have.
    pub variables: Vec<(Vec<u8>, Vec<u8>)>,
    /// What ENVIRON holds for unset variables. Commands get it only once it is assigned.
    pub assumed: Vec<(Vec<u8>, Vec<u8>)>,
}

/// How files are read; the variable ENCODING names their encoding.
#[derive(Clone, Debug)]
pub struct InputConfig {
    /// Initial size of the window in bytes. It grows for longer records.
    pub window_size: usize,
    /// Drops a byte order mark.
    pub strip_bom: bool,
    /// Decompresses files, up to this limit (`--decompress-limit`); `None` is `--no-decompress`.
    pub decompress: Option<Limit>,
    /// Reads files of the main input as they grow, and files that replace them. SIGINT or SIGTERM
    /// ends them if the process belongs to the run.
    pub follow: bool,
    /// Files of the main input and of `getline <` that are not the system's.
    pub operand_files: Option<Arc<dyn OperandFiles>>,
}

/// How files are written and edited.
#[derive(Clone, Debug, Default)]
pub struct OutputConfig {
    /// The encoding of the output: `name` or `name:policy`, with `strict`, `replace` or
    /// `permissive` for characters that it lacks. `None` is UTF-8.
    pub output_encoding: Option<Vec<u8>>,
    /// Compresses files named `.gz`, `.zst`, `.bz2`, `.xz` or `.lz4`.
    pub compress_output: bool,
    /// Replaces each file of the main input by what is printed while it is read. The old file is
    /// kept under this suffix, unless it is empty.
    pub in_place: Option<Vec<u8>>,
    /// What becomes of edited files, and what a program that prints nothing does to them.
    pub edits: Edits,
}

/// What depends on language and country; nothing by default.
#[derive(Clone, Debug, Default)]
pub struct LocaleConfig {
    /// Encodings that the program can name, instead of the built-in ones.
    pub encodings: Option<Encodings>,
    /// Which input text may be a number.
    pub numbers: NumberSyntax,
    /// The decimal point of input and output; JSON and program text have a period.
    pub decimal_point: DecimalPoint,
    /// The locale that orders texts; `None` orders them by bytes.
    pub collation: Option<Vec<u8>>,
}

/// Limits of a run. Reaching one is an error that names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of memory that the run may add. Needs the allocator `riverhawk_memory::Checked`, and
    /// applies from [`MachineConfig::begin`] on. Memory freed by another thread stays counted; that
    /// of the specialiser and of decompression is not counted.
    pub memory_limit: Option<usize>,
    /// Time until the run and its commands are ended, from [`MachineConfig::begin`] on. Needs a
    /// program compiled to be timed, on one thread. If the process belongs to the run, SIGURG wakes
    /// what is blocked.
    pub timeout: Option<Duration>,
    /// Bytes in a record.
    pub max_record: Option<usize>,
    /// Bytes printed to all outputs.
    pub max_output: Option<usize>,
    /// Iterations, those of the record loop included, and calls; machine code does not change the
    /// number. Needs a program compiled to be counted, on one thread.
    pub max_steps: Option<u64>,
    /// Records of the main input. Needs the same.
    pub max_records: Option<u64>,
    /// Nested calls of functions. The default is the maximum, 8,388,608.
    pub max_call_depth: Option<usize>,
}

/// Limits and [`MachineConfig::cancel`] apply to its thread while it lives. Drop scopes in reverse
/// order.
#[derive(Debug)]
#[must_use]
pub struct RunScope {
    stoppable: Option<StoppableRun>,
    _account: Option<AccountInUse>,
}

impl RunScope {
    /// What stopped the run.
    pub fn cause(&self) -> Option<StopCause> {
        self.stoppable.as_ref()?.cause()
    }
}

/// What the program may do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Allows only to read operands and to print.
    pub sandbox: bool,
    /// Exceptions from the sandbox. Without any, messages are gawk's.
    pub allowed: Option<Allowed>,
}

/// What a run reports besides its output.
#[derive(Clone, Debug, Default)]
pub struct Reports {
    /// Fills [`Ended::variables`](crate::machine::Ended::variables).
    pub dump_variables: bool,
    /// Fills [`Ended::data`](crate::machine::Ended::data).
    pub data: bool,
    /// The warnings of a program compiled for them.
    pub lint: Level,
    /// Who is told how far the input has been read.
    pub progress: Option<ProgressCallback>,
    /// How warnings are drawn; `None` is one line each.
    pub drawing: Option<Drawing>,
}

impl MachineConfig {
    /// The decimal point; always a period in JSON.
    pub fn decimal_point(&self) -> DecimalPoint {
        if self.tables.is_json() { DecimalPoint::Period } else { self.locale.decimal_point }
    }

    /// Whether numbers are read and written as in program text.
    pub fn has_plain_numbers(&self) -> bool {
        self.locale.numbers == NumberSyntax::Decimal && self.decimal_point() == DecimalPoint::Period
    }

    /// Applies limits and [`MachineConfig::cancel`] to this thread until the result is dropped.
    ///
    /// # Errors
    /// The allocator does not count, or no thread can watch the clock.
    pub fn begin(&self) -> Result<RunScope, Box<RuntimeError>> {
        let limit = self.limits.memory_limit;
        // If the process belongs to a run without limit, the process's own account is enough.
        let account = (limit.is_some() || !self.owns_process).then(|| memory::open_account(limit));
        let account =
            account.transpose().map_err(|message| Box::new(RuntimeError::new(message)))?;
        let timeout = self.limits.timeout;
        let stoppable = timeout.is_some() || self.cancel.is_some();
        let owner = self.process_owner();
        let stoppable =
            stoppable.then(|| cancel::begin(self.cancel.as_ref(), timeout, owner)).transpose();
        let stoppable = stoppable.map_err(|error| {
            Box::new(RuntimeError::new(format!("cannot limit the time: {error}")))
        })?;
        Ok(RunScope { stoppable, _account: account })
    }

    /// Whose the process is.
    pub fn process_owner(&self) -> ProcessOwner {
        if self.owns_process { ProcessOwner::Run } else { ProcessOwner::Host }
    }

    /// Whether something is limited that is counted through the whole run.
    pub fn has_counted_limits(&self) -> bool {
        let uncounted =
            Limits { memory_limit: None, timeout: None, max_call_depth: None, ..self.limits };
        uncounted != Limits::default()
    }

    pub(crate) fn reading(&self, before: &Reading) -> Reading {
        Reading {
            decompress: self.input.decompress,
            strip_mark: self.input.strip_bom,
            operand_files: self.input.operand_files.clone(),
            max_record: self.limits.max_record,
            ..before.clone()
        }
    }
}

impl InputConfig {
    /// 256 KiB: it fits in the second-level cache.
    pub const WINDOW_SIZE: usize = riverhawk_stream::DEFAULT_WINDOW;
}

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
            operand_files: None,
        }
    }
}
