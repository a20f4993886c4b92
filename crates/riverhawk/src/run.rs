//! What one run reads, writes and may do.

use crate::error::{Diagnostic, Ended, Location, RunError};
use crate::outcome::Outcome;
use crate::permissions::Permissions;
use crate::program::{Inner, Program};
use crate::settings::Limits;
use crate::unwinding::{Caught, caught};
use crate::{Cancel, Dialect, OutputFormat, Progress, Strictness, TableFormat, Value};
use riverhawk_engine::cluster::ClusterRun;
use riverhawk_engine::filesystem::{FileSystem, OperandFiles};
use riverhawk_engine::{
    Config, Drawing, Limit, MachineConfig, NumberSyntax, Optimiser, Parallel, ProgressCallback,
    Renderer, Streams, Tools, locale_collation, locale_decimal_point, number_syntax,
};
use riverhawk_stream::{MemorySource, ReadSource, Source};
use riverhawk_system::names::{OsStrExt, OsStringExt};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// What one run reads, writes and may do. By default: no input, what is printed is kept in the
/// [`Outcome`], and nothing else is permitted.
///
/// ```
/// use riverhawk::filesystem::MemoryFiles;
/// use riverhawk::{Program, Run, Value};
///
/// let files = MemoryFiles::new();
/// files.insert("prices", "tea 3\nmilk 1\n");
/// let program = Program::compile(
///     "FNR == NR { price[$1] = $2; next } { print $1, $2 * price[$1] > \"bill\" }",
/// )?;
/// let run = Run::new()
///     .file_system(files.clone())
///     .operands(["prices", "-"])
///     .input("tea 2\n")
///     .variable("OFS", ": ")
///     .keep_variables();
/// let outcome = program.run(run)?;
/// assert_eq!(files.get("bill"), Some(b"tea: 6\n".to_vec()));
/// assert_eq!(outcome.variable("price").and_then(|price| price.get("milk")).map(Value::number), Some(1.0));
/// # Ok::<(), riverhawk::Error>(())
/// ```
#[derive(Default)]
pub struct Run {
    streams: Given,
    machine: MachineConfig,
    permissions: Permissions,
    parallel: Parallel,
    cluster: Option<ClusterRun>,
    optimiser: Optimiser,
    use_lc_numeric: bool,
    warnings: Option<WarningCallback>,
}

type WarningCallback = Box<dyn FnMut(Diagnostic) + Send>;

#[derive(Default)]
struct Given {
    stdin: Option<Box<dyn Source>>,
    stdout: Option<Box<dyn Write + Send>>,
    stderr: Option<Box<dyn Write + Send>>,
    file_system: Option<Arc<dyn FileSystem>>,
}

impl Program {
    /// Runs the program to its end on this thread.
    ///
    /// What a run needs at least is some microseconds, without a system call.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let divide = Program::compile("{ print 1 / $1 }")?;
    /// assert_eq!(divide.run(Run::new().input("2\n4\n"))?.text(), "0.5\n0.25\n");
    /// let error = divide.run(Run::new().input("2\n0\n")).unwrap_err();
    /// assert_eq!(error.message(), "division by zero in `/'");
    /// assert_eq!((error.record(), error.outcome().text()), (Some((&b"-"[..], 2)), "0.5\n".into()));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    ///
    /// # Errors
    /// What ended the run; [`RunError::outcome`] has what was printed until then.
    pub fn run(&self, run: Run) -> Result<Outcome, RunError> {
        run.begin(self)
    }
}

impl Run {
    /// No input; what is printed is kept.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// assert_eq!(Program::compile("BEGIN { print 6 * 7 }")?.run(Run::new())?.text(), "42\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn new() -> Run {
        Run::default()
    }

    /// The standard input, from memory.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let program = Program::compile("{ print $2 }")?;
    /// assert_eq!(program.run(Run::new().input("a b\nc d\n"))?.text(), "b\nd\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn input(mut self, text: impl Into<Vec<u8>>) -> Run {
        self.streams.stdin = Some(Box::new(MemorySource::new(text)));
        self
    }

    /// As [`Run::input`], from a text with another owner, which is neither copied nor freed: an
    /// `Arc<[u8]>` that several runs read, a `&'static [u8]`, a mapped file.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    /// use std::sync::Arc;
    ///
    /// let text: Arc<[u8]> = Arc::from(&b"a\nb\n"[..]);
    /// let count = Program::compile("END { print NR }")?;
    /// assert_eq!(count.run(Run::new().shared_input(text.clone()))?.text(), "2\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn shared_input(mut self, text: impl AsRef<[u8]> + Send + 'static) -> Run {
        self.streams.stdin = Some(Box::new(MemorySource::of(text)));
        self
    }

    /// The standard input, from any reader. It is read in blocks of up to 256 KiB when the program
    /// needs more, and dropped before the run returns, which waits for a read that is in progress.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    /// use std::io::Read;
    ///
    /// let reader = "a\n".as_bytes().chain("b\n".as_bytes());
    /// assert_eq!(Program::compile("END { print NR }")?.run(Run::new().stdin(reader))?.text(), "2\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn stdin(mut self, reader: impl Read + Send + 'static) -> Run {
        self.streams.stdin = Some(Box::new(ReadSource::new(Caught(reader))));
        self
    }

    /// The standard input, from an iterator: a line of each item.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let sum = Program::compile("{ n += $1 } END { print n }")?;
    /// assert_eq!(sum.run(Run::new().lines(["1", "2 apples"]))?.text(), "3\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn lines<T: AsRef<[u8]>>(
        mut self,
        lines: impl IntoIterator<Item = T, IntoIter: Send + 'static>,
    ) -> Run {
        let lines = Lines { lines: lines.into_iter(), rest: Vec::new(), at: 0 };
        self.streams.stdin = Some(Box::new(lines));
        self
    }

    /// The standard output, also of commands, in blocks of up to 64 KiB. Then
    /// [`Outcome::stdout`] stays empty.
    ///
    /// A writer that fails is an error of the run.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// Program::compile("{ print $2 }")?.run(Run::new().input("a b\n").stdout(file.reopen()?))?;
    /// assert_eq!(std::fs::read(file.path())?, b"b\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stdout(mut self, writer: impl Write + Send + 'static) -> Run {
        self.streams.stdout = Some(Box::new(Caught(writer)));
        self
    }

    /// The standard error, also of commands. Then [`Outcome::stderr`] stays empty.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let file = tempfile::NamedTempFile::new()?;
    /// let program = Program::compile("BEGIN { print \"careful\" > \"/dev/stderr\" }")?;
    /// program.run(Run::new().stderr(file.reopen()?))?;
    /// assert_eq!(std::fs::read(file.path())?, b"careful\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn stderr(mut self, writer: impl Write + Send + 'static) -> Run {
        self.streams.stderr = Some(Box::new(Caught(writer)));
        self
    }

    /// What names in the program mean: files, commands and connections. Without it they are the
    /// system's, as far as [`Permissions`] go.
    ///
    /// ```
    /// use riverhawk::filesystem::MemoryFiles;
    /// use riverhawk::{Program, Run};
    ///
    /// let files = MemoryFiles::new();
    /// Program::compile("{ print > $1 }")?
    ///     .run(Run::new().input("a 1\nb 2\n").file_system(files.clone()))?;
    /// assert_eq!(files.get("b"), Some(b"b 2\n".to_vec()));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn file_system(mut self, files: impl FileSystem + 'static) -> Run {
        self.streams.file_system = Some(Arc::new(Caught(files)));
        self
    }

    /// Files that the system cannot open by their names, among the operands and for `getline <`.
    /// [`Run::jobs`] and [`Run::cluster`] cut them as they do with the system's.
    #[must_use]
    pub fn operand_files(mut self, files: impl OperandFiles + 'static) -> Run {
        self.machine.input.operand_files = Some(Arc::new(Caught(files)));
        self
    }

    /// `ARGV[1]` and on: files to read, `variable=value`, `-` for the standard input. They may be
    /// read whatever [`Permissions`] say.
    ///
    /// ```
    /// use riverhawk::filesystem::MemoryFiles;
    /// use riverhawk::{Program, Run};
    ///
    /// let files = MemoryFiles::new();
    /// files.insert("users", "root:0\n");
    /// let run = Run::new().file_system(files).operands(["FS=:", "users"]);
    /// assert_eq!(Program::compile("{ print FILENAME, $2 }")?.run(run)?.text(), "users 0\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn operands<T: Into<Vec<u8>>>(mut self, operands: impl IntoIterator<Item = T>) -> Run {
        self.machine.command_line.operands.extend(operands.into_iter().map(Into::into));
        self
    }

    /// Operands are files, even those that look like `variable=value`: for names that come from
    /// elsewhere.
    ///
    /// ```
    /// use riverhawk::filesystem::MemoryFiles;
    /// use riverhawk::{Program, Run};
    ///
    /// let files = MemoryFiles::new();
    /// files.insert("a=b", "it is a file\n");
    /// let run = Run::new().file_system(files).operands(["a=b"]).only_files();
    /// assert_eq!(Program::compile("{ print }")?.run(run)?.text(), "it is a file\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn only_files(mut self) -> Run {
        self.machine.command_line.only_files = true;
        self
    }

    /// Sets a variable before the program begins: a number, a text, or an array of them. Nothing in
    /// a text is special, as it would be in `-v`.
    ///
    /// Options that are variables of the language are set so: `FS`, `RS`, `OFS` and `ORS` for
    /// separators, `ENCODING` for what input is in if not UTF-8 (`"latin1"`, `"utf-16:replace"`).
    ///
    /// ```
    /// use riverhawk::{Program, Run, Value};
    ///
    /// let names = Value::Array(vec![(b"1".to_vec(), "one".into())]);
    /// let run = Run::new().variable("FS", ":").variable("name", names).input("1:x\n");
    /// assert_eq!(Program::compile("{ print name[$1], $2 }")?.run(run)?.text(), "one x\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<Value>) -> Run {
        self.machine.variables.push((name.into(), value.into()));
        self
    }

    /// Variables are in the [`Outcome`].
    ///
    /// Arrays are copied once, when the run ends.
    ///
    /// ```
    /// use riverhawk::{Program, Run, Value};
    ///
    /// let program = Program::compile("{ n[$1]++ } END { last = $1 }")?;
    /// let outcome = program.run(Run::new().input("a\nb\na\n").keep_variables())?;
    /// assert_eq!(outcome.variable("n").unwrap().get("a"), Some(&Value::Number(2.0)));
    /// assert_eq!(outcome.variable("last"), Some(&Value::Input(b"a".to_vec())));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn keep_variables(mut self) -> Run {
        self.machine.reports.data = true;
        self
    }

    /// `ENVIRON`, and the environment of commands; empty by default. `TZ` and the locale's
    /// variables decide about dates.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let program = Program::compile("BEGIN { print ENVIRON[\"HOME\"] }")?;
    /// assert_eq!(program.run(Run::new())?.text(), "\n");
    /// assert_eq!(program.run(Run::new().environment([("HOME", "/home/me")]))?.text(), "/home/me\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn environment<N: Into<Vec<u8>>, V: Into<Vec<u8>>>(
        mut self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Run {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        self.machine.environment.variables.extend(variables);
        self
    }

    /// The time that it is for the whole run, for `systime`, `strftime` and `srand` without
    /// arguments, and the functions of `time::`: what is computed of it is always the same.
    /// [`Run::environment`] has `TZ`.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    /// use std::time::{Duration, UNIX_EPOCH};
    ///
    /// let program = Program::compile("BEGIN { print strftime(\"%F\"); srand(); print srand() }")?;
    /// let run = Run::new()
    ///     .clock(UNIX_EPOCH + Duration::from_secs(1_000_000_000))
    ///     .environment([("TZ", "UTC")]);
    /// assert_eq!(program.run(run)?.text(), "2001-09-09\n1000000000\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn clock(mut self, time: SystemTime) -> Run {
        self.machine.clock = Some(time);
        self
    }

    /// What `rand` begins with until the program calls `srand`; 1 otherwise, in every run. The
    /// same seed gives the same numbers.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let dice = Program::compile("BEGIN { print rand() }")?;
    /// assert_eq!(dice.run(Run::new().seed(7))?, dice.run(Run::new().seed(7))?);
    /// assert_ne!(dice.run(Run::new().seed(7))?, dice.run(Run::new().seed(8))?);
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn seed(mut self, seed: u32) -> Run {
        self.machine.seed = Some(seed);
        self
    }

    /// What input is, if it is not records and fields by `RS` and `FS`. With JSON,
    /// [`Builder::exact_integers`](crate::Builder::exact_integers) keeps the digits of large
    /// identifiers.
    ///
    /// ```
    /// use riverhawk::{JsonForm, Program, Run, TableFormat};
    ///
    /// let program = Program::compile("@\"price\" > 2 { print @\"name\", @\"price\" * 2 }")?;
    /// let run = Run::new()
    ///     .input_format(TableFormat::CSV)
    ///     .header()
    ///     .output_format(TableFormat::Json(JsonForm::Lines))
    ///     .input("name,price\n\"tea, green\",3\nmilk,1\n");
    /// assert_eq!(program.run(run)?.text(), "[\"tea, green\",6]\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn input_format(mut self, format: TableFormat) -> Run {
        self.machine.tables.input = Some(format);
        self
    }

    /// What `print` writes, if it is not its arguments and `OFS`: rows of a [`TableFormat`], or a
    /// table for people ([`Display`](crate::Display)).
    ///
    /// ```
    /// use riverhawk::{Program, Run, TableFormat};
    ///
    /// let run = Run::new().input("tea,green 3\n").output_format(TableFormat::CSV);
    /// assert_eq!(Program::compile("{ print $1, $2 }")?.run(run)?.text(), "\"tea,green\",3\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn output_format(mut self, format: impl Into<OutputFormat>) -> Run {
        self.machine.tables.output = Some(format.into());
        self
    }

    /// The first record of each file names its columns, for `@"name"` and `FIELDS`. JSON has names
    /// in every value and no header.
    ///
    /// ```
    /// use riverhawk::{Program, Run, TableFormat};
    ///
    /// let run = Run::new().input_format(TableFormat::CSV).header().input("name,price\ntea,3\n");
    /// assert_eq!(Program::compile("{ print @\"price\" }")?.run(run)?.text(), "3\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn header(mut self) -> Run {
        self.machine.tables.header = true;
        self
    }

    /// As [`Run::header`], and the standard output begins with a header that fits the rows.
    ///
    /// ```
    /// use riverhawk::{Program, Run, TableFormat};
    ///
    /// let run = Run::new()
    ///     .input_format(TableFormat::CSV)
    ///     .output_format(TableFormat::CSV)
    ///     .keep_header()
    ///     .input("name,price\ntea,3\nmilk,1\n");
    /// assert_eq!(Program::compile("@\"price\" > 2")?.run(run)?.text(), "name,price\ntea,3\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn keep_header(mut self) -> Run {
        self.machine.tables.keep_header = true;
        self
    }

    /// What happens at rows with too few or too many columns and at broken quotes, which are read
    /// as gawk does by default.
    ///
    /// ```
    /// use riverhawk::{Program, Run, Strictness, TableFormat};
    ///
    /// let run = Run::new()
    ///     .input_format(TableFormat::CSV)
    ///     .header()
    ///     .strictness(Strictness::Refuses)
    ///     .input("name,price\ntea\n");
    /// assert!(Program::compile("{ n++ }")?.run(run).is_err());
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn strictness(mut self, strictness: Strictness) -> Run {
        self.machine.tables.strictness = strictness;
        self
    }

    /// A byte order mark at the beginning of files is dropped.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let run = Run::new().input("\u{feff}tea\n").strip_bom();
    /// assert_eq!(Program::compile("$1 == \"tea\"")?.run(run)?.text(), "tea\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn strip_bom(mut self) -> Run {
        self.machine.input.strip_bom = true;
        self
    }

    /// Compressed input is read as it is. Otherwise what is gzip, zstd, bzip2, xz or lz4 by its
    /// content is decompressed, and may become as large as [`Limits::decompressed`] says.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let run = Run::new().input(b"\x1f\x8b not gzip\n").no_decompress();
    /// assert_eq!(Program::compile("{ print NF }")?.run(run)?.text(), "3\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn no_decompress(mut self) -> Run {
        self.machine.input.decompress = None;
        self
    }

    /// Files that the program names `.gz`, `.zst`, `.bz2`, `.xz` or `.lz4` are compressed.
    ///
    /// ```
    /// use riverhawk::filesystem::MemoryFiles;
    /// use riverhawk::{Program, Run};
    ///
    /// let files = MemoryFiles::new();
    /// let run = Run::new().input("tea\n").file_system(files.clone()).compress_output();
    /// Program::compile("{ print > \"names.gz\" }")?.run(run)?;
    /// assert!(files.get("names.gz").unwrap().starts_with(b"\x1f\x8b"));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn compress_output(mut self) -> Run {
        self.machine.output.compress_output = true;
        self
    }

    /// The encoding of what is written to the standard output and files, UTF-8 by default: a name of
    /// the WHATWG's standard, and behind it `:replace` for characters that it lacks, which are an
    /// error otherwise.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let run = Run::new().input("é\n").output_encoding("latin1");
    /// assert_eq!(Program::compile("{ print }")?.run(run)?.stdout, b"\xe9\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn output_encoding(mut self, name: impl Into<Vec<u8>>) -> Run {
        self.machine.output.output_encoding = Some(name.into());
        self
    }

    /// Input may have octal and hexadecimal numbers. Only gawk's dialect has it.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let run = Run::new().input("0x1F\n").non_decimal_data();
    /// assert_eq!(Program::compile("{ print $1 + 0 }")?.run(run)?.text(), "31\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn non_decimal_data(mut self) -> Run {
        self.machine.locale.numbers = NumberSyntax::NonDecimal;
        self
    }

    /// Numbers in input and output have the decimal point of the locale that
    /// [`Run::environment`] names, as they always have in POSIX's dialect.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let run = Run::new().input("1.5\n").environment([("LC_ALL", "C")]).use_lc_numeric();
    /// assert_eq!(Program::compile("{ print $1 * 2 }")?.run(run)?.text(), "3\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn use_lc_numeric(mut self) -> Run {
        self.use_lc_numeric = true;
        self
    }

    /// Threads that run pieces of the input, 0 for as many as there are cores; 1 by default. The
    /// result is that of one thread, and one thread it is for programs that are not proved to have
    /// the same in pieces, with a file system, and with limits other than of time, memory and nested
    /// calls. Records of a reader are waited for until there are 64 KiB of them.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let sum = Program::compile("{ n += $1 } END { print n }")?;
    /// let input = "1\n".repeat(1_000_000);
    /// assert_eq!(sum.run(Run::new().input(input).jobs(2))?.text(), "1000000\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn jobs(mut self, jobs: usize) -> Run {
        self.parallel.jobs = jobs;
        self
    }

    /// Sums of fractions are exact and rounded once, so that they are the same with any
    /// [`Run::jobs`], and programs that have them run in pieces, too.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let run = Run::new().input("0.1\n".repeat(10)).relaxed_sums();
    /// let sum = Program::compile("{ n += $1 } END { printf \"%.17g\\n\", n }")?;
    /// assert_eq!(sum.run(run)?.text(), "1\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn relaxed_sums(mut self) -> Run {
        self.parallel.relaxed_sums = true;
        self
    }

    /// Approximate size in bytes of the pieces for [`Run::jobs`] and [`Run::cluster`]; 4 MiB by
    /// default.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let sum = Program::compile("{ n += $1 } END { print n }")?;
    /// let run = Run::new().input("1\n".repeat(100_000)).jobs(2).piece_size(64 << 10);
    /// assert_eq!(sum.run(run)?.text(), "100000\n");
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn piece_size(mut self, bytes: usize) -> Run {
        self.parallel.piece_size = bytes;
        self
    }

    pub(crate) fn with_cluster(mut self, cluster: ClusterRun) -> Run {
        self.cluster = Some(cluster);
        self
    }

    /// No machine code is made: the program is interpreted, and no thread makes code beside it.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let program = Program::compile("BEGIN { while (i < 100000) n += ++i; print n }")?;
    /// assert_eq!(program.run(Run::new().no_jit())?, program.run(Run::new())?);
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn no_jit(mut self) -> Run {
        self.optimiser.no_jit = true;
        self
    }

    /// Calls back with what has been read of the main input, on the thread of the run: after blocks
    /// of up to 256 KiB, or pieces with [`Run::jobs`], if `every` has passed since the last call.
    /// A panic of the callback is an error of the run.
    ///
    /// ```
    /// use riverhawk::{Program, Progress, Run};
    /// use std::time::Duration;
    ///
    /// let (sender, reports) = std::sync::mpsc::channel();
    /// let tell = move |progress: Progress| sender.send(progress.bytes).unwrap();
    /// let run = Run::new().input("a\n".repeat(300_000)).progress(Duration::ZERO, tell);
    /// Program::compile("END { print NR }")?.run(run)?;
    /// assert_eq!(reports.iter().last(), Some(600_000));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn progress(
        mut self,
        every: Duration,
        callback: impl FnMut(Progress) + Send + 'static,
    ) -> Run {
        self.machine.reports.progress = Some(ProgressCallback::new(every, callback));
        self
    }

    /// Calls back with each warning of the run, which is also written to the standard error: what
    /// [`Builder::lint`](crate::Builder::lint) asks for while the program runs, and what is always
    /// warned of. It is called on the thread of the run, and a panic of it is ignored.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let (sender, warnings) = std::sync::mpsc::channel();
    /// let run = Run::new().input("4\n-9\n").warnings(move |warning| sender.send(warning).unwrap());
    /// Program::compile("{ sum += sqrt($1) }")?.run(run)?;
    /// let warning = warnings.recv().unwrap();
    /// assert_eq!(warning.code.unwrap().to_string(), "RH1302");
    /// assert_eq!(warning.message, "sqrt: received negative argument -9");
    /// assert_eq!((warning.location.unwrap().column, warning.input.unwrap().record), (10, 2));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn warnings(mut self, callback: impl FnMut(Diagnostic) + Send + 'static) -> Run {
        self.warnings = Some(Box::new(callback));
        self
    }

    /// What the program may do.
    ///
    /// ```
    /// use riverhawk::{Permissions, Program, Run};
    ///
    /// let program = Program::compile("BEGIN { print \"lost\" > \"/dev/null\" }")?;
    /// assert!(program.run(Run::new()).is_err());
    /// assert!(program.run(Run::new().permissions(Permissions::none().write("/dev/null"))).is_ok());
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn permissions(mut self, permissions: Permissions) -> Run {
        self.permissions = permissions;
        self
    }

    /// What the run may use up.
    ///
    /// ```
    /// use riverhawk::{EndCause, Limits, Program, Run};
    ///
    /// let printer = Program::compile("BEGIN { for (;;) print \"more\" }")?;
    /// let error = printer.run(Run::new().limits(Limits::none().output(1000))).unwrap_err();
    /// assert_eq!(error.cause(), Some(EndCause::Output));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Run {
        self.machine.limits = riverhawk_engine::Limits {
            memory_limit: limits.memory,
            timeout: limits.time,
            max_record: limits.record,
            max_output: limits.output,
            max_steps: limits.steps,
            max_records: limits.records,
            max_call_depth: limits.call_depth,
        };
        if let Some(decompress) = &mut self.machine.input.decompress {
            *decompress = limits.decompressed.map_or_else(Limit::default, Limit::bytes);
        }
        self
    }

    /// [`Cancel::cancel`] ends the run from any thread.
    ///
    /// ```
    /// use riverhawk::{Cancel, Program, Run, StopCause};
    ///
    /// let endless = Program::compile("BEGIN { while (1) n++ }")?;
    /// let cancel = Cancel::new();
    /// std::thread::scope(|scope| {
    ///     let run = scope.spawn(|| endless.run(Run::new().cancel(&cancel)));
    ///     cancel.cancel();
    ///     let error = run.join().unwrap().unwrap_err();
    ///     assert_eq!(error.stopped(), Some(StopCause::Cancelled));
    /// });
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Run {
        self.machine.cancel = Some(cancel.clone());
        self
    }

    /// With a handle that ends this run alone.
    pub(crate) fn with_cancel(self) -> (Run, Cancel) {
        let cancel = self.machine.cancel.as_ref().map_or_else(Cancel::new, Cancel::child);
        (self.cancel(&cancel), cancel)
    }

    fn begin(self, program: &Program) -> Result<Outcome, RunError> {
        let Run {
            streams,
            mut machine,
            permissions,
            parallel,
            cluster,
            optimiser,
            use_lc_numeric,
            warnings,
        } = self;
        let permissions = match &streams.file_system {
            // It decides by itself.
            Some(_) => Permissions::all(),
            None => permissions,
        };
        machine.permissions = permissions.into_engine();
        machine.host_functions = program.0.functions.clone().into();
        machine.tables = machine.tables.completed();
        take_locale(&mut machine, program, use_lc_numeric);
        let (stdout, stderr) = (Kept::default(), Kept::default());
        let engine_streams = Streams {
            stdin: Some(streams.stdin.unwrap_or_else(|| Box::new(MemorySource::new("")))),
            stdout: streams.stdout.unwrap_or_else(|| Box::new(stdout.clone())),
            stderr: streams.stderr.unwrap_or_else(|| Box::new(stderr.clone())),
            file_system: streams.file_system,
        };
        let compiled = &program.0.compiled;
        machine.reports.drawing = Some(drawing(program.clone(), warnings));
        let config = Config { machine, optimiser, parallel, cluster, tools: Tools::default() };
        let ended = compiled.run_with(engine_streams, config);
        let outcome = Outcome {
            status: ended.status,
            stdout: stdout.take(),
            stderr: stderr.take(),
            records: ended.records,
            variables: ended.data,
        };
        let Some(first) = ended.errors.first() else { return Ok(outcome) };
        let renderer = Renderer::plain("riverhawk");
        let draw = |error| renderer.runtime_error(compiled.sources(), error);
        Err(RunError::new(Ended {
            location: first.span.and_then(|span| Location::at(span, compiled.sources())),
            drawn: ended.errors.iter().map(draw).collect(),
            stopped: ended.stopped,
            outcome,
            errors: ended.errors,
        }))
    }
}

/// Draws the run's warnings, and passes them on as data.
fn drawing(program: Program, callback: Option<WarningCallback>) -> Drawing {
    let renderer = Renderer::plain("riverhawk");
    let callback = callback.map(Mutex::new);
    Drawing::new(move |warning| {
        if program.0.compiled.allows(warning) {
            return None;
        }
        let sources = program.0.compiled.sources();
        let drawn = renderer.run_warning(sources, warning);
        if let Some(callback) = &callback {
            let found = Diagnostic::of_run(warning, sources, drawn.clone());
            let mut callback = callback.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = caught(|| {
                callback(found);
                Ok(())
            });
        }
        Some(drawn)
    })
}

/// By what the run's environment names, for who asks for it.
fn take_locale(machine: &mut MachineConfig, program: &Program, use_lc_numeric: bool) {
    let Inner { dialect, bignum, .. } = *program.0;
    let variable = |name: &str| {
        let variables = machine.environment.variables.iter();
        let value = variables.rev().find(|(known, _)| known == name.as_bytes())?;
        Some(OsStr::from_bytes(&value.1).to_owned())
    };
    let is_posix = dialect == Dialect::Posix;
    let decimal_point = (use_lc_numeric || is_posix).then(|| locale_decimal_point(variable));
    let collation = is_posix.then(|| locale_collation(variable)).flatten();
    let locale = &mut machine.locale;
    locale.numbers = number_syntax(dialect, bignum, locale.numbers);
    locale.decimal_point = decimal_point.unwrap_or_default();
    locale.collation = collation.map(OsString::into_vec);
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("machine", &self.machine)
            .field("permissions", &self.permissions)
            .finish_non_exhaustive()
    }
}

/// What is printed, kept in memory.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        text.try_reserve(bytes.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
        text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Lines of an iterator, one at a time.
struct Lines<I> {
    lines: I,
    rest: Vec<u8>,
    at: usize,
}

impl<T: AsRef<[u8]>, I: Iterator<Item = T> + Send> Source for Lines<I> {
    fn read(&mut self, room: &mut riverhawk_stream::Room<'_>) -> io::Result<usize> {
        if self.at == self.rest.len() {
            let Some(line) = caught(|| Ok(self.lines.next()))? else { return Ok(0) };
            self.rest.clear();
            self.rest.extend_from_slice(line.as_ref());
            self.rest.push(b'\n');
            self.at = 0;
        }
        let taken = room.append(&self.rest[self.at..]);
        self.at += taken;
        Ok(taken)
    }
}
