//! What a run is told besides its program and its operands: filled once, by the command or the
//! embedder, and read by whoever needs a part of it.

use riverhawk_awkio::Limit;
use riverhawk_awkio::in_place::Edits;
use riverhawk_awkio::sandbox::Allowed;
use riverhawk_record::table::Tables;
use riverhawk_text::encoding::Encodings;
use riverhawk_value::number::{DecimalPoint, NumberSyntax};
use std::ffi::OsString;
use std::time::Duration;

/// What a run is told.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// How files are read.
    pub input: InputConfig,
    /// How they are written.
    pub output: OutputConfig,
    /// What input is and `print` writes, if tables.
    pub tables: Tables,
    /// How text and numbers are read, written and ordered.
    pub locale: LocaleConfig,
    /// What the run may not exceed.
    pub limits: LimitConfig,
    /// What is to be seen of it.
    pub tools: ToolConfig,
}

impl Config {
    /// The usual, with input read through windows of so many bytes.
    pub fn with_window(window: usize) -> Config {
        let input = InputConfig { window, ..InputConfig::default() };
        Config { input, ..Config::default() }
    }
}

/// How files are read.
#[derive(Clone, Debug)]
pub struct InputConfig {
    /// First size of the window that input is read through, in bytes; it grows when a record is
    /// longer.
    pub window: usize,
    /// Operands are files, also those of the form `var=value`.
    pub only_files: bool,
    /// A byte order mark at the beginning of a file is dropped.
    pub strip_bom: bool,
    /// Compressed files are decompressed wherever they are opened, to so much at most; `None`
    /// leaves them as they are.
    pub decompress: Option<Limit>,
    /// Files of the main input are read on as they grow, and whatever takes their names; they end,
    /// and the program with them, at SIGINT or SIGTERM if the process belongs to the run. Such a
    /// run is on one thread.
    pub follow: bool,
}

impl Default for InputConfig {
    fn default() -> InputConfig {
        InputConfig {
            window: riverhawk_stream::DEFAULT_WINDOW,
            only_files: false,
            strip_bom: false,
            decompress: Some(Limit::default()),
            follow: false,
        }
    }
}

/// How files are written.
#[derive(Clone, Debug, Default)]
pub struct OutputConfig {
    /// What standard output and files are written in: `name`, or `name:policy` with `strict`,
    /// `replace` or `permissive` for characters that the encoding lacks; UTF-8 if `None`. What
    /// input is in is said by the variable `ENCODING`.
    pub encoding: Option<OsString>,
    /// Files that the program writes are compressed when their names end in `.gz`, `.zst`, `.bz2`,
    /// `.xz` or `.lz4`.
    pub compress: bool,
    /// Files of the main input are replaced by what is printed while they are read; the old ones
    /// are kept under their names and this suffix, unless it is empty. Such a run is on one
    /// thread.
    pub in_place: Option<OsString>,
    /// What becomes of files that are edited, and of a program that prints nothing.
    pub edits: Edits,
}

/// How text and numbers are read, written and ordered.
#[derive(Clone, Debug, Default)]
pub struct LocaleConfig {
    /// The encodings that the program can name, in place of the built-in ones.
    pub encodings: Option<Encodings>,
    /// What input text may be a number.
    pub numbers: NumberSyntax,
    /// What stands before a number's fraction in input and output, JSON excepted. Program text has
    /// a period.
    pub decimal_point: DecimalPoint,
    /// The locale that says in what order texts are; the order of their bytes if none. One thread
    /// only.
    pub collation: Option<OsString>,
}

/// What a run may not exceed.
#[derive(Clone, Debug, Default)]
pub struct LimitConfig {
    /// The process may hold so many bytes more than when the run begins; more is an error that
    /// names what holds most. Only with the allocator `riverhawk_memory::Checked`; without
    /// it such a run fails. The limit is the process's: it stays, for all of its threads, until
    /// another run sets one.
    pub memory: Option<usize>,
    /// The run ends with an error when it has taken so long. For a program that is compiled to be
    /// limited, on one thread, in a process of its own: SIGURG wakes blocked system calls, and the
    /// commands that the process has started are ended.
    pub time: Option<Duration>,
    /// A record may be so long at most, in bytes; a longer one is an error. Such a run is on one
    /// thread.
    pub record: Option<usize>,
    /// What is printed, to all outputs together, may be so much at most, in bytes; more is an
    /// error. Such a run is on one thread.
    pub output: Option<usize>,
    /// The program may read its operands and print, and nothing else: no command, no connection,
    /// no other file. If the process belongs to the run, the kernel sees to it too, where it can,
    /// and for the rest of the process's life.
    pub sandbox: bool,
    /// What it may do in the sandbox all the same; nothing, with gawk's messages, if `None`. If
    /// commands are among it, the process must belong to the run, and the kernel must be able to
    /// see to what they do; otherwise the run fails.
    pub allowed: Option<Allowed>,
}

/// What is to be seen of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct ToolConfig {
    /// The variables are listed at the end.
    pub lists_variables: bool,
    /// What the run does is counted.
    pub stats: bool,
    /// Each statement is printed to standard error before it runs; the program was compiled to be
    /// observed.
    pub trace: bool,
    /// How far the input has been read is shown on standard error, if that is a terminal.
    pub progress: bool,
}
