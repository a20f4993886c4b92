//! Errors and warnings about a program, as data; the engine draws them.

use crate::ast::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The program cannot run.
    Error,
    /// The program runs, perhaps not as meant.
    Warning,
}

/// One finding about the program text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The message: one line, without position.
    pub message: String,
    /// The position.
    pub span: Span,
    /// The text under the caret, usually what was expected. May be empty.
    pub label: Box<str>,
    /// Other positions, each with its own text.
    pub related: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
    /// Whether gawk calls it fatal: the status is then 2, not 1 as for a syntax error.
    pub fatal: bool,
    /// The message of the error at run time, if it is one only when the call is reached.
    pub when_reached: Option<Box<str>>,
}

impl Diagnostic {
    /// An error with a message and a label under the caret.
    pub fn error(span: Span, message: impl Into<String>, label: impl Into<Box<str>>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            message: message.into(),
            span,
            label: label.into(),
            related: Vec::new(),
            help: None,
            fatal: false,
            when_reached: None,
        }
    }

    /// The same as a warning.
    pub fn warning(mut self) -> Diagnostic {
        self.severity = Severity::Warning;
        self
    }

    /// The same as a fatal error.
    pub fn fatal(mut self) -> Diagnostic {
        self.fatal = true;
        self
    }

    /// The same with advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The same with another place.
    pub fn with_related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.related.push((span, text.into()));
        self
    }
}
