//! What goes wrong with programs and runs.

use crate::outcome::Outcome;
use crate::{EndCause, StopCause};
use riverhawk_engine::{Diagnostic, Failure, Renderer, RuntimeError, SourceMap, Span};
use std::fmt;

/// A place in a program's text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The name of the text.
    pub source: String,
    /// Lines, counted from 1.
    pub line: usize,
    /// Characters in the line, counted from 1.
    pub column: usize,
}

impl Location {
    pub(crate) fn of(span: Span, sources: &SourceMap) -> Option<Location> {
        let found = sources.locate(span)?;
        Some(Location { source: found.name.to_owned(), line: found.line, column: found.column })
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.source, self.line, self.column)
    }
}

/// A text that does not compile, with everything that is wrong with it. `Display` draws it, with the
/// lines and where in them.
#[derive(Debug)]
pub struct CompileError(Box<Failure>);

impl CompileError {
    pub(crate) fn new(failure: Failure) -> CompileError {
        CompileError(Box::new(failure))
    }

    /// Everything that is wrong, in the order of the text.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.diagnostics
    }

    /// Where a diagnostic is.
    pub fn location(&self, diagnostic: &Diagnostic) -> Option<Location> {
        Location::of(diagnostic.span, &self.0.sources)
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Renderer::plain("riverhawk").failure(&self.0).trim_end())
    }
}

impl std::error::Error for CompileError {}

/// What ended a run. `Display` draws it, with the line of the program and the record.
#[derive(Debug)]
pub struct RunError(Box<Ended>);

#[derive(Debug)]
pub(crate) struct Ended {
    pub errors: Vec<RuntimeError>,
    pub location: Option<Location>,
    pub drawn: String,
    pub stopped: Option<StopCause>,
    pub outcome: Outcome,
}

impl RunError {
    pub(crate) fn new(ended: Ended) -> RunError {
        RunError(Box::new(ended))
    }

    /// What is wrong, in one line without a place.
    pub fn message(&self) -> &str {
        self.0.errors.first().map_or("the run failed", |error| &error.message)
    }

    /// Where in the program's text.
    pub fn location(&self) -> Option<&Location> {
        self.0.location.as_ref()
    }

    /// The file and the number of the record that was being worked on; the standard input is `-`.
    /// Nothing in `BEGIN`.
    pub fn record(&self) -> Option<(&[u8], u64)> {
        let input = self.0.errors.first()?.input.as_ref()?;
        Some((&input.file, input.record))
    }

    /// Which limit ended the run, or that it was cancelled; `None` for an error of the program.
    pub fn cause(&self) -> Option<EndCause> {
        self.0.errors.first().and_then(|error| error.cause)
    }

    /// Who stopped the run, if it was stopped from outside.
    pub fn stopped(&self) -> Option<StopCause> {
        self.0.stopped
    }

    /// What the run had done until then: what it had printed is there.
    pub fn outcome(&self) -> &Outcome {
        &self.0.outcome
    }

    /// As [`RunError::outcome`], without a copy.
    pub fn into_outcome(self) -> Outcome {
        self.0.outcome
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.drawn.trim_end())
    }
}

impl std::error::Error for RunError {}

/// A program that does not compile, or a run that failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The text does not compile.
    Compile(CompileError),
    /// The run failed.
    Run(RunError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Compile(error) => error.fmt(f),
            Error::Run(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<CompileError> for Error {
    fn from(error: CompileError) -> Error {
        Error::Compile(error)
    }
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Error {
        Error::Run(error)
    }
}
