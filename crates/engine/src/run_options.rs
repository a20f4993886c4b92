//! What a run takes from outside the program.

use std::ffi::OsString;
use std::time::Duration;

use crate::{Assignment, Optimising, Renderer};
use riverhawk_awkio::Limit;
use riverhawk_awkio::in_place::Edits;
use riverhawk_awkio::sandbox::Allowed;
use riverhawk_record::table::Tables;
use riverhawk_text::encoding::Encodings;
use riverhawk_value::number::{DecimalPoint, NumberSyntax};

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
    /// Characters are bytes (`-b`, or a locale that says so: [`crate::locale_is_bytes`]).
    pub bytes: bool,
    /// First size of the window that input is read through, in bytes; grows when a record is
    /// longer.
    pub window_size: usize,
    /// The process belongs to this run: signals may be handled as an awk handles them, and a
    /// reader of standard output that went away ends the process by SIGPIPE if that is what
    /// was inherited. A library inside another program leaves this false: signals stay as they
    /// are and a broken pipe is an error.
    pub owns_process: bool,
    /// The encodings that the program can name, in place of the built-in ones: those and the
    /// embedder's own.
    pub encodings: Option<Encodings>,
    /// What standard output and files are written in: `name`, or `name:policy` with `strict`,
    /// `replace` or `permissive` for characters that the encoding lacks; UTF-8 if `None`. What
    /// input is in is said by the variable `ENCODING`, in [`RunOptions::assignments`] for
    /// instance.
    pub output_encoding: Option<OsString>,
    /// What input is and `print` writes, if tables.
    pub tables: Tables,
    /// A byte order mark at the beginning of a file is dropped.
    pub strip_bom: bool,
    /// Compressed files are decompressed wherever they are opened, to so much at most; `None`
    /// leaves them as they are.
    pub decompress: Option<Limit>,
    /// Files that the program writes are compressed when their names end in `.gz`, `.zst`, `.bz2`,
    /// `.xz` or `.lz4`.
    pub compress_output: bool,
    /// Files of the main input are replaced by what is printed while they are read; the old ones
    /// are kept under their names and this suffix, unless it is empty. Such a run is on one
    /// thread.
    pub in_place: Option<OsString>,
    /// What becomes of files that are edited, and of a program that prints nothing.
    pub edits: Edits,
    /// Files of the main input are read on as they grow, and whatever takes their names; they end,
    /// and the program with them, at SIGINT or SIGTERM if the process belongs to the run. Such
    /// a run is on one thread.
    pub follow: bool,
    /// Threads that run pieces of the input: 1 for none, 0 for as many as there are cores. A
    /// program that is not proved to give the same bytes that way is run by one.
    pub jobs: usize,
    /// About how many bytes a piece has.
    pub piece_size: usize,
    /// Sums of fractions may come out otherwise in their last bits, so that such programs can be
    /// run in pieces too.
    pub relaxed_sums: bool,
    /// Show on standard error, if that is a terminal, how far the input has been read.
    pub progress: bool,
    /// What is done to make the program faster, and what is to be seen of it.
    pub optimising: Optimising,
    /// The process may hold so many bytes more than when the run begins; more is an error that
    /// names who holds most. Only with the allocator `riverhawk_blocks::room::Checked`;
    /// without it such a run fails. The limit is the process's: it stays, for all of its threads,
    /// until another run sets one.
    pub memory_limit: Option<usize>,
    /// The run ends with an error when it has taken so long. For the program compiled with
    /// [`crate::CompileOptions::timed`], on one thread, in a process of its own: SIGURG wakes
    /// who is blocked, and the commands that the process has started are ended.
    pub timeout: Option<Duration>,
    /// A record may be so long at most, in bytes; a longer one is an error. Such a run is on one
    /// thread.
    pub max_record: Option<usize>,
    /// What is printed, to all outputs together, may be so much at most, in bytes; more is an
    /// error. Such a run is on one thread.
    pub max_output: Option<usize>,
    /// Count what the run does and return it in [`crate::Outcome::stats`].
    pub stats: bool,
    /// What input text may be a number.
    pub numbers: NumberSyntax,
    /// What stands before a number's fraction in input and output, JSON excepted:
    /// [`crate::locale_decimal_point`]. Program text has a period.
    pub decimal_point: DecimalPoint,
    /// The locale that says in what order texts are ([`crate::locale_collation`]); the order of
    /// their bytes if none. One thread only.
    pub collation: Option<OsString>,
    /// Operands are files, also those of the form `var=value`.
    pub only_files: bool,
    /// List the variables at the end in [`crate::Outcome::variables`].
    pub lists_variables: bool,
    /// Print each statement to standard error before it runs; the program was compiled to be
    /// observed.
    pub trace: bool,
    /// How warnings are drawn; without colour if by nobody.
    pub renderer: Option<Renderer>,
    /// The program may read its operands and print, and nothing else: no command, no connection,
    /// no other file. If the process belongs to the run, the kernel sees to it too, where it
    /// can, and for the rest of the process's life.
    pub sandbox: bool,
    /// What it may do in the sandbox all the same. If commands are among it, the process must
    /// belong to the run, and the kernel must be able to see to what they do; otherwise the
    /// run fails.
    pub allowed: Option<Allowed>,
}

impl RunOptions {
    /// Default of [`RunOptions::window_size`]: 256 KiB stays in the second-level cache and is
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
            bytes: false,
            window_size: RunOptions::WINDOW_SIZE,
            owns_process: false,
            encodings: None,
            output_encoding: None,
            tables: Tables::default(),
            strip_bom: false,
            decompress: Some(Limit::default()),
            compress_output: false,
            in_place: None,
            edits: Edits::default(),
            follow: false,
            jobs: 1,
            piece_size: RunOptions::PIECE_SIZE,
            relaxed_sums: false,
            progress: false,
            optimising: Optimising::default(),
            memory_limit: None,
            timeout: None,
            max_record: None,
            max_output: None,
            stats: false,
            numbers: NumberSyntax::Decimal,
            decimal_point: DecimalPoint::Period,
            collation: None,
            only_files: false,
            lists_variables: false,
            trace: false,
            renderer: None,
            sandbox: false,
            allowed: None,
        }
    }
}
