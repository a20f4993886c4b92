//! From program text to something that runs.

use std::sync::Arc;

use riverhawk_syntax::ast::Program;
use riverhawk_syntax::diagnostic::Diagnostic;
use riverhawk_syntax::source::SourceMap;

use crate::include::{IN_PLACE, IncludePath, Includer};
use crate::parallel::analysis::analyse;
use crate::parallel::explain::explain;
use crate::run::{self, Code};
use crate::{Outcome, Renderer, RunOptions, RuntimeError};

/// A piece of program text: one `-f` file, one `-e` text, or the operand.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: Vec<u8>,
}

impl Source {
    /// What gawk calls program text from the command line.
    pub const COMMAND_LINE: &'static str = "cmd. line";

    /// Text with the name messages call it by. The text need not be UTF-8.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Source {
        Source { name: name.into(), text: text.into() }
    }
}

/// What compiling depends on besides the text.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Characters are bytes: regular expressions are translated for that.
    pub bytes: bool,
    /// Characters are grapheme clusters, what a reader takes for one, in `length`, `substr`, `index`, `match`, `split` and the
    /// widths of `printf`. `bytes` wins over it.
    pub graphemes: bool,
    /// Where the files are that the program includes.
    pub include_path: IncludePath,
}

/// Program text that does not compile.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The text.
    pub sources: SourceMap,
    /// Everything found, at least one of them an error.
    pub diagnostics: Vec<Diagnostic>,
    /// The exit status: 1 for syntax errors, 2 when all that is wrong is what gawk calls fatal.
    pub status: u8,
}

/// A program ready to run, any number of times.
#[derive(Debug)]
pub struct Compiled {
    sources: Arc<SourceMap>,
    program: Arc<Program>,
    warnings: Vec<Diagnostic>,
    code: Code,
}

/// Compiles the pieces, laid end to end, into one program.
pub fn compile(pieces: Vec<Source>, options: &CompileOptions) -> Result<Compiled, Failure> {
    let mut sources = SourceMap::new();
    for Source { name, text } in pieces {
        if let Err(message) = sources.add(name, text) {
            let diagnostics = vec![Diagnostic::error(Default::default(), message, "")];
            return Err(Failure { sources, diagnostics, status: Outcome::FATAL });
        }
    }
    let mut parsed = riverhawk_syntax::parse(&sources);
    if !parsed.wanted.is_empty() {
        let mut includer = Includer::new(&options.include_path, &sources);
        // Each turn knows the files that those found before include; every name is answered, so there is an end.
        while !parsed.wanted.is_empty() {
            for wanted in &parsed.wanted {
                includer.include(&wanted.name, &mut sources);
            }
            parsed = riverhawk_syntax::parse(&sources);
        }
    }
    let status = parsed.exit_status();
    let Some(program) = parsed.program else {
        return Err(Failure { sources, diagnostics: parsed.diagnostics, status });
    };
    match run::generate(&program, options) {
        Ok(code) => {
            Ok(Compiled { sources: Arc::new(sources), program: Arc::new(program), warnings: parsed.diagnostics, code })
        }
        Err(diagnostics) => Err(Failure { sources, diagnostics, status: 1 }),
    }
}

impl Compiled {
    /// The text, for drawing what a run reports.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Findings that do not keep the program from running.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The tree as text.
    pub fn dump_ast(&self) -> String {
        riverhawk_syntax::dump(&self.program)
    }

    /// The bytecode as text, one instruction a line.
    pub fn dump_bytecode(&self) -> String {
        run::dump(&self.code)
    }

    /// What may be run on several cores and what stands in the way, rule by rule; ends with a newline.
    pub fn explain(&self, renderer: &Renderer) -> String {
        explain(&analyse(&self.program), &self.sources, renderer)
    }

    /// Runs the program to its end. Standard output is flushed, commands are waited for and their errors are in the outcome.
    pub fn run(&self, mut options: RunOptions) -> Outcome {
        if IN_PLACE.iter().any(|name| self.sources.included(name).is_some()) {
            options.in_place.get_or_insert_default();
        }
        // gawk finds this while it parses, hence the status of a syntax error.
        if let Some(name) = self.assignment_to_function(&options) {
            let error = RuntimeError::new(format!(
                "cannot set {name} from the command line: `{name}' is a function of the program"
            ));
            return Outcome { status: 1, errors: vec![error], ..Outcome::default() };
        }
        run::run(&self.code, &self.program, &self.sources, options)
    }

    fn assignment_to_function(&self, options: &RunOptions) -> Option<String> {
        let is_function = |name: &str| self.program.functions.iter().any(|function| function.name == name);
        options.assignments.iter().map(|assignment| assignment.name()).find(|name| is_function(name)).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Assignment;

    fn compiled(text: &str) -> Result<Compiled, Failure> {
        compile(vec![Source::new("test", text)], &CompileOptions::default())
    }

    #[test]
    fn a_variable_that_is_a_function_of_the_program_is_refused_before_anything_runs() {
        let assignments = vec![Assignment::parse(b"a=1").unwrap(), Assignment::parse(b"f=1").unwrap()];
        let program = compiled("function f() { }\nBEGIN { }").unwrap();
        let outcome = program.run(RunOptions { assignments, ..RunOptions::default() });
        assert_eq!(outcome.status, 1);
        assert_eq!(outcome.errors[0].message, "cannot set f from the command line: `f' is a function of the program");
    }

    #[test]
    fn pieces_are_one_program_and_places_name_their_piece() {
        let pieces = |second: &str| vec![Source::new("one", "BEGIN { f() }"), Source::new("two", second)];
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
