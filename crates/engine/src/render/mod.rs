//! Draws diagnostics and run-time errors: for a person, in a line each, or as JSON.
//!
//! ```text
//! prog.awk:3:14: error: division by zero
//!   |
//! 3 | { print $1 / $2 }
//!   |            ^
//!   = input: prices.txt, record 17
//! backtrace, innermost call first:
//!   average(), called at prog.awk:9:3
//! ```
//!
//! The first line is `file:line:column: severity: message`, as compilers write it, so that editors
//! find the place; where there is no file to open (a program on the command line, or no place at
//! all), the name of the command comes first. Columns count characters from 1. What came from the
//! user is made harmless first ([`plain_text`]), and of a long line only what surrounds the caret
//! is drawn ([`excerpt`]), so that a one-line program of 10 MB gives a message that fits on a
//! screen.

mod backtrace;
mod excerpt;
mod human;
mod json;
mod plain_text;
mod report;
mod short;

use riverhawk_syntax::ast::Span;
use riverhawk_syntax::diagnostic::Diagnostic;
use riverhawk_syntax::source::{Piece, SourceMap};
use riverhawk_vm::warning::Warning;

use crate::{Failure, InputPosition, RuntimeError};
use plain_text::plain;
use report::{Level, Report, Shows};

/// How messages are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageFormat {
    /// With the source line and a caret.
    #[default]
    Human,
    /// A line each, and one for each other place that matters.
    Short,
    /// An object of JSON each, on a line of its own.
    Json,
}

/// Draws errors, for one program name, form and use of colour.
#[derive(Clone, Debug)]
pub struct Renderer {
    program_name: String,
    drawing: annotate_snippets::Renderer,
    format: MessageFormat,
    width: Option<usize>,
}

/// Excerpts are cut before drawing; the drawing library must not cut again.
const UNLIMITED_WIDTH: usize = 100_000;

impl Renderer {
    /// Without colour.
    pub fn plain(program_name: impl Into<String>) -> Renderer {
        Renderer::with(program_name.into(), annotate_snippets::Renderer::plain())
    }

    /// With colour, as ANSI escape sequences.
    pub fn coloured(program_name: impl Into<String>) -> Renderer {
        Renderer::with(program_name.into(), annotate_snippets::Renderer::styled().hyperlink(false))
    }

    fn with(program_name: String, drawing: annotate_snippets::Renderer) -> Renderer {
        Renderer {
            program_name: plain(&program_name),
            drawing: drawing.term_width(UNLIMITED_WIDTH),
            format: MessageFormat::Human,
            width: None,
        }
    }

    /// The same, writing messages in this form.
    pub fn in_format(self, format: MessageFormat) -> Renderer {
        Renderer { format, ..self }
    }

    /// The same for a terminal of so many columns: longer source lines are cut around the caret.
    pub fn for_width(self, columns: usize) -> Renderer {
        Renderer { width: Some(columns), ..self }
    }

    /// How messages are written.
    pub fn format(&self) -> MessageFormat {
        self.format
    }

    /// Everything that kept a program from compiling; ends with a newline.
    pub fn failure(&self, failure: &Failure) -> String {
        failure
            .diagnostics
            .iter()
            .map(|diagnostic| self.diagnostic(&failure.sources, diagnostic))
            .collect()
    }

    /// One finding about the program text; ends with a newline.
    pub fn diagnostic(&self, sources: &SourceMap, diagnostic: &Diagnostic) -> String {
        self.report(
            sources,
            &Report {
                span: Some(diagnostic.span),
                label: &diagnostic.label,
                help: diagnostic.help.as_deref(),
                related: &diagnostic.related,
                ..Report::new(Level::of(diagnostic.severity), &diagnostic.message)
            },
        )
    }

    /// A remark about a place in the program text; ends with a newline.
    pub fn note(&self, sources: &SourceMap, span: Span, message: &str) -> String {
        self.report(sources, &Report { span: Some(span), ..Report::new(Level::Note, message) })
    }

    /// A remark about a run in one line.
    pub fn remark(&self, sources: &SourceMap, span: Option<Span>, message: &str) -> String {
        self.report(
            sources,
            &Report { span, shows: Shows::Place, ..Report::new(Level::Note, message) },
        )
    }

    /// The error that ended a run; ends with a newline.
    pub fn runtime_error(&self, sources: &SourceMap, error: &RuntimeError) -> String {
        self.report(
            sources,
            &Report {
                span: error.span,
                help: error.help.as_deref(),
                input: error.input.as_ref(),
                backtrace: Some(&error.backtrace),
                ..Report::new(Level::Error, &error.message)
            },
        )
    }

    /// A warning of the run: with the source line the first time, then one line; ends with a
    /// newline.
    pub fn run_warning(&self, sources: &SourceMap, warning: &Warning) -> String {
        self.report(
            sources,
            &Report {
                span: warning.span,
                help: warning.help.as_deref(),
                input: warning.input.as_ref(),
                shows: if warning.again { Shows::Place } else { Shows::Line },
                ..Report::new(Level::Warning, &warning.message)
            },
        )
    }

    /// A message without a place in program text, in one line.
    pub fn message(&self, message: &str) -> String {
        self.report(&SourceMap::new(), &Report::new(Level::Error, message))
    }

    /// As [`Renderer::message`], with what to do about it in lines of their own.
    pub fn message_with_help(&self, message: &str, help: &str) -> String {
        match self.format {
            MessageFormat::Human => self.message(message) + help,
            MessageFormat::Short => self.message(message),
            MessageFormat::Json => {
                let help = Some(help.trim_end()).filter(|help| !help.is_empty());
                self.report(
                    &SourceMap::new(),
                    &Report { help, ..Report::new(Level::Error, message) },
                )
            }
        }
    }

    /// A warning that has no place in program text; one line.
    pub fn warning(&self, message: &str) -> String {
        self.report(&SourceMap::new(), &Report::new(Level::Warning, message))
    }

    fn report(&self, sources: &SourceMap, report: &Report<'_>) -> String {
        match self.format {
            MessageFormat::Human => self.human(sources, report),
            MessageFormat::Short => self.short(sources, report),
            MessageFormat::Json => json::draw(sources, report, &self.program_name),
        }
    }

    /// The head of a message: `file:line:column: severity`, or the command's name where there is no
    /// file to open.
    fn head(&self, sources: &SourceMap, span: Option<Span>, level: Level) -> String {
        let place = span.map(|span| location(sources, span)).filter(|place| !place.is_empty());
        let is_file = span.is_some_and(|span| in_a_file(sources, span));
        match (place, is_file) {
            (Some(place), true) => format!("{place}: {}", level.name()),
            (Some(place), false) => format!("{}: {place}: {}", self.program_name, level.name()),
            (None, _) => format!("{}: {}", self.program_name, level.name()),
        }
    }
}

/// Whether a span lies in a file: neither on the command line nor in the standard input.
fn in_a_file(sources: &SourceMap, span: Span) -> bool {
    sources
        .piece_at(span.start)
        .is_some_and(|piece| !Piece::is_from_command_line(&piece.name) && piece.name != "-")
}

/// `prices.txt, record 17`.
fn input_text(input: &InputPosition) -> String {
    let file = match &*input.file {
        b"" => "standard input".to_owned(),
        name => plain(&String::from_utf8_lossy(name)),
    };
    format!("{file}, record {}", input.record)
}

/// `file:line:column` of a span, or an empty text for one that lies nowhere.
fn location(sources: &SourceMap, span: Span) -> String {
    match sources.locate(span) {
        Some(at) => format!("{}:{}:{}", plain(at.name), at.line, at.column),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests;
