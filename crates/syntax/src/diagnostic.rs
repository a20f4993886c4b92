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

/// Whether a fix may be applied without asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixKind {
    /// The program does the same as before.
    Safe,
    /// What was probably meant; the program changes its meaning.
    Suggested,
}

/// A change of the program text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, such as "write `length()`".
    pub title: Box<str>,
    /// Whether it may be applied without asking.
    pub kind: FixKind,
    /// In the order of the text; they do not overlap.
    pub edits: Vec<Edit>,
}

/// One place of a [`Fix`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub span: Span,
    /// What replaces it.
    pub text: Vec<u8>,
}

impl Fix {
    /// A safe fix of one place.
    pub fn safe(title: impl Into<Box<str>>, span: Span, text: impl Into<Vec<u8>>) -> Fix {
        Fix {
            title: title.into(),
            kind: FixKind::Safe,
            edits: vec![Edit { span, text: text.into() }],
        }
    }

    /// A suggested fix of one place.
    pub fn suggested(title: impl Into<Box<str>>, span: Span, text: impl Into<Vec<u8>>) -> Fix {
        Fix { kind: FixKind::Suggested, ..Fix::safe(title, span, text) }
    }

    /// The same with another place, behind the others.
    pub fn and(mut self, span: Span, text: impl Into<Vec<u8>>) -> Fix {
        self.edits.push(Edit { span, text: text.into() });
        self
    }
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
    /// Changes of the text that resolve it, the best first.
    pub fixes: Vec<Fix>,
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
            fixes: Vec::new(),
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

    /// The same with a change that resolves it.
    pub fn with_fix(mut self, fix: Fix) -> Diagnostic {
        self.fixes.push(fix);
        self
    }

    /// The same with another place.
    pub fn with_related(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.related.push((span, text.into()));
        self
    }
}
