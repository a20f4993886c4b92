//! Compiles program text, with the files that it includes, and runs the result.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use riverhawk_syntax::ast::Program;
use riverhawk_syntax::diagnostic::{Diagnostic, Severity};
use riverhawk_syntax::format::{self, Includes, Layout};
use riverhawk_syntax::lint::{self, Allowances, Fixed, Lint, apply_safe};
use riverhawk_syntax::source::{SourceMap, SourcePiece};
use riverhawk_syntax::{Visit, Wanted};
use riverhawk_tools::coverage::{Coverage, gather};
use riverhawk_tools::debugger::Console;
use riverhawk_tools::debugger::places::Places;
use riverhawk_vm::visits::Observer;
use riverhawk_vm::warning::Warning;

use crate::cluster::{PieceNeeds, PieceWorker};
use crate::code::{self, Code};
use crate::executable::Executable;
use crate::filesystem::OperandFiles;
use crate::include::{IN_PLACE, Includer};
use crate::mistaken;
use crate::parallel::analysis::analyse;
use crate::parallel::distant::piece_needs;
use crate::parallel::explain::explain;
use crate::run;
use crate::test_functions::{self, TestFunction};
use crate::{
    Assignment, CompileOptions, Config, Failure, Outcome, Renderer, RuntimeError, Streams,
};
use crate::{HostFunctions, Remark};
use riverhawk_parallel::Start;

/// A piece of program text: one `-f` file, one `-e` text, or the operand.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: Vec<u8>,
    is_option: bool,
}

impl Source {
    /// gawk's name for program text from the command line.
    pub const COMMAND_LINE: &'static str = SourcePiece::COMMAND_LINE;

    /// Text and its name in messages. It need not be UTF-8.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Source {
        Source { name: name.into(), text: text.into(), is_option: false }
    }

    /// The directive of an option, such as `@include "lib"` for `-i lib`. A missing file is fatal
    /// there, and a syntax error in the program's text.
    pub fn option(directive: impl Into<Vec<u8>>) -> Source {
        Source { name: Source::COMMAND_LINE.to_owned(), text: directive.into(), is_option: true }
    }

    /// Its name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its text.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Whether it is the directive of an option.
    pub fn is_option(&self) -> bool {
        self.is_option
    }

    /// The same piece with another text.
    pub fn with_text(&self, text: Vec<u8>) -> Source {
        Source { name: self.name.clone(), text, is_option: self.is_option }
    }
}

/// A program ready to run, any number of times.
#[derive(Debug)]
pub struct Compiled {
    sources: Arc<SourceMap>,
    program: Arc<Program>,
    warnings: Vec<Diagnostic>,
    /// Calls that cannot work: one for each undefined function, and every wrong call.
    failing: Vec<Diagnostic>,
    /// Warnings that comments allow.
    allowed: Arc<Allowances>,
    code: Code,
}

/// How often the places of a program were visited, in one run or several.
#[derive(Clone, Debug, Default)]
pub struct VisitCounts(HashMap<Visit, u64>);

impl VisitCounts {
    /// Adds those of other runs.
    pub fn add(&mut self, others: &VisitCounts) {
        for (&visit, count) in &others.0 {
            *self.0.entry(visit).or_default() += count;
        }
    }
}

/// Compiles the pieces into one program.
pub fn compile(pieces: Vec<Source>, options: &CompileOptions) -> Result<Compiled, Failure> {
    let mut sources = SourceMap::new();
    let mut options_in = Vec::new();
    for Source { name, text, is_option } in pieces {
        let added =
            if is_option { sources.add_option(name, text) } else { sources.add(name, text) };
        if let Err(message) = added {
            return Err(too_long(sources, message));
        }
        if let Some(piece) = sources.pieces().last().filter(|_| is_option) {
            options_in.push(piece.base..piece.base + piece.text.len() as u32);
        }
    }
    if let Err(message) = sources.add_library() {
        return Err(too_long(sources, message));
    }
    let parse = |sources: &SourceMap| {
        riverhawk_syntax::parse_with(sources, options.dialect, &options.host_functions)
    };
    let mut parsed = parse(&sources);
    if !parsed.wanted.is_empty() {
        let mut includer =
            Includer::new(&options.include_path, options.include_from.as_deref(), &sources);
        // Each iteration finds files that the previous ones include. Every name gets an answer, so
        // it ends.
        let in_an_option =
            |wanted: &Wanted| options_in.iter().any(|piece| piece.contains(&wanted.span.start));
        let named: Vec<Vec<u8>> = parsed
            .wanted
            .iter()
            .filter(|wanted| in_an_option(wanted))
            .map(|wanted| wanted.name.clone())
            .collect();
        while !parsed.wanted.is_empty() {
            for wanted in &parsed.wanted {
                match options.sandbox && !named.contains(&wanted.name) {
                    true => Includer::refuse_in_sandbox(&wanted.name, &mut sources),
                    false => includer.include(&wanted.name, &mut sources),
                }
            }
            if let Err(message) = sources.add_library() {
                return Err(too_long(sources, message));
            }
            parsed = parse(&sources);
        }
    }
    let is_in_an_option = |found: &Diagnostic| {
        found.severity == Severity::Error
            && options_in.iter().any(|piece: &Range<u32>| piece.contains(&found.span.start))
    };
    let status = match parsed.diagnostics.iter().any(is_in_an_option) {
        true => Outcome::FATAL,
        false => parsed.exit_status(),
    };
    let Some(program) = parsed.program else {
        let mut diagnostics = parsed.diagnostics;
        if options.names_file {
            mistaken::explain_failure(&sources, &mut diagnostics);
        }
        return Err(Failure { sources, diagnostics, status });
    };
    let (mut failing, mut warnings): (Vec<_>, Vec<_>) =
        parsed.diagnostics.into_iter().partition(|found| found.when_reached.is_some());
    warnings.extend(
        lint::always(&program, &sources)
            .into_iter()
            .filter(|found| !sources.is_in_library(found.span)),
    );
    if !options.quiet {
        warnings.extend(lint::certain(&program, &sources));
        warnings.extend(mistaken::warning(&program, &sources).filter(|_| options.names_file));
    }
    warnings.sort_by_key(|found| found.span.start);
    let allowed = Allowances::of(&program, &sources);
    let is_linted = options.lint.is_some_and(|lint| lint.suspicious);
    let unused = match is_linted {
        true if !allowed.is_empty() => {
            let known = warnings.iter().chain(&failing).cloned();
            let all = known.chain(lint::lint(&program, &sources, Lint::ALL));
            allowed.unused(&all.collect::<Vec<_>>())
        }
        _ => Vec::new(),
    };
    allowed.retain(&mut warnings);
    allowed.retain(&mut failing);
    if let Some(wanted) = options.lint {
        let mut found = lint::lint(&program, &sources, wanted);
        found.retain(|found| !sources.is_in_library(found.span));
        allowed.retain(&mut found);
        found.extend(unused);
        found.sort_by_key(|found| found.span.start);
        if options.lint_is_fatal && !found.is_empty() {
            found.truncate(1);
            found[0].severity = Severity::Error;
            return Err(Failure { sources, diagnostics: found, status: Outcome::FATAL });
        }
        warnings.extend(found);
        warnings.sort_by_key(|found| found.span.start);
        warnings.dedup_by(|a, b| a.message == b.message && a.span == b.span);
    }
    match code::generate(&program, options) {
        Ok(code) => Ok(Compiled {
            sources: Arc::new(sources),
            program: Arc::new(program),
            warnings,
            failing,
            allowed: Arc::new(allowed),
            code,
        }),
        Err(code::Rejected { diagnostics, status }) => {
            Err(Failure { sources, diagnostics, status })
        }
    }
}

fn own_layout(width: Option<usize>) -> Layout<'static> {
    Layout { keep_blank_lines: true, includes: Includes::Leave, width, ..Layout::default() }
}

fn too_long(sources: SourceMap, message: String) -> Failure {
    let diagnostics = vec![Diagnostic::error(Default::default(), message, "")];
    Failure { sources, diagnostics, status: Outcome::FATAL }
}

impl Compiled {
    /// The program's text, for messages about a run.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// The functions `test_...` in the order of the text.
    pub fn test_functions(&self) -> Vec<TestFunction> {
        test_functions::all(&self.program, &self.sources)
    }

    /// Findings that do not prevent running.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Calls that cannot work. [`Outcome::errors`] has those that a run reached,
    /// [`Outcome::unreached`] the others.
    pub fn failing(&self) -> &[Diagnostic] {
        &self.failing
    }

    /// Whether a comment of the program allows this warning.
    pub fn allows(&self, warning: &Warning) -> bool {
        warning.span.is_some_and(|span| self.allowed.allows(&warning.message, span))
    }

    /// The pieces of the program with the safe fixes of their warnings, in order; without included
    /// files and options.
    pub fn fixed(&self) -> Vec<(&str, Fixed)> {
        let found: Vec<Diagnostic> = self.warnings.iter().chain(&self.failing).cloned().collect();
        let pieces = self.sources.pieces().iter();
        let own = pieces.filter(|piece| !(piece.included || piece.is_option));
        own.map(|piece| (&*piece.name, apply_safe(piece, &found))).collect()
    }

    /// The tree as text.
    pub fn dump_ast(&self) -> String {
        riverhawk_syntax::dump(&self.program)
    }

    /// The texts to be translated, as a `.pot` file.
    pub fn translatable(&self) -> String {
        riverhawk_syntax::translatable(&self.program, &self.sources)
    }

    /// The formatted program, with comments and single empty lines. Included files stay apart.
    /// Lines longer than `width` columns are broken where awk allows it.
    pub fn format(&self, width: Option<usize>) -> Vec<u8> {
        format::format(&self.program, &self.sources, &own_layout(width))
    }

    /// As [`format`](Self::format), for each piece alone; without included files and options.
    pub fn format_pieces(&self, width: Option<usize>) -> Vec<Vec<u8>> {
        let pieces = self.sources.pieces().iter().enumerate();
        let own = pieces.filter(|(_, piece)| !(piece.included || piece.is_option));
        own.map(|(number, _)| {
            let layout = Layout { only: Some(number), ..own_layout(width) };
            format::format(&self.program, &self.sources, &layout)
        })
        .collect()
    }

    /// The formatted program, with comments and the text of included files.
    pub fn pretty_print(&self) -> Vec<u8> {
        format::format(&self.program, &self.sources, &Layout::default())
    }

    /// The program's text, with the counts of an observed run in the margin.
    pub fn profile(&self, outcome: &Outcome) -> Vec<u8> {
        let counts = code::counts(&self.code, &outcome.visits);
        let count = |visit| counts.get(&visit).copied().unwrap_or(0);
        let layout = Layout { counts: Some(&count), ..Layout::default() };
        let program = format::format(&self.program, &self.sources, &layout);
        [b"\t# rhawk profile\n\n".as_slice(), &program].concat()
    }

    /// Adds what an observed run visited.
    pub fn add_visits(&self, outcome: &Outcome, counts: &mut VisitCounts) {
        for (visit, count) in code::counts(&self.code, &outcome.visits) {
            *counts.0.entry(visit).or_default() += count;
        }
    }

    /// What ran of the program, by the counts of its runs, or of runs of the same text.
    pub fn coverage(&self, counts: &VisitCounts) -> Coverage {
        let count = |visit| counts.0.get(&visit).copied().unwrap_or(0);
        gather(&self.program, &self.sources, count)
    }

    /// The bytecode as text.
    pub fn dump_bytecode(&self) -> String {
        code::dump(&self.code)
    }

    /// Which rules may run on several cores, and what prevents others. Ends with a newline.
    pub fn explain(&self, renderer: &Renderer) -> String {
        if code::is_precise(&self.code) {
            return "the program runs in one piece: its arithmetic is of any precision\n"
                .to_owned();
        }
        explain(&analyse(&self.program), &self.sources, renderer)
    }

    /// What running the program in pieces takes.
    ///
    /// # Errors
    /// Why it cannot run in pieces, with the place.
    pub fn piece_needs(&self) -> Result<PieceNeeds, Remark> {
        piece_needs(&self.program)
    }

    /// What runs pieces that start from `start`; `host_functions` are the program's.
    ///
    /// # Errors
    /// The start is of another program, or cannot be the start of pieces.
    pub fn piece_worker(
        &self,
        start: Start,
        host_functions: HostFunctions,
        operand_files: Option<Arc<dyn OperandFiles>>,
    ) -> Result<PieceWorker, String> {
        PieceWorker::new(self.executable(), start, host_functions, operand_files)
    }

    /// Runs the program. All output is flushed, and commands are waited for; failures of these are
    /// in the outcome.
    pub fn run(&self, config: Config) -> Outcome {
        self.run_over(None, config, None)
    }

    /// Runs the program over other streams than the process's. Signals, the environment and the
    /// working directory stay as they are.
    pub fn run_with(&self, streams: Streams, config: Config) -> Outcome {
        self.run_over(Some(streams), config, None)
    }

    fn run_over(
        &self,
        streams: Option<Streams>,
        mut config: Config,
        observer: Option<Box<dyn Observer>>,
    ) -> Outcome {
        if streams.as_ref().is_some_and(|streams| streams.file_system.is_some()) {
            // Other threads would open the system's files.
            config.parallel.jobs = 1;
        }
        let machine = &mut config.machine;
        if IN_PLACE.iter().any(|name| self.sources.included(name).is_some()) {
            machine.output.in_place.get_or_insert_default();
        }
        // gawk can edit in place like this but has no column names, so neither does this.
        if machine.output.in_place.is_some() && machine.tables.header {
            machine.tables = machine.tables.edited();
        }
        // gawk finds this while parsing, hence the status of a syntax error.
        if let Some(name) = self.assignment_to_function(&machine.command_line.assignments) {
            let error = RuntimeError::new(format!(
                "cannot set {name} from the command line: `{name}' is a function of the program"
            ));
            return Outcome { status: 1, errors: vec![error], ..Outcome::default() };
        }
        let mut outcome = run::run(self.executable(), config, streams, observer);
        outcome.unreached = self.failing.clone();
        outcome.unreached.retain(|found| !self.is_about(&mut outcome.errors, found));
        outcome
    }

    /// Whether an error is about a finding's function; if so it gets the finding's help.
    fn is_about(&self, errors: &mut [RuntimeError], found: &Diagnostic) -> bool {
        let error =
            errors.iter_mut().find(|error| found.when_reached.as_deref() == Some(&error.message));
        error.map(|error| error.help.clone_from(&found.help)).is_some()
    }

    /// Runs the program under a debugger, as often as the user likes. Returns the last outcome. The
    /// program must be compiled to be observed.
    pub fn debug(&self, config: &Config, console: Box<dyn Console>) -> Outcome {
        run::debug(self.executable(), config, console)
    }

    /// Where a run can stop. The program must be compiled to be observed.
    pub fn places(&self) -> Places {
        Places::new(self.code.bytecode.unit(), &self.program, &self.sources)
    }

    /// As [`Compiled::run_with`], of a program that is compiled to be observed.
    pub fn run_observed(
        &self,
        streams: Streams,
        config: Config,
        observer: Box<dyn Observer>,
    ) -> Outcome {
        self.run_over(Some(streams), config, Some(observer))
    }

    fn executable(&self) -> Executable<'_> {
        Executable {
            code: &self.code,
            program: &self.program,
            sources: &self.sources,
            allowed: &self.allowed,
        }
    }

    fn assignment_to_function(&self, assignments: &[Assignment]) -> Option<String> {
        let is_function =
            |name: &str| self.program.functions.iter().any(|function| function.name == name);
        assignments
            .iter()
            .map(|assignment| assignment.name())
            .find(|name| is_function(name))
            .map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CommandLine, MachineConfig};

    fn compiled(text: &str) -> Result<Compiled, Failure> {
        compile(vec![Source::new("test", text)], &CompileOptions::default())
    }

    #[test]
    fn a_variable_that_is_a_function_of_the_program_is_refused_before_anything_runs() {
        let assignments =
            vec![Assignment::parse(b"a=1").unwrap(), Assignment::parse(b"f=1").unwrap()];
        let program = compiled("function f() { }\nBEGIN { }").unwrap();
        let command_line = CommandLine { assignments, ..CommandLine::default() };
        let machine = MachineConfig { command_line, ..MachineConfig::default() };
        let outcome = program.run(Config { machine, ..Config::default() });
        assert_eq!(outcome.status, 1);
        assert_eq!(
            outcome.errors[0].message,
            "cannot set f from the command line: `f' is a function of the program"
        );
    }

    #[test]
    fn pieces_are_one_program_and_places_name_their_piece() {
        let pieces =
            |second: &str| vec![Source::new("one", "BEGIN { f() }"), Source::new("two", second)];
        assert!(compile(pieces("function f() { }"), &CompileOptions::default()).is_ok());
        let failure = compile(pieces("function f( {"), &CompileOptions::default()).unwrap_err();
        let place = failure.sources.locate(failure.diagnostics[0].span).unwrap();
        assert_eq!((place.name, place.line, failure.status), ("two", 1, 1));
    }

    #[test]
    fn the_tree_can_be_printed() {
        assert!(compiled("BEGIN { total = 1 }").unwrap().dump_ast().contains("total"));
    }
}
