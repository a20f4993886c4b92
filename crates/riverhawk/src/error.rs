//! What goes wrong with programs and runs.

use crate::outcome::Outcome;
use crate::{EndCause, StopCause};
use riverhawk_engine::{
    Failure, InputPosition, MessageCode, Renderer, RuntimeError, Severity, SourceMap, Span, Warning,
};
use std::fmt;
use std::ops::Range;

/// A place in a program's text.
///
/// ```
/// use riverhawk::Program;
///
/// let error = Program::compile("{ print $1 + }").unwrap_err();
/// let place = error.diagnostics()[0].location.as_ref().unwrap();
/// assert_eq!((place.line, place.column, place.bytes.clone()), (1, 14, 13..14));
/// assert_eq!(place.to_string(), "program:1:14");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The name of the text.
    pub source: String,
    /// Lines, counted from 1.
    pub line: usize,
    /// Characters in the line, counted from 1.
    pub column: usize,
    /// The bytes of the text that it is about; empty where something is missing.
    pub bytes: Range<usize>,
}

impl Location {
    /// What is about the embedder's functions has no place.
    pub(crate) fn of(span: Span, sources: &SourceMap) -> Option<Location> {
        (span != Span::default()).then(|| Location::at(span, sources)).flatten()
    }

    pub(crate) fn at(span: Span, sources: &SourceMap) -> Option<Location> {
        let found = sources.locate(span)?;
        let piece = sources.piece_at(span.start)?;
        let at = |place: u32| (place.saturating_sub(piece.base) as usize).min(piece.text.len());
        Some(Location {
            source: found.name.to_owned(),
            line: found.line,
            column: found.column,
            bytes: at(span.start)..at(span.end),
        })
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.source, self.line, self.column)
    }
}

/// An error or a warning about a program's text, or a warning of a run. `Display` draws it, with the
/// line and where in it.
///
/// ```
/// use riverhawk::Program;
///
/// let error = Program::compile("{ prnt(1) }\n{ print $1 + }").unwrap_err();
/// let found = &error.diagnostics()[0];
/// assert_eq!(found.code.unwrap().to_string(), "RH0201");
/// assert_eq!(found.location.as_ref().unwrap().line, 2);
/// assert!(found.to_string().contains("print $1 + }"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// What it says, whatever the words are: see `docs/errors.md`.
    pub code: Option<MessageCode>,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line without a place.
    pub message: String,
    /// Where; `None` for what is about the embedder's functions.
    pub location: Option<Location>,
    /// What belongs under the caret: usually what was expected. May be empty.
    pub label: String,
    /// Other places that matter, and why.
    pub related: Vec<(Location, String)>,
    /// What to do about it.
    pub help: Option<String>,
    /// The record that a run was working on; the file of the standard input has an empty name.
    pub input: Option<InputPosition>,
    drawn: String,
}

impl Diagnostic {
    pub(crate) fn all(found: &[riverhawk_engine::Diagnostic], sources: &SourceMap) -> Vec<Self> {
        let renderer = Renderer::plain("riverhawk");
        let diagnostic = |found: &riverhawk_engine::Diagnostic| Diagnostic {
            code: MessageCode::of(&found.message),
            severity: found.severity,
            message: found.message.clone(),
            location: Location::of(found.span, sources),
            label: found.label.to_string(),
            related: (found.related.iter())
                .filter_map(|(span, text)| Some((Location::of(*span, sources)?, text.clone())))
                .collect(),
            help: found.help.clone(),
            input: None,
            drawn: renderer.diagnostic(sources, found),
        };
        found.iter().map(diagnostic).collect()
    }

    pub(crate) fn of_run(warning: &Warning, sources: &SourceMap, drawn: String) -> Diagnostic {
        Diagnostic {
            code: MessageCode::of(&warning.message),
            severity: Severity::Warning,
            message: warning.message.clone(),
            location: warning.span.and_then(|span| Location::at(span, sources)),
            label: String::new(),
            related: Vec::new(),
            help: warning.help.clone(),
            input: warning.input.clone(),
            drawn,
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.drawn.trim_end())
    }
}

/// A text that does not compile, with everything that is wrong with it. `Display` draws it, with the
/// lines and where in them.
///
/// ```
/// use riverhawk::Program;
///
/// let error = Program::compile("BEGIN { print (1 }").unwrap_err();
/// assert!(error.to_string().contains("BEGIN { print (1 }"));
/// ```
#[derive(Debug)]
pub struct CompileError {
    diagnostics: Vec<Diagnostic>,
    drawn: String,
}

impl CompileError {
    pub(crate) fn new(failure: &Failure) -> CompileError {
        CompileError {
            diagnostics: Diagnostic::all(&failure.diagnostics, &failure.sources),
            drawn: Renderer::plain("riverhawk").failure(failure),
        }
    }

    /// Everything that is wrong, in the order of the text.
    ///
    /// ```
    /// use riverhawk::Program;
    ///
    /// let error = Program::compile("{ print $1 + }\n{ next = 1 }").unwrap_err();
    /// let lines = error.diagnostics().iter().map(|found| found.location.as_ref().unwrap().line);
    /// assert_eq!(lines.collect::<Vec<_>>(), [1, 2]);
    /// ```
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.drawn.trim_end())
    }
}

impl std::error::Error for CompileError {}

/// What ended a run. `Display` draws it, with the line of the program and the record.
///
/// ```
/// use riverhawk::{Program, Run};
///
/// let program = Program::compile("{ print 1 / $1 }")?;
/// let error = program.run(Run::new().input("4\n0\n")).unwrap_err();
/// assert_eq!(error.message(), "division by zero in `/'");
/// assert_eq!(error.location().unwrap().to_string(), "program:1:9");
/// assert_eq!(error.into_outcome().text(), "0.25\n");
/// # Ok::<(), riverhawk::Error>(())
/// ```
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

    /// What it says, whatever the words are: see `docs/errors.md`.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let program = Program::compile("{ print 1 / $1 }")?;
    /// let error = program.run(Run::new().input("0\n")).unwrap_err();
    /// assert!(error.code().unwrap().to_string().starts_with("RH"));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn code(&self) -> Option<MessageCode> {
        MessageCode::of(self.message())
    }

    /// Where in the program's text.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let program = Program::compile("{ n++ }\nn > 1 { print n % 0 }")?;
    /// let error = program.run(Run::new().input("a\nb\n")).unwrap_err();
    /// assert_eq!(error.location().map(|place| (place.line, place.column)), Some((2, 15)));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn location(&self) -> Option<&Location> {
        self.0.location.as_ref()
    }

    /// The file and the number of the record that was being worked on; the standard input is `-`.
    /// Nothing in `BEGIN`.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let program = Program::compile("{ print 1 / $1 }")?;
    /// let error = program.run(Run::new().input("1\n0\n")).unwrap_err();
    /// assert_eq!(error.record(), Some((&b"-"[..], 2)));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn record(&self) -> Option<(&[u8], u64)> {
        let input = self.0.errors.first()?.input.as_ref()?;
        Some((&input.file, input.record))
    }

    /// Which limit ended the run, or that it was cancelled; `None` for an error of the program.
    ///
    /// ```
    /// use riverhawk::{EndCause, Limits, Program, Run};
    ///
    /// let endless = Program::compile("BEGIN { while (1) n++ }")?;
    /// let limits = Limits::none().steps(1000);
    /// let error = endless.run(Run::new().limits(limits)).unwrap_err();
    /// assert!(matches!(error.cause(), Some(EndCause::Steps)));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn cause(&self) -> Option<EndCause> {
        self.0.errors.first().and_then(|error| error.cause)
    }

    /// Who stopped the run, if it was stopped from outside.
    ///
    /// ```
    /// use riverhawk::{Cancel, Program, Run, StopCause};
    ///
    /// let cancel = Cancel::new();
    /// cancel.cancel();
    /// let endless = Program::compile("BEGIN { while (1) n++ }")?;
    /// let error = endless.run(Run::new().cancel(&cancel)).unwrap_err();
    /// assert_eq!(error.stopped(), Some(StopCause::Cancelled));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
    pub fn stopped(&self) -> Option<StopCause> {
        self.0.stopped
    }

    /// What the run had done until then: what it had printed is there.
    ///
    /// ```
    /// use riverhawk::{Program, Run};
    ///
    /// let program = Program::compile("{ print; if (/b/) print 1 / 0 }")?;
    /// let error = program.run(Run::new().input("a\nb\nc\n")).unwrap_err();
    /// assert_eq!((error.outcome().text(), error.outcome().records), ("a\nb\n".into(), 2));
    /// # Ok::<(), riverhawk::Error>(())
    /// ```
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
///
/// ```
/// use riverhawk::{Error, Program, Run};
///
/// fn total(program: &str, input: &str) -> Result<String, Error> {
///     Ok(Program::compile(program)?.run(Run::new().input(input))?.text().into_owned())
/// }
/// assert!(matches!(total("{ n +", ""), Err(Error::Compile(_))));
/// assert!(matches!(total("{ print 1 / $1 }", "0"), Err(Error::Run(_))));
/// ```
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
