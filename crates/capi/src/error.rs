//! Error objects.

use crate::border::{caught, guarded, rh_text};
use crate::outcome::rh_outcome;
use riverhawk::{CompileError, EndCause, Location, MessageCode, RunError};
use std::mem::MaybeUninit;
use std::ptr;

/// What kind of error it is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum rh_error_kind {
    /// An argument of the library's functions is wrong: null where that is not allowed, a name that
    /// is not UTF-8, a number that no constant has, a handle that has been used up.
    Argument = 1,
    /// The program does not compile.
    Compile = 2,
    /// The run failed: what the program does is an error.
    Run = 3,
    /// `rh_cancel_cancel` ended the run.
    Cancelled = 4,
    /// The limit of time ended the run.
    TimeLimit = 5,
    /// Another limit ended the run, or there is no memory.
    Limit = 6,
    /// A fault of the library. Handles that took part can be freed.
    Panic = 7,
}

/// One thing that is wrong with a program's text.
#[repr(C)]
pub struct rh_diagnostic<'e> {
    /// In one line, without a place.
    pub message: rh_text<'e>,
    /// The name of the text; empty if the place is not known.
    pub source: rh_text<'e>,
    /// Counted from 1; 0 if the place is not known.
    pub line: usize,
    /// In characters, counted from 1; 0 if the place is not known.
    pub column: usize,
    /// What it says, whatever the words are: 101 for RH0101 of docs/errors.md; 0 if it has no code.
    pub code: u32,
}

impl<'e> rh_diagnostic<'e> {
    pub(crate) const EMPTY: rh_diagnostic<'static> = rh_diagnostic {
        message: rh_text::EMPTY,
        source: rh_text::EMPTY,
        line: 0,
        column: 0,
        code: 0,
    };

    pub(crate) fn new(message: &'e str, location: Option<&'e Location>) -> rh_diagnostic<'e> {
        rh_diagnostic {
            message: rh_text::new(message.as_bytes()),
            source: location.map_or(rh_text::EMPTY, |at| rh_text::new(at.source.as_bytes())),
            line: location.map_or(0, |at| at.line),
            column: location.map_or(0, |at| at.column),
            code: MessageCode::of(message).map_or(0, |code| code.number().into()),
        }
    }
}

/// What went wrong. Freed with `rh_error_free`; texts are valid until then.
pub struct rh_error {
    kind: rh_error_kind,
    /// At least one.
    found: Vec<Found>,
    drawn: String,
    record: Option<(Vec<u8>, u64)>,
    outcome: Option<rh_outcome>,
}

/// A message with its place.
struct Found {
    message: String,
    location: Option<Location>,
}

impl rh_error {
    pub(crate) fn argument(message: impl Into<String>) -> Box<rh_error> {
        rh_error::plain(rh_error_kind::Argument, message.into())
    }

    pub(crate) fn panic(message: &str) -> Box<rh_error> {
        rh_error::plain(rh_error_kind::Panic, format!("panic: {message}"))
    }

    fn plain(kind: rh_error_kind, message: String) -> Box<rh_error> {
        let drawn = format!("riverhawk: error: {message}");
        let found = vec![Found { message, location: None }];
        Box::new(rh_error { kind, found, drawn, record: None, outcome: None })
    }

    fn first(&self) -> Option<&Found> {
        self.found.first()
    }
}

impl From<CompileError> for Box<rh_error> {
    fn from(error: CompileError) -> Box<rh_error> {
        let found = error.diagnostics().iter().map(|diagnostic| Found {
            message: diagnostic.message.clone(),
            location: diagnostic.location.clone(),
        });
        Box::new(rh_error {
            kind: rh_error_kind::Compile,
            found: found.collect(),
            drawn: error.to_string(),
            record: None,
            outcome: None,
        })
    }
}

impl From<RunError> for Box<rh_error> {
    fn from(error: RunError) -> Box<rh_error> {
        let kind = match error.cause() {
            Some(EndCause::Cancelled) => rh_error_kind::Cancelled,
            Some(EndCause::Time) => rh_error_kind::TimeLimit,
            Some(_) => rh_error_kind::Limit,
            None => rh_error_kind::Run,
        };
        let found =
            Found { message: error.message().to_owned(), location: error.location().cloned() };
        Box::new(rh_error {
            kind,
            found: vec![found],
            drawn: error.to_string(),
            record: error.record().map(|(file, number)| (file.to_vec(), number)),
            outcome: Some(rh_outcome(error.into_outcome())),
        })
    }
}

/// Where a function puts its error; null if the caller does not want it. C need not have initialised
/// what it points to.
pub(crate) type ErrorOut<'e> = Option<&'e mut MaybeUninit<*mut rh_error>>;

/// Runs the body of an entry point that can fail. `None` is C's null or false; the error is then in
/// `out`, and null otherwise.
pub(crate) fn attempt<R>(
    out: ErrorOut<'_>,
    body: impl FnOnce() -> Result<R, Box<rh_error>>,
) -> Option<R> {
    let (result, error) = match caught(body) {
        Ok(Ok(result)) => (Some(result), None),
        Ok(Err(error)) => (None, Some(error)),
        Err(panic) => (None, Some(rh_error::panic(&panic))),
    };
    if let Some(out) = out {
        out.write(error.map_or(ptr::null_mut(), Box::into_raw));
    }
    result
}

/// The kind of an error.
#[unsafe(no_mangle)]
pub extern "C" fn rh_error_kind_of(error: Option<&rh_error>) -> rh_error_kind {
    error.map_or(rh_error_kind::Argument, |error| error.kind)
}

/// What is wrong, in one line without a place; of several things, the first.
#[unsafe(no_mangle)]
pub extern "C" fn rh_error_message(error: Option<&rh_error>) -> rh_text<'_> {
    let first = error.and_then(rh_error::first);
    first.map_or(rh_text::EMPTY, |first| rh_text::new(first.message.as_bytes()))
}

/// The name of the program's text that the error is in; empty if it has no place.
#[unsafe(no_mangle)]
pub extern "C" fn rh_error_source(error: Option<&rh_error>) -> rh_text<'_> {
    rh_error_diagnostic(error, 0).source
}

/// The line in that text, counted from 1; 0 if the error has no place.
#[unsafe(no_mangle)]
pub extern "C" fn rh_error_line(error: Option<&rh_error>) -> usize {
    rh_error_diagnostic(error, 0).line
}

/// The character in that line, counted from 1; 0 if the error has no place.
#[unsafe(no_mangle)]
pub extern "C" fn rh_error_column(error: Option<&rh_error>) -> usize {
    rh_error_diagnostic(error, 0).column
}

/// How many things are wrong with a program that does not compile; 1 for other errors.
#[unsafe(no_mangle)]
pub extern "C" fn rh_error_count(error: Option<&rh_error>) -> usize {
    error.map_or(0, |error| error.found.len())
}

/// One of the things that are wrong, counted from 0 in the order of the text; an empty one beyond the
/// last.
#[unsafe(no_mangle)]
pub extern "C" fn rh_error_diagnostic(error: Option<&rh_error>, at: usize) -> rh_diagnostic<'_> {
    let found = error.and_then(|error| error.found.get(at));
    found.map_or(rh_diagnostic::EMPTY, |found| {
        rh_diagnostic::new(&found.message, found.location.as_ref())
    })
}

/// The whole error as it is drawn for a person: messages, places, the lines with carets.
#[unsafe(no_mangle)]
pub extern "C" fn rh_error_drawn(error: Option<&rh_error>) -> rh_text<'_> {
    error.map_or(rh_text::EMPTY, |error| rh_text::new(error.drawn.as_bytes()))
}

/// The number of the record that was being worked on; 0 before the first.
#[unsafe(no_mangle)]
pub extern "C" fn rh_error_record(error: Option<&rh_error>) -> u64 {
    error.and_then(|error| error.record.as_ref()).map_or(0, |(_, number)| *number)
}

/// The file of that record, `-` for the standard input; empty before the first.
#[unsafe(no_mangle)]
pub extern "C" fn rh_error_file(error: Option<&rh_error>) -> rh_text<'_> {
    let record = error.and_then(|error| error.record.as_ref());
    record.map_or(rh_text::EMPTY, |(file, _)| rh_text::new(file))
}

/// What the run had done until the error, such as its output; null if there was no run. It belongs to
/// the error.
#[unsafe(no_mangle)]
pub extern "C" fn rh_error_outcome(error: Option<&rh_error>) -> Option<&rh_outcome> {
    error?.outcome.as_ref()
}

/// Frees an error; null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn rh_error_free(error: Option<Box<rh_error>>) {
    guarded((), || drop(error));
}
