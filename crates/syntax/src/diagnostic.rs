//! What is wrong with a program, as data; the engine draws it.

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
    /// One line without position: what is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to write under the caret: usually what was expected; may be empty.
    pub label: Box<str>,
    /// Other places that matter, each with its own text.
    pub related: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
    /// gawk calls it fatal: status 2 rather than the 1 of a syntax error.
    pub fatal: bool,
    /// The run's error when it reaches the call that cannot work.
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

    /// The same as a warning: the program still runs.
    pub fn warning(mut self) -> Diagnostic {
        self.severity = Severity::Warning;
        self
    }

    /// The same as what gawk calls fatal: exit status 2.
    pub fn fatal(mut self) -> Diagnostic {
        self.fatal = true;
        self
    }

    /// The same with advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The same with another place that matters.
    pub fn with_related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.related.push((span, text.into()));
        self
    }
}
