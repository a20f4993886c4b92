//! From a command line to a [`Request`].
//!
//! POSIX's rules with gawk's additions: options end at the first operand; short flags can be
//! grouped; `-Wname` and `-W name` are `--name`; a long option can be abbreviated. An unknown
//! option is refused, or is the program's if that is in a file; after `-W` it is ignored with a
//! warning.

use riverhawk::engine::system::names::{OsStrExt, OsStringExt};
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

use lexopt::{Arg, Parser};
use riverhawk::engine::{
    Assignment, AssignmentError, CompileOptions, Config, Dialect, Emptying, Limit, Lint,
    MessageFormat, NumberSyntax, PASSES, ProfileFormat, Strictness, TableFormat, Written,
    number_syntax,
};

use crate::coverage::CoverageOutput;
use crate::looks::Looks;
use crate::options::{Argument, ArgumentKind, Id, OPTIONS, Opt};
use crate::program_text::ProgramText;
use crate::suggest::nearest;
use crate::terminal::Color;
use crate::testing::{TestFormat, TestOptions};
use crate::usage_error::UsageError;
use profiles::time_profile;
use sandbox::allow;
use tables::TableOptions;

mod profiles;
mod sandbox;
mod tables;

/// A parsed command line.
#[derive(Debug)]
pub enum Request {
    /// `--help`, immediately, with its topic.
    Help(Option<String>),
    /// `--version`, immediately.
    Version,
    /// `--copyright`, immediately.
    Copyright,
    /// `--library`, immediately: this text.
    Library(&'static str),
    /// `--lsp`, immediately.
    Lsp,
    /// `--dap`, immediately.
    Dap,
    /// Run a program, or dump it.
    Run(Box<Invocation>),
}

/// A program and how to run it.
#[derive(Debug, Default)]
pub struct Invocation {
    /// Program text in order; never empty.
    pub program: Vec<ProgramText>,
    /// How many of these are includes and loads.
    libraries: usize,
    /// Compilation, from options.
    pub compile: CompileOptions,
    /// The run, from options and operands.
    pub config: Config,
    table_options: TableOptions,
    /// `--diff` and `--dry-run`.
    pub diff: bool,
    /// `--dump`.
    pub dump: Option<Dump>,
    /// `--explain`.
    pub explain: bool,
    /// `-N`: the locale's decimal point.
    pub lc_numeric: bool,
    /// `-g`.
    pub gen_pot: bool,
    /// `-o`, and the file; `-` is standard output.
    pub pretty_print: Option<OsString>,
    /// `--format`.
    pub format: bool,
    /// `--format=width`.
    pub format_width: Option<usize>,
    /// `--check`.
    pub check: bool,
    /// `--fix`.
    pub fix: bool,
    /// `--test`: operands are tests.
    pub test: Option<TestOptions>,
    /// `-d`, and the file; `-` is standard output.
    pub dump_variables: Option<OsString>,
    /// `-p`, and the file; `-` is standard output.
    pub profile: Option<OsString>,
    /// `-p` with formats and files: profiles of time.
    pub time_profiles: Vec<(ProfileFormat, OsString)>,
    /// `--coverage`.
    pub coverage: Vec<CoverageOutput>,
    /// `-D`, and the file of commands.
    pub debug: Option<Option<OsString>>,
    /// The program is the first operand.
    pub takes_operand: bool,
    /// `-r`, which has no effect.
    pub re_interval: bool,
    /// `--message-format` and `--color`.
    pub looks: Looks,
    /// Contradictory options, reported before the run.
    pub warnings: Vec<Cow<'static, str>>,
}

/// What `--dump` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dump {
    /// The tree.
    Ast,
    /// The instructions.
    Bytecode,
    /// The intermediate representation made by a run.
    Ir,
    /// The machine code made by a run.
    Assembly,
}

/// Parses a command line without the command's name; `variable` looks up environment variables for
/// options.
pub fn parse<Args>(
    args: Args,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Request, UsageError>
where
    Args: IntoIterator,
    Args::Item: Into<OsString>,
{
    let mut invocation = Box::<Invocation>::default();
    match read(Parser::from_args(args), &mut invocation, variable) {
        Ok(Some(request)) => Ok(request),
        Ok(None) => Ok(Request::Run(invocation)),
        Err(error) => Err(UsageError { looks: invocation.looks, ..error }),
    }
}

/// Reads options and operands; gives a request other than a run immediately.
fn read(
    mut parser: Parser,
    invocation: &mut Invocation,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<Option<Request>, UsageError> {
    // In `-v=x` and `-F=` the sign is part of the value.
    parser.set_short_equals(false);
    invocation.take_variables(variable)?;
    let mut whole = None;
    loop {
        // The next option's argument, if this begins one.
        if let Some(rest) = parser.try_raw_args() {
            whole = rest.peek().map(OsStr::to_os_string);
        }
        let Some(arg) = parser.next().map_err(describe)? else { break };
        let unknown = match &arg {
            Arg::Short('W') | Arg::Value(_) => false,
            Arg::Short(letter) => !is_known(*letter),
            Arg::Long(name) => meant_by(name).is_empty(),
        };
        if unknown && invocation.has_text() && invocation.compile.dialect != Dialect::Posix {
            // As in gawk, unknown options belong to a program given before: `#!/usr/bin/awk -f`.
            invocation.add_operands(whole);
            let _ = parser.optional_value();
            invocation.add_operands(parser.raw_args().map_err(describe)?);
            break;
        }
        let by_long_name = matches!(arg, Arg::Long(_));
        let opt = match arg {
            Arg::Short('W') => match long_behind_w(&mut parser, &mut invocation.warnings)? {
                None => continue,
                Some((opt, topic)) if opt.id == Id::Help => {
                    return Ok(Some(Request::Help(
                        topic.map(|topic| topic.to_string_lossy().into_owned()),
                    )));
                }
                Some((opt, None)) if opt.argument.is_some_and(|argument| argument.optional) => {
                    opt.argument
                        .map_or(Ok(()), |argument| invocation.take_optional(opt, argument, None))?;
                    continue;
                }
                Some((opt, None)) => opt,
                Some((opt, Some(value))) => {
                    match opt.argument {
                        Some(argument) if argument.optional => {
                            invocation.take_optional(opt, argument, Some(value))?
                        }
                        Some(argument) => invocation.take(opt, argument, value)?,
                        None => return Err(takes_no_argument(opt)),
                    }
                    continue;
                }
            },
            Arg::Short(letter) => find_short(letter)?,
            Arg::Long(name) => find_long(name)?,
            Arg::Value(operand) => {
                if invocation.has_text() || invocation.test.is_some() {
                    invocation.add_operands([operand]);
                } else {
                    invocation.program.push(ProgramText::Text(operand));
                    invocation.takes_operand = true;
                }
                // Operands end the options. A later `--` is an operand too.
                invocation.add_operands(parser.raw_args().map_err(describe)?);
                break;
            }
        };
        match (opt.id, opt.argument) {
            (Id::Help, _) => {
                let topic = if by_long_name { parser.optional_value() } else { None };
                return Ok(Some(Request::Help(
                    topic.map(|topic| topic.to_string_lossy().into_owned()),
                )));
            }
            (_, Some(argument)) if argument.optional => {
                let value = parser.optional_value();
                invocation.take_optional(opt, argument, value)?;
            }
            (Id::Exec, Some(argument)) => {
                let value = parser.value().map_err(|_| needs_argument(opt))?;
                invocation.take(opt, argument, value)?;
                invocation.add_operands(parser.raw_args().map_err(describe)?);
                break;
            }
            (Id::Library, Some(argument)) => {
                let value = parser.value().map_err(|_| needs_argument(opt))?;
                let written = value.to_str().and_then(Written::from_name);
                return written
                    .map(|found| Some(Request::Library(found.text)))
                    .ok_or_else(|| wrong_choice(opt, argument, &value));
            }
            (_, Some(argument)) => {
                let value = parser.value().map_err(|_| needs_argument(opt))?;
                invocation.take(opt, argument, value)?;
            }
            (Id::Sandbox, None) if by_long_name => match parser.optional_value() {
                Some(list) => {
                    let permissions = &mut invocation.config.machine.permissions;
                    allow(permissions.allowed.get_or_insert_default(), &list)?;
                    permissions.sandbox = true;
                }
                None => invocation.set(opt),
            },
            // More flags follow a short flag, and `=value` a long one.
            (_, None) if by_long_name && parser.optional_value().is_some() => {
                return Err(takes_no_argument(opt));
            }
            (Id::Version, None) => return Ok(Some(Request::Version)),
            (Id::Copyright, None) => return Ok(Some(Request::Copyright)),
            (Id::Lsp, None) => return Ok(Some(Request::Lsp)),
            (Id::Dap, None) => return Ok(Some(Request::Dap)),
            (id, None) if invocation.table_options.take(id)? => {}
            (_, None) => invocation.set(opt),
        }
    }
    if let (Some(suffix), Some(text)) =
        (&invocation.config.machine.output.in_place, invocation.mistaken_suffix())
        && suffix.is_empty()
    {
        return Err(UsageError::new(format!(
            "--in-place takes its suffix in the same word: --in-place={text}"
        )));
    }
    if invocation.config.machine.input.follow && invocation.config.machine.output.in_place.is_some()
    {
        return Err(UsageError::new(
            "--follow and --in-place exclude each other: a file is replaced at its end, and a followed file has none",
        ));
    }
    if invocation.compile.characters_as_bytes && invocation.compile.graphemes {
        return Err(UsageError::new(
            "-b and --graphemes exclude each other: a character is a byte or a grapheme cluster",
        ));
    }
    invocation.config.machine.tables = invocation.table_options.finish()?;
    // As in gawk, an empty `-e` alone is no program, while an empty operand is one.
    match !invocation.has_text() && invocation.operands().is_empty() {
        true if invocation.test.is_some() => Err(UsageError::new(
            "--test needs tests: files or folders as operands, or a program with -f or -e",
        )),
        _ if invocation.has_text() || invocation.test.is_some() => {
            invocation.settle()?;
            Ok(None)
        }
        _ => Err(UsageError::new(
            "no program text: give it as the first argument, with -e or with -f",
        )),
    }
}

impl Invocation {
    fn assignments(&mut self) -> &mut Vec<Assignment> {
        &mut self.config.machine.command_line.assignments
    }

    fn operands(&self) -> &[Vec<u8>] {
        &self.config.machine.command_line.operands
    }

    fn add_operands(&mut self, words: impl IntoIterator<Item = OsString>) {
        let operands = &mut self.config.machine.command_line.operands;
        operands.extend(words.into_iter().map(OsString::into_vec));
    }

    /// Whether the program's text names a file: perhaps `-f` was forgotten.
    pub fn program_names_file(&self) -> bool {
        let [ProgramText::Text(text)] = &self.program[..] else { return false };
        // A variable that is assigned may be a condition.
        let is_assigned = self
            .config
            .machine
            .command_line
            .assignments
            .iter()
            .any(|assignment| assignment.name() == text.as_os_str())
            || self.config.machine.command_line.operands.iter().any(|operand| {
                operand.strip_prefix(text.as_bytes()).is_some_and(|rest| rest.starts_with(b"="))
            });
        self.takes_operand && !is_assigned && Path::new(text).is_file()
    }

    /// Reads the specialiser's options from non-empty environment variables; the command line may
    /// add to them.
    fn take_variables(
        &mut self,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<(), UsageError> {
        for opt in OPTIONS {
            let Some(name) = opt.variable() else { continue };
            let Some(value) = variable(&name).filter(|value| !value.is_empty()) else { continue };
            match opt.argument {
                Some(argument) => self.take(opt, argument, value).map_err(|error| UsageError {
                    message: format!("{name} in the environment: {}", error.message),
                    ..error
                })?,
                None => self.set(opt),
            }
        }
        Ok(())
    }

    fn set(&mut self, opt: &Opt) {
        match opt.id {
            Id::CharactersAsBytes => self.compile.characters_as_bytes = true,
            Id::Graphemes => self.compile.graphemes = true,
            Id::Stats => self.config.tools.stats = true,
            Id::RelaxedSums => self.config.parallel.relaxed_sums = true,
            Id::Explain => self.explain = true,
            Id::Progress => self.config.tools.progress = true,
            Id::StripBom => self.config.machine.input.strip_bom = true,
            Id::NoDecompress => self.config.machine.input.decompress = None,
            Id::CompressOutput => self.config.machine.output.compress_output = true,
            Id::NoJit => self.config.optimiser.no_jit = true,
            Id::NoOsr => self.config.optimiser.no_osr = true,
            Id::NoInline => {
                self.config.optimiser.no_inline = true;
                self.compile.left_out.inlining = true;
            }
            Id::PerfMap => self.config.optimiser.perf_map = true,
            Id::Jitdump => self.config.optimiser.jitdump = true,
            Id::SpeshBlocking => self.config.optimiser.spesh_blocking = true,
            Id::SpeshNodelay => self.config.optimiser.spesh_nodelay = true,
            Id::Traditional if self.compile.dialect == Dialect::Posix => {
                self.warnings.push(POSIX_OVER_TRADITIONAL.into())
            }
            Id::Traditional => self.compile.dialect = Dialect::Traditional,
            Id::Posix => {
                if self.compile.dialect == Dialect::Traditional {
                    self.warnings.push(POSIX_OVER_TRADITIONAL.into());
                }
                self.compile.dialect = Dialect::Posix;
            }
            Id::NonDecimalData => self.config.machine.locale.numbers = NumberSyntax::NonDecimal,
            Id::Bignum => self.compile.bignum = true,
            Id::ExactIntegers => self.compile.exact_integers = true,
            Id::UseLcNumeric => self.lc_numeric = true,
            Id::GenPot => self.gen_pot = true,
            Id::Check => self.check = true,
            Id::Fix => self.fix = true,
            Id::Follow => self.config.machine.input.follow = true,
            Id::AllowEmpty => self.config.machine.output.edits.empty = Emptying::Allow,
            Id::Diff | Id::DryRun => {
                self.diff = true;
                self.config.machine.output.in_place.get_or_insert_default();
            }
            Id::Trace => self.config.tools.trace = true,
            Id::Sandbox => self.config.machine.permissions.sandbox = true,
            Id::LintOld => self.compile.lint.get_or_insert_default().old = true,
            Id::ReInterval => self.re_interval = true,
            // Intervals and optimisation are always on. By the table, the others have an argument.
            _ => {}
        }
    }

    fn take_optional(
        &mut self,
        opt: &Opt,
        argument: Argument,
        value: Option<OsString>,
    ) -> Result<(), UsageError> {
        let value = match (opt.id, value) {
            (_, Some(value)) => value,
            (Id::PrettyPrint | Id::Profile, None) => "awkprof.out".into(),
            (Id::DumpVariables, None) => "awkvars.out".into(),
            (Id::InPlace, None) => OsString::new(),
            (Id::Format, None) => {
                self.format = true;
                return Ok(());
            }
            (Id::Test, None) => {
                self.test.get_or_insert_default();
                return Ok(());
            }
            (Id::Strict, None) => {
                self.table_options.strictness = Strictness::Refuses;
                return Ok(());
            }
            (Id::Debug, None) => {
                self.debug = Some(None);
                return Ok(());
            }
            (Id::Lint, None) => {
                self.compile.lint = Some(Lint {
                    suspicious: true,
                    extensions: true,
                    ..self.compile.lint.unwrap_or_default()
                });
                return Ok(());
            }
            // By the table, the others require one.
            (_, None) => return Ok(()),
        };
        self.take(opt, argument, value)
    }

    fn has_text(&self) -> bool {
        self.program.len() > self.libraries
    }

    /// The suffix of `--in-place .bak`, taken for the program. No program begins so.
    fn mistaken_suffix(&self) -> Option<&str> {
        let [.., ProgramText::Text(text)] = &self.program[..] else { return None };
        let text = text.to_str()?;
        let name = text.strip_prefix('.').unwrap_or_default();
        let is_word =
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-~".contains(&byte));
        let is_suffix = name.starts_with(|first: char| first.is_ascii_alphabetic()) && is_word;
        (is_suffix || text == "~").then_some(text)
    }

    /// Combines the options, as gawk does.
    fn settle(&mut self) -> Result<(), UsageError> {
        if self.compile.dialect == Dialect::Posix
            && matches!(self.config.machine.tables.input, Some(TableFormat::Csv { .. }))
        {
            return Err(UsageError::with_status("`--posix' and `--csv' conflict", 2));
        }
        if self.checks() && self.compile.lint.is_none() && !self.format {
            self.compile.lint = Some(Lint { suspicious: true, ..Lint::default() });
        }
        if self.looks.format == MessageFormat::Sarif && (self.format || !self.check) {
            self.looks.format = MessageFormat::Human;
            return Err(UsageError::new("--message-format=sarif needs --check: a log is whole"));
        }
        let is_confined = self.config.machine.permissions.sandbox;
        if is_confined && !self.coverage.is_empty() {
            return Err(UsageError::new(
                "--coverage and --sandbox exclude each other: it is written after the run",
            ));
        }
        if let Some(other) = self.excluded_by_tests().filter(|_| self.test.is_some()) {
            return Err(UsageError::new(format!("--test and {other} exclude each other")));
        }
        let lints = self.compile.lint.is_some_and(|lint| lint.suspicious);
        if lints && std::mem::take(&mut self.re_interval) {
            self.warnings.push("The -r/--re-interval options no longer have any effect".into());
        }
        if lints
            && self.config.machine.command_line.assignments.iter().any(Assignment::is_letter_t)
            && self.compile.dialect != Dialect::Traditional
        {
            self.warnings.push("-Ft does not set FS to tab in POSIX awk".into());
        }
        if !self.compile.dialect.has_extensions()
            && self.config.machine.locale.numbers == NumberSyntax::NonDecimal
        {
            self.warnings.push("`--posix'/`--traditional' overrides `--non-decimal-data'".into());
        }
        let numbers = &mut self.config.machine.locale.numbers;
        *numbers = number_syntax(self.compile.dialect, self.compile.bignum, *numbers);
        if self.compile.dialect == Dialect::Posix && self.compile.characters_as_bytes {
            self.warnings.push("`--posix' overrides `--characters-as-bytes'".into());
            self.compile.characters_as_bytes = false;
        }
        if self.compile.dialect == Dialect::Traditional {
            for assignment in self
                .config
                .machine
                .command_line
                .assignments
                .iter_mut()
                .filter(|assignment| assignment.is_letter_t())
            {
                *assignment = Assignment::field_separator(b"\\t");
            }
        }
        Ok(())
    }

    /// What is about one run or none.
    fn excluded_by_tests(&self) -> Option<&'static str> {
        let given = [
            (self.diff, "--diff"),
            (self.config.machine.output.in_place.is_some(), "--in-place"),
            (self.config.machine.input.follow, "--follow"),
        ];
        self.excluded_by_observers(&given)
    }

    /// What the command does itself, before, instead of or after a run.
    pub fn excluded_by_editors(&self) -> Option<&'static str> {
        self.excluded_by_observers(&[
            (self.test.is_some(), "--test"),
            (!self.coverage.is_empty(), "--coverage"),
            (self.diff, "--diff"),
        ])
    }

    fn excluded_by_observers(&self, more: &[(bool, &'static str)]) -> Option<&'static str> {
        let tools = &self.config.tools;
        let given = [
            (self.check, "--check"),
            (self.fix, "--fix"),
            (self.format, "--format"),
            (self.pretty_print.is_some(), "--pretty-print"),
            (self.gen_pot, "--gen-pot"),
            (self.dump.is_some(), "--dump"),
            (self.explain, "--explain"),
            (self.debug.is_some(), "--debug"),
            (self.profile.is_some() || !self.time_profiles.is_empty(), "--profile"),
            (self.dump_variables.is_some(), "--dump-variables"),
            (tools.trace, "--trace"),
            (tools.stats, "--stats"),
            (tools.progress, "--progress"),
        ];
        let mut given = given.iter().chain(more);
        given.find(|(is_given, _)| *is_given).map(|(_, name)| *name)
    }

    /// Whether the program's text is checked or changed.
    pub fn checks(&self) -> bool {
        self.check || self.fix
    }

    /// Whether the program is run, not printed.
    pub fn runs(&self) -> bool {
        let is_dumped = matches!(self.dump, Some(Dump::Ast | Dump::Bytecode));
        !(self.checks()
            || is_dumped
            || self.gen_pot
            || self.format
            || self.explain
            || self.pretty_print.is_some())
    }

    /// Applies `POSIXLY_CORRECT` and other variables of the environment.
    pub fn apply_environment(
        &mut self,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<(), UsageError> {
        if variable("POSIXLY_CORRECT").is_some() && self.compile.dialect != Dialect::Posix {
            self.compile.dialect = Dialect::Posix;
            self.settle()?;
        }
        // As a gawk built without it: a program that relies on kept values must not run silently.
        if variable("GAWK_PERSIST_FILE").is_some_and(|file| !file.is_empty()) {
            self.warnings
                .push("persistent memory is not supported: GAWK_PERSIST_FILE is ignored".into());
        }
        Ok(())
    }

    fn take(&mut self, opt: &Opt, argument: Argument, value: OsString) -> Result<(), UsageError> {
        match opt.id {
            Id::FieldSeparator => {
                self.table_options.note_field_separator(&value);
                self.assignments().push(Assignment::field_separator(value.as_bytes()));
            }
            Id::Assign => self.assignments().push(assignment(&value)?),
            Id::File => self.program.push(ProgramText::File(value)),
            Id::Source if value.is_empty() => {
                self.warnings.push("empty argument to `-e/--source' ignored".into())
            }
            Id::Source => self.program.push(ProgramText::Text(value)),
            Id::Dump => {
                self.dump = Some(match value.as_bytes() {
                    b"ast" => Dump::Ast,
                    b"bytecode" => Dump::Bytecode,
                    b"ir" => Dump::Ir,
                    b"asm" => Dump::Assembly,
                    _ => {
                        let UsageError { message, .. } = wrong_choice(opt, argument, &value);
                        let other = "to list the variables, use --dump-variables";
                        return Err(UsageError::new(format!("{message}; {other}")));
                    }
                })
            }
            Id::MessageFormat => {
                self.looks.format = match value.as_bytes() {
                    b"human" => MessageFormat::Human,
                    b"short" => MessageFormat::Short,
                    b"json" => MessageFormat::Json,
                    b"github" => MessageFormat::GitHub,
                    b"sarif" => MessageFormat::Sarif,
                    _ => return Err(wrong_choice(opt, argument, &value)),
                }
            }
            Id::Color => {
                self.looks.color = match value.as_bytes() {
                    b"auto" => Color::Auto,
                    b"always" => Color::Always,
                    b"never" => Color::Never,
                    _ => return Err(wrong_choice(opt, argument, &value)),
                }
            }
            Id::NoPass => {
                let known = PASSES.iter().find(|name| value == **name);
                match *known.ok_or_else(|| wrong_choice(opt, argument, &value))? {
                    "forms" => self.compile.left_out.normal_forms = true,
                    "locals" => self.compile.left_out.locals = true,
                    name => self.config.optimiser.no_pass.push(name),
                }
            }
            Id::InlineLog => self.config.optimiser.inline_log = Some(value.into()),
            Id::SpeshLog => self.config.optimiser.spesh_log = Some(value.into()),
            Id::PoolLog => self.config.optimiser.pool_log = Some(value.into()),
            Id::SpeshLimit => {
                self.config.optimiser.spesh_limit = Some(number(opt, &value, 0)? as u64)
            }
            Id::SpeshBuffer => self.config.optimiser.spesh_buffer = Some(number(opt, &value, 1)?),
            Id::MemoryLimit => self.config.machine.limits.memory_limit = Some(size(opt, &value)?),
            Id::Timeout => self.config.machine.limits.timeout = Some(time(opt, &value)?),
            Id::MaxRecord => self.config.machine.limits.max_record = Some(size(opt, &value)?),
            Id::MaxOutput => self.config.machine.limits.max_output = Some(size(opt, &value)?),
            Id::MaxSteps => {
                self.config.machine.limits.max_steps = Some(number(opt, &value, 1)? as u64)
            }
            Id::MaxRecords => {
                self.config.machine.limits.max_records = Some(number(opt, &value, 1)? as u64)
            }
            Id::WindowSize => self.config.machine.input.window_size = number(opt, &value, 1)?,
            Id::Encoding => self.assignments().push(assign("ENCODING", value.as_bytes())?),
            Id::OutputEncoding => {
                self.config.machine.output.output_encoding = Some(value.into_vec())
            }
            Id::LineEnding => {
                // RS is a set of strings, longest first; ORS is what is written.
                let (input, output) = match value.as_bytes() {
                    b"lf" => ("\\n", "\\n"),
                    b"crlf" => ("\\r\\n", "\\r\\n"),
                    b"any" => ("\\r\\n|\\r|\\n", "\\n"),
                    _ => return Err(wrong_choice(opt, argument, &value)),
                };
                self.assignments().push(assign("RS", input.as_bytes())?);
                self.assignments().push(assign("ORS", output.as_bytes())?);
            }
            Id::Jobs => self.config.parallel.jobs = number(opt, &value, 0)?,
            Id::CsvSeparator | Id::OutputSeparator => {
                self.table_options.take_separator(opt, &value)?
            }
            Id::Strict if value == "warn" => self.table_options.strictness = Strictness::Warns,
            Id::Strict => return Err(wrong_choice(opt, argument, &value)),
            Id::DecompressLimit => {
                // `--no-decompress` wins, in any order.
                let limit = match number(opt, &value, 0)? {
                    0 => Limit::NONE,
                    bytes => Limit::bytes(bytes as u64),
                };
                let input = &mut self.config.machine.input;
                input.decompress = input.decompress.and(Some(limit));
            }
            Id::InPlace => {
                self.table_options.is_in_place = true;
                self.config.machine.output.in_place = Some(value.into_vec());
            }
            Id::Include if matches!(value.as_bytes(), b"inplace" | b"inplace.awk") => {
                self.config.machine.output.in_place.get_or_insert_default();
            }
            Id::Include | Id::Load if value.is_empty() => {
                return Err(UsageError::with_status(
                    format!("{} needs a non-empty name", name_of(opt)),
                    2,
                ));
            }
            Id::Include | Id::Load => {
                let word = if opt.id == Id::Load { "load" } else { "include" };
                self.program.push(ProgramText::Directive(directive(word, &value)));
                self.libraries += 1;
            }
            Id::PieceSize => self.config.parallel.piece_size = number(opt, &value, 1)?,
            Id::Lint if value == "off" => {
                (self.compile.lint, self.compile.lint_is_fatal, self.compile.quiet) =
                    (None, false, true)
            }
            Id::Lint => {
                self.compile.quiet = false;
                let lint = self.compile.lint.get_or_insert_default();
                match value.as_bytes() {
                    b"fatal" => self.compile.lint_is_fatal = true,
                    b"invalid" | b"no-ext" => {}
                    b"portable" => lint.portable = true,
                    // As in gawk, any other word enables warnings.
                    other => {
                        let kind = String::from_utf8_lossy(other);
                        self.warnings.push(
                            format!("`--lint={kind}' is not a kind of warning: all are given")
                                .into(),
                        );
                    }
                }
                lint.suspicious = value != "portable" || lint.suspicious;
                lint.extensions = value != "portable" && value != "no-ext";
            }
            Id::Test => {
                self.test.get_or_insert_default().format = match value.as_bytes() {
                    b"human" => TestFormat::Human,
                    b"tap" => TestFormat::Tap,
                    b"junit" => TestFormat::Junit,
                    _ => return Err(wrong_choice(opt, argument, &value)),
                }
            }
            Id::TestOnly => {
                let only = value.to_string_lossy().into_owned();
                self.test.get_or_insert_default().only = Some(only);
            }
            Id::Debug => self.debug = Some(Some(value)),
            Id::DumpVariables => {
                self.config.machine.reports.dump_variables = true;
                self.dump_variables = Some(value);
            }
            Id::Profile => match time_profile(&value)? {
                Some(profile) => self.time_profiles.push(profile),
                None => self.profile = Some(value),
            },
            Id::Coverage => self.coverage.push(CoverageOutput::named(&value)?),
            Id::PrettyPrint => self.pretty_print = Some(value),
            Id::Format => {
                self.format = true;
                self.format_width = Some(number(opt, &value, 20)?);
            }
            Id::Exec => {
                self.program.push(ProgramText::File(value));
                self.config.machine.command_line.only_files = true;
            }
            // By the table, these have none.
            _ => {}
        }
        Ok(())
    }
}

const POSIX_OVER_TRADITIONAL: &str = "`--posix' overrides `--traditional'";

/// The option after `-W`, with the value of `-W name=value`; warns if unknown.
fn long_behind_w(
    parser: &mut Parser,
    warnings: &mut Vec<Cow<'static, str>>,
) -> Result<Option<(&'static Opt, Option<OsString>)>, UsageError> {
    let text = parser
        .value()
        .map_err(|_| UsageError::new("-W needs the name of a long option"))?
        .into_vec();
    let (name, value) = match text.iter().position(|&byte| byte == b'=') {
        Some(equals) => (&text[..equals], Some(OsString::from_vec(text[equals + 1..].to_vec()))),
        None => (&text[..], None),
    };
    let name = String::from_utf8_lossy(name);
    if !name.is_empty() && meant_by(&name).is_empty() {
        let near = nearest(&name, long_names())
            .map(|near| format!("; did you mean `-W {near}'?"))
            .unwrap_or_default();
        warnings.push(
            format!("option `-W {}' unrecognized, ignored{near}", String::from_utf8_lossy(&text))
                .into(),
        );
        return Ok(None);
    }
    Ok(Some((find_long(&name)?, value)))
}

fn find_short(letter: char) -> Result<&'static Opt, UsageError> {
    let found = OPTIONS.iter().find(|opt| opt.short == Some(letter));
    found.ok_or_else(|| UsageError::new(format!("unknown option -{letter}")))
}

fn is_known(letter: char) -> bool {
    OPTIONS.iter().any(|opt| opt.short == Some(letter))
}

fn long_names() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().map(|opt| opt.long)
}

fn meant_by(name: &str) -> Vec<&'static str> {
    long_names().filter(|long| !name.is_empty() && long.starts_with(name)).collect()
}

/// By its name or an unambiguous abbreviation.
fn find_long(name: &str) -> Result<&'static Opt, UsageError> {
    let mut meant = meant_by(name);
    if meant.contains(&name) {
        meant = vec![name];
    }
    // An abbreviation of a gawk option means that one, whatever our own options are.
    if meant.len() > 1 {
        let of_gawk =
            |long: &&str| !OPTIONS.iter().any(|opt| opt.long == *long && !opt.is_of_gawk());
        if meant.iter().filter(|long| of_gawk(long)).count() == 1 {
            meant.retain(of_gawk);
        }
    }
    match *meant {
        [] => match nearest(name, long_names()) {
            Some(near) => {
                Err(UsageError::new(format!("unknown option --{name}; did you mean --{near}?")))
            }
            None => Err(UsageError::new(format!("unknown option --{name}"))),
        },
        [long] => {
            let found = OPTIONS.iter().find(|opt| opt.long == long);
            found.ok_or_else(|| UsageError::new(format!("unknown option --{name}")))
        }
        _ => Err(UsageError::new(format!(
            "option --{name} is ambiguous: it may be --{}",
            meant.join(", --")
        ))),
    }
}

fn assign(name: &str, value: &[u8]) -> Result<Assignment, UsageError> {
    let text = [name.as_bytes(), b"=", value].concat();
    assignment(OsStr::from_bytes(&text))
}

fn assignment(text: &OsStr) -> Result<Assignment, UsageError> {
    Assignment::parse(text.as_bytes()).map_err(|error| {
        let message = format!("-v '{}': {error}", text.to_string_lossy());
        match error {
            AssignmentError::NoEquals | AssignmentError::BadNamespace(_) => {
                UsageError::new(message)
            }
            AssignmentError::NotAName(_) | AssignmentError::Reserved(_) => {
                UsageError::with_status(message, 2)
            }
        }
    })
}

fn number(opt: &Opt, text: &OsStr, least: usize) -> Result<usize, UsageError> {
    let number = text
        .to_str()
        .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|text| text.parse().ok());
    number.filter(|&number| number >= least).ok_or_else(|| {
        UsageError::new(format!(
            "{} needs a whole number of at least {least}, not '{}'",
            name_of(opt),
            text.to_string_lossy()
        ))
    })
}

/// In bytes: `K`, `M` and `G` are powers of 1024.
fn size(opt: &Opt, text: &OsStr) -> Result<usize, UsageError> {
    let (digits, unit) = match text.as_bytes() {
        [digits @ .., b'k' | b'K'] => (digits, 1 << 10),
        [digits @ .., b'm' | b'M'] => (digits, 1 << 20),
        [digits @ .., b'g' | b'G'] => (digits, 1 << 30),
        digits => (digits, 1),
    };
    let number = std::str::from_utf8(digits)
        .ok()
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    let bytes = number
        .and_then(|digits| digits.parse::<usize>().ok())
        .and_then(|number| number.checked_mul(unit));
    bytes.filter(|&bytes| bytes > 0).ok_or_else(|| {
        UsageError::new(format!(
            "{} needs a number of bytes, optionally followed by K, M or G, not '{}'",
            name_of(opt),
            text.to_string_lossy()
        ))
    })
}

/// In seconds, or with the suffix `ms`, `s`, `m` or `h`.
fn time(opt: &Opt, text: &OsStr) -> Result<Duration, UsageError> {
    let shown = text.to_string_lossy();
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let (digits, unit) = units
        .iter()
        .find_map(|&(name, unit)| Some((shown.strip_suffix(name)?, unit)))
        .unwrap_or((&shown, 1.0));
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds = digits
        .parse::<f64>()
        .ok()
        .filter(|&number| is_number && number > 0.0)
        .map(|number| number * unit);
    // A hundred years count as no limit.
    let seconds = seconds.filter(|&seconds| seconds < 3.2e9);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| {
        let name = name_of(opt);
        UsageError::new(format!(
            "{name} needs a time, such as 500ms, 1.5, 10s, 2m or 1h, not '{shown}'"
        ))
    })
}

fn wrong_choice(opt: &Opt, argument: Argument, value: &OsStr) -> UsageError {
    let choices = match argument.kind {
        ArgumentKind::Choice(words) => words.join(" or "),
        _ => argument.name.to_owned(),
    };
    UsageError::new(format!("{} needs {choices}, not '{}'", name_of(opt), value.to_string_lossy()))
}

fn needs_argument(opt: &Opt) -> UsageError {
    UsageError::new(format!("{} needs an argument", name_of(opt)))
}

fn takes_no_argument(opt: &Opt) -> UsageError {
    UsageError::new(format!("--{} takes no argument", opt.long))
}

fn name_of(opt: &Opt) -> String {
    match opt.short {
        Some(short) => format!("-{short} (--{})", opt.long),
        None => format!("--{}", opt.long),
    }
}

fn describe(error: lexopt::Error) -> UsageError {
    UsageError::new(error.to_string())
}

#[cfg(test)]
mod tests;

fn directive(word: &str, name: &OsStr) -> OsString {
    let mut text = format!("@{word} \"").into_bytes();
    for &byte in name.as_bytes() {
        if matches!(byte, b'"' | b'\\') {
            text.push(b'\\');
        }
        text.push(byte);
    }
    text.push(b'"');
    OsString::from_vec(text)
}
