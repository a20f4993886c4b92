//! A message with all that is known about it, before it gets a form.

use riverhawk_syntax::ast::Span;
use riverhawk_syntax::diagnostic::Severity;

use crate::{Backtrace, InputPosition};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// It ends the run, or keeps it from beginning.
    Error,
    /// The program runs, perhaps not as meant.
    Warning,
    /// Something to know.
    Note,
}

impl Level {
    pub fn of(severity: Severity) -> Level {
        match severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
        }
    }

    /// The word in messages.
    pub fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        }
    }
}

/// How much of the place a message shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    /// File, line and column.
    Place,
    /// The line of the program too.
    Line,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Report<'a> {
    pub level: Level,
    /// What is wrong, in one line.
    pub message: &'a str,
    /// Where in the program.
    pub span: Option<Span>,
    pub shows: Shows,
    /// What stands under the caret.
    pub label: &'a str,
    /// What to do about it.
    pub help: Option<&'a str>,
    /// Other places that matter.
    pub related: &'a [(Span, String)],
    /// Where in the input.
    pub input: Option<&'a InputPosition>,
    /// The calls that led there.
    pub backtrace: Option<&'a Backtrace>,
}

impl<'a> Report<'a> {
    /// A message of which nothing more is known.
    pub fn new(level: Level, message: &'a str) -> Report<'a> {
        Report {
            level,
            message,
            span: None,
            shows: Shows::Line,
            label: "",
            help: None,
            related: &[],
            input: None,
            backtrace: None,
        }
    }
}
