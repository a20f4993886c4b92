//! A message's content, before it gets a form.

use riverhawk_syntax::ast::Span;
use riverhawk_syntax::diagnostic::{Fix, Severity};

use crate::{Backtrace, InputPosition};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Error,
    /// The program runs, perhaps not as intended.
    Warning,
    Note,
}

impl Level {
    pub fn of(severity: Severity) -> Level {
        match severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    /// File, line and column.
    Place,
    /// The source line too.
    Line,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Report<'a> {
    pub level: Level,
    pub message: &'a str,
    /// Position in the program.
    pub span: Option<Span>,
    pub shows: Shows,
    /// Text under the caret.
    pub label: &'a str,
    pub help: Option<&'a str>,
    pub related: &'a [(Span, String)],
    pub fixes: &'a [Fix],
    /// Position in the input.
    pub input: Option<&'a InputPosition>,
    pub backtrace: Option<&'a Backtrace>,
}

impl<'a> Report<'a> {
    pub fn new(level: Level, message: &'a str) -> Report<'a> {
        Report {
            level,
            message,
            span: None,
            shows: Shows::Line,
            label: "",
            help: None,
            related: &[],
            fixes: &[],
            input: None,
            backtrace: None,
        }
    }
}
