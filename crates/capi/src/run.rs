//! What one run reads, writes, may do and may use up.

use crate::border::{caught, guarded, rh_text};
use crate::callbacks::{
    ForeignFiles, ForeignProgress, ForeignReader, ForeignWarnings, ForeignWriter, rh_files,
    rh_progress, rh_reader, rh_warnings, rh_writer,
};
use crate::cancel::rh_cancel;
use crate::error::{attempt, rh_error};
use crate::memory_files::rh_memory_files;
use crate::outcome::rh_outcome;
use crate::program::{rh_program, utf8};
use crate::value::rh_value;
use riverhawk::filesystem::RootedFiles;
use riverhawk::{Display, JsonForm, Limits, Permissions, Run, Strictness, TableFormat};
use riverhawk_system::names::OsStrExt;
use std::ffi::OsStr;
use std::mem::{self, MaybeUninit};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

/// What one run reads, writes, may do and may use up: made, changed, run once, freed with
/// `rh_run_free`. At first: no input, what is printed is kept in the outcome, nothing else is
/// permitted, nothing is limited.
///
/// Functions that change it report nothing: the first of their errors is that of `rh_program_run`.
pub struct rh_run {
    run: Run,
    permissions: Permissions,
    limits: Limits,
    /// Of the first change that failed, or that it has been run.
    error: Option<Box<rh_error>>,
}

/// What input and output are, for `rh_run_input_format` and `rh_run_output_format`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum rh_format {
    /// Fields separated by commas, in double quotes where necessary.
    Csv = 1,
    /// Fields separated by tabs, with the escapes `\t`, `\n`, `\r` and `\\`.
    Tsv = 2,
    /// A JSON value per line: members of an object, or elements of an array.
    JsonLines = 3,
    /// JSON values with any white space, or the elements of one array.
    Json = 4,
    /// Of output alone: columns aligned for the eye.
    Table = 5,
    /// Of output alone: a table of Markdown.
    Markdown = 6,
    /// Of output alone: a table of HTML.
    Html = 7,
}

impl rh_run {
    /// What it was made into; it is used up.
    pub(crate) fn take(&mut self) -> Result<Run, Box<rh_error>> {
        match self.error.replace(rh_error::argument("the run has been used up")) {
            Some(error) => Err(error),
            None => Ok(mem::take(&mut self.run)
                .permissions(mem::take(&mut self.permissions))
                .limits(self.limits)),
        }
    }

    fn try_change(&mut self, change: impl FnOnce(&mut rh_run) -> Result<(), Box<rh_error>>) {
        let changed = caught(|| change(self)).unwrap_or_else(|panic| Err(rh_error::panic(&panic)));
        if let Err(error) = changed {
            self.error.get_or_insert(error);
        }
    }
}

fn change(run: Option<&mut rh_run>, change: impl FnOnce(Run) -> Result<Run, Box<rh_error>>) {
    if let Some(run) = run {
        run.try_change(|run| {
            run.run = change(mem::take(&mut run.run))?;
            Ok(())
        });
    }
}

fn allow(run: Option<&mut rh_run>, allow: impl FnOnce(Permissions) -> Permissions) {
    if let Some(run) = run {
        run.try_change(|run| {
            run.permissions = allow(mem::take(&mut run.permissions));
            Ok(())
        });
    }
}

fn limit(run: Option<&mut rh_run>, limit: impl FnOnce(&mut Limits)) {
    if let Some(run) = run {
        limit(&mut run.limits);
    }
}

fn path(text: rh_text<'_>) -> &Path {
    Path::new(OsStr::from_bytes(text.bytes()))
}

/// Runs a program to its end on this thread. Null if the run failed.
///
/// The run is used up in any case; it is still to be freed. Its callbacks are dropped before the
/// function returns.
///
/// `error` may be null; otherwise `*error` becomes null, or an error that is freed with
/// `rh_error_free`; `rh_error_outcome` of it has what was printed until then. Freed with
/// `rh_outcome_free`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_program_run(
    program: Option<&rh_program>,
    run: Option<&mut rh_run>,
    error: Option<&mut MaybeUninit<*mut rh_error>>,
) -> Option<Box<rh_outcome>> {
    attempt(error, || {
        let program = program.ok_or_else(|| rh_error::argument("no program"))?;
        let run = run.ok_or_else(|| rh_error::argument("no run"))?.take()?;
        Ok(Box::new(rh_outcome(program.0.run(run)?)))
    })
}

/// A run as described above. Freed with `rh_run_free`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_new() -> Option<Box<rh_run>> {
    guarded(None, || {
        Some(Box::new(rh_run {
            run: Run::new(),
            permissions: Permissions::none(),
            limits: Limits::default(),
            error: None,
        }))
    })
}

/// The standard input: a copy of a text.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_input(run: Option<&mut rh_run>, text: rh_text<'_>) {
    change(run, |run| Ok(run.input(text.bytes())));
}

/// The standard input: callbacks, which are the run's from now on. It is read in blocks of up to
/// 256 KiB when the program needs more.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_stdin(run: Option<&mut rh_run>, reader: rh_reader) {
    let reader = ForeignReader::from(reader);
    change(run, |run| Ok(run.stdin(reader)));
}

/// The standard output: callbacks, which are the run's from now on. They get blocks of up to 64 KiB.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_stdout(run: Option<&mut rh_run>, writer: rh_writer) {
    let writer = ForeignWriter::from(writer);
    change(run, |run| Ok(run.stdout(writer)));
}

/// The standard error: callbacks, which are the run's from now on.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_stderr(run: Option<&mut rh_run>, writer: rh_writer) {
    let writer = ForeignWriter::from(writer);
    change(run, |run| Ok(run.stderr(writer)));
}

/// What names in the program mean: callbacks, which are the run's from now on. They decide instead of
/// the permissions.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_files(run: Option<&mut rh_run>, files: rh_files) {
    let files = ForeignFiles::from(files);
    change(run, |run| Ok(run.file_system(files)));
}

/// What names in the program mean: files in memory, which the program reads and writes.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_memory_files(run: Option<&mut rh_run>, files: Option<&rh_memory_files>) {
    change(run, |run| {
        let files = files.ok_or_else(|| rh_error::argument("no files"))?;
        Ok(run.file_system(files.0.clone()))
    });
}

/// What names in the program mean: the files below a directory, which are only read unless
/// `may_write`. An error if it cannot be opened.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_rooted_files(
    run: Option<&mut rh_run>,
    root: rh_text<'_>,
    may_write: bool,
) {
    change(run, |run| {
        let root = path(root);
        let files = if may_write { RootedFiles::new(root) } else { RootedFiles::read_only(root) };
        let failed =
            |error| rh_error::argument(format!("cannot open \"{}\": {error}", root.display()));
        Ok(run.file_system(files.map_err(failed)?))
    });
}

/// Adds an operand, the next of `ARGV[1]` and on: a file to read, `variable=value`, or `-` for the
/// standard input. It may be read whatever is permitted.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_operand(run: Option<&mut rh_run>, operand: rh_text<'_>) {
    change(run, |run| Ok(run.operands([operand.bytes()])));
}

/// Adds a variable of `ENVIRON` and of the environment of commands.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_environment(
    run: Option<&mut rh_run>,
    name: rh_text<'_>,
    value: rh_text<'_>,
) {
    change(run, |run| Ok(run.environment([(name.bytes(), value.bytes())])));
}

/// Sets a variable before the program begins, to a copy of the value.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_variable(
    run: Option<&mut rh_run>,
    name: rh_text<'_>,
    value: Option<&rh_value>,
) {
    change(run, |run| {
        let value = value.ok_or_else(|| rh_error::argument("no value for the variable"))?;
        Ok(run.variable(utf8("the name of a variable", name)?, value.0.clone()))
    });
}

/// Sets a variable to a number.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_number(run: Option<&mut rh_run>, name: rh_text<'_>, number: f64) {
    change(run, |run| Ok(run.variable(utf8("the name of a variable", name)?, number)));
}

/// Sets a variable to a copy of a text. Nothing in it is special, as it would be in `-v`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_text(run: Option<&mut rh_run>, name: rh_text<'_>, text: rh_text<'_>) {
    change(run, |run| {
        let text = riverhawk::Value::Text(text.to_vec());
        Ok(run.variable(utf8("the name of a variable", name)?, text))
    });
}

/// The outcome has the variables.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_keep_variables(run: Option<&mut rh_run>) {
    change(run, |run| Ok(run.keep_variables()));
}

/// What input is: one of the first four of `rh_format`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_input_format(run: Option<&mut rh_run>, format: u32) {
    change(run, |run| {
        let known = table_format(format);
        let unknown = || rh_error::argument(format!("there is no format {format} of input"));
        known.map(|format| run.input_format(format)).ok_or_else(unknown)
    });
}

/// What `print` writes: one of `rh_format`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_output_format(run: Option<&mut rh_run>, format: u32) {
    change(run, |run| match table_format(format) {
        Some(format) => Ok(run.output_format(format)),
        None => {
            let known = DISPLAYS.iter().find(|(number, _)| *number as u32 == format);
            let unknown = || rh_error::argument(format!("there is no format {format} of output"));
            known.map(|(_, display)| run.output_format(*display)).ok_or_else(unknown)
        }
    });
}

/// Input is CSV with this byte between fields: ASCII, no quote and no end of a line.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_input_csv(run: Option<&mut rh_run>, separator: u8) {
    change(run, |run| match separator {
        b'"' | b'\n' | b'\r' | 128.. => {
            Err(rh_error::argument(format!("the byte {separator} cannot separate fields")))
        }
        _ => Ok(run.input_format(TableFormat::Csv { separator })),
    });
}

fn table_format(format: u32) -> Option<TableFormat> {
    const FORMATS: [(rh_format, TableFormat); 4] = [
        (rh_format::Csv, TableFormat::CSV),
        (rh_format::Tsv, TableFormat::Tsv),
        (rh_format::JsonLines, TableFormat::Json(JsonForm::Lines)),
        (rh_format::Json, TableFormat::Json(JsonForm::Values)),
    ];
    FORMATS.iter().find(|(number, _)| *number as u32 == format).map(|(_, format)| *format)
}

const DISPLAYS: [(rh_format, Display); 3] = [
    (rh_format::Table, Display::Aligned),
    (rh_format::Markdown, Display::Markdown),
    (rh_format::Html, Display::Html),
];

/// What a run may be asked to do otherwise, for `rh_run_option`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum rh_run_flag {
    /// The first record of each file names its columns.
    Header = 1,
    /// As `RH_RUN_FLAG_HEADER`, and the output begins with a header.
    KeepHeader = 2,
    /// Rows that are not as they should be end the run.
    Strict = 3,
    /// Operands are files, even those that look like `variable=value`.
    OnlyFiles = 4,
    /// A byte order mark at the beginning of files is dropped.
    StripBom = 5,
    /// Compressed input is read as it is.
    NoDecompress = 6,
    /// Files that the program names `.gz`, `.zst`, `.bz2`, `.xz` or `.lz4` are compressed.
    CompressOutput = 7,
    /// Input may have octal and hexadecimal numbers.
    NonDecimalData = 8,
    /// Numbers have the decimal point of the locale that the run's environment names.
    UseLcNumeric = 9,
    /// With `rh_run_jobs`, sums of fractions may differ in their last bits.
    RelaxedSums = 10,
    /// No machine code is made.
    NoJit = 11,
}

/// Runs otherwise: one of `rh_run_flag`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_option(run: Option<&mut rh_run>, flag: u32) {
    type Apply = fn(Run) -> Run;
    const FLAGS: [(rh_run_flag, Apply); 11] = [
        (rh_run_flag::Header, Run::header),
        (rh_run_flag::KeepHeader, Run::keep_header),
        (rh_run_flag::Strict, |run| run.strictness(Strictness::Refuses)),
        (rh_run_flag::OnlyFiles, Run::only_files),
        (rh_run_flag::StripBom, Run::strip_bom),
        (rh_run_flag::NoDecompress, Run::no_decompress),
        (rh_run_flag::CompressOutput, Run::compress_output),
        (rh_run_flag::NonDecimalData, Run::non_decimal_data),
        (rh_run_flag::UseLcNumeric, Run::use_lc_numeric),
        (rh_run_flag::RelaxedSums, Run::relaxed_sums),
        (rh_run_flag::NoJit, Run::no_jit),
    ];
    change(run, |run| {
        let known = FLAGS.iter().find(|(number, _)| *number as u32 == flag);
        let unknown = || rh_error::argument(format!("there is no option {flag} of runs"));
        known.map(|(_, apply)| apply(run)).ok_or_else(unknown)
    });
}

/// The encoding of what is written, if not UTF-8: a name of the WHATWG's standard, and behind it
/// `:replace` for characters that it lacks, which are an error otherwise. `ENCODING` as a variable says
/// what is read.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_output_encoding(run: Option<&mut rh_run>, name: rh_text<'_>) {
    change(run, |run| Ok(run.output_encoding(name.bytes())));
}

/// Threads that run pieces of the input, 0 for as many as there are cores; 1 at first. Callbacks of
/// readers are then called by another thread than that of the run.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_jobs(run: Option<&mut rh_run>, jobs: usize) {
    change(run, |run| Ok(run.jobs(jobs)));
}

/// The time that it is for the whole run, in seconds since 1970; not before that.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_clock(run: Option<&mut rh_run>, seconds: f64) {
    change(run, |run| {
        let since = Duration::try_from_secs_f64(seconds).ok();
        let time = since.and_then(|since| UNIX_EPOCH.checked_add(since));
        let time = time.ok_or_else(|| rh_error::argument(format!("{seconds} is no time")))?;
        Ok(run.clock(time))
    });
}

/// What `rand` begins with until the program calls `srand`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_seed(run: Option<&mut rh_run>, seed: u32) {
    change(run, |run| Ok(run.seed(seed)));
}

/// Calls back with what has been read of the main input, when so many milliseconds have passed since
/// the last call, after blocks of up to 256 KiB. The callback is the run's from now on.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_progress(
    run: Option<&mut rh_run>,
    milliseconds: u64,
    progress: rh_progress,
) {
    let progress = ForeignProgress::from(progress);
    change(run, |run| {
        let every = Duration::from_millis(milliseconds);
        Ok(run.progress(every, move |read| progress.call(read.bytes, read.records)))
    });
}

/// Calls back with each warning of the run, which is also written to the standard error. The callback
/// is the run's from now on.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_warnings(run: Option<&mut rh_run>, warnings: rh_warnings) {
    let warnings = ForeignWarnings::from(warnings);
    change(run, |run| Ok(run.warnings(move |warning| warnings.call(&warning))));
}

/// Files at or below this path may be read. It is looked up now; a path that does not exist permits
/// nothing.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_allow_read(run: Option<&mut rh_run>, below: rh_text<'_>) {
    allow(run, |permissions| permissions.read(path(below)));
}

/// Files at or below this path may be written. As `rh_run_allow_read`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_allow_write(run: Option<&mut rh_run>, below: rh_text<'_>) {
    allow(run, |permissions| permissions.write(path(below)));
}

/// Commands may be started, which then do whatever the process may do.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_allow_commands(run: Option<&mut rh_run>) {
    allow(run, Permissions::commands);
}

/// Connections may be made.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_allow_network(run: Option<&mut rh_run>) {
    allow(run, Permissions::network);
}

/// Everything that the process may do is permitted: for programs that are trusted as it is.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_allow_all(run: Option<&mut rh_run>) {
    allow(run, |_| Permissions::all());
}

/// Limits the time that passes. A thread looks at the clock.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_limit_time(run: Option<&mut rh_run>, milliseconds: u64) {
    limit(run, |limits| limits.time = Some(Duration::from_millis(milliseconds)));
}

/// Limits the bytes that the run's thread holds in the library, beyond what it holds when the run
/// begins. What callbacks allocate is not counted.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_limit_memory(run: Option<&mut rh_run>, bytes: usize) {
    limit(run, |limits| limits.memory = Some(bytes));
}

/// Limits the bytes that are printed, to all outputs together.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_limit_output(run: Option<&mut rh_run>, bytes: usize) {
    limit(run, |limits| limits.output = Some(bytes));
}

/// Limits the bytes of a record.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_limit_record(run: Option<&mut rh_run>, bytes: usize) {
    limit(run, |limits| limits.record = Some(bytes));
}

/// Limits the bytes that a compressed file may become: at first 1 GiB, or 10,000 times its size.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_limit_decompressed(run: Option<&mut rh_run>, bytes: u64) {
    limit(run, |limits| limits.decompressed = Some(bytes));
}

/// Limits the records of the main input.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_limit_records(run: Option<&mut rh_run>, records: u64) {
    limit(run, |limits| limits.records = Some(records));
}

/// Limits the turns of loops and calls of functions, which are the same in every run.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_limit_steps(run: Option<&mut rh_run>, steps: u64) {
    limit(run, |limits| limits.steps = Some(steps));
}

/// Limits the functions that have not returned.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_limit_call_depth(run: Option<&mut rh_run>, calls: usize) {
    limit(run, |limits| limits.call_depth = Some(calls));
}

/// `rh_cancel_cancel` ends the run, from any thread.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_cancel(run: Option<&mut rh_run>, cancel: Option<&rh_cancel>) {
    change(run, |run| {
        let cancel = cancel.ok_or_else(|| rh_error::argument("no handle to cancel by"))?;
        Ok(run.cancel(&cancel.0))
    });
}

/// Frees a run, with its callbacks if it has not been run; null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn rh_run_free(run: Option<Box<rh_run>>) {
    guarded((), || drop(run));
}
