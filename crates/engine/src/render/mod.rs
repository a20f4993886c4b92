//! Draws diagnostics and run-time errors: for people, as one line each, as JSON, as SARIF, or for GitHub.
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
//! The first line is `file:line:column: severity: message`, as editors expect. Without a file the
//! command's name replaces the position. Columns count characters from 1. User text is made
//! harmless ([`plain_text`]). Long lines are cut around the caret ([`excerpt`]), so that a message
//! about a one-line program of 10 MB fits on a screen.

mod backtrace;
mod excerpt;
mod github;
mod human;
mod json;
mod plain_text;
mod report;
mod sarif;
mod short;

use riverhawk_syntax::ast::Span;
use riverhawk_syntax::diagnostic::Diagnostic;
use riverhawk_syntax::source::{SourceMap, SourcePiece};
use riverhawk_vm::warning::Warning;

use crate::{Failure, InputPosition, RuntimeError};
use plain_text::plain;
use report::{Level, Report, Shows};
pub use sarif::log as sarif_log;

/// Forms of messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MessageFormat {
    /// With the source line and a caret.
    #[default]
    Human,
    /// One line each, and one for each related position.
    Short,
    /// One line with a JSON object each.
    Json,
    /// A result of a SARIF log each, for [`sarif_log`].
    Sarif,
    /// One workflow command of GitHub each.
    GitHub,
}

/// Draws messages, with a program name, a form and colours.
#[derive(Clone, Debug)]
pub struct Renderer {
    program_name: String,
    drawing: annotate_snippets::Renderer,
    format: MessageFormat,
    width: Option<usize>,
}

/// Excerpts are cut before, so the drawing library must not cut again.
const UNLIMITED_WIDTH: usize = 100_000;

impl Renderer {
    /// Without colour.
    pub fn plain(program_name: impl Into<String>) -> Renderer {
        Renderer::with(program_name.into(), annotate_snippets::Renderer::plain())
    }

    /// With ANSI colours.
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

    /// Sets the form of messages.
    pub fn in_format(self, format: MessageFormat) -> Renderer {
        Renderer { format, ..self }
    }

    /// Sets the terminal's width. Longer source lines are cut around the caret.
    pub fn for_width(self, columns: usize) -> Renderer {
        Renderer { width: Some(columns), ..self }
    }

    /// The form of messages.
    pub fn format(&self) -> MessageFormat {
        self.format
    }

    /// All findings of a failed compilation, with a newline.
    pub fn failure(&self, failure: &Failure) -> String {
        failure
            .diagnostics
            .iter()
            .map(|diagnostic| self.diagnostic(&failure.sources, diagnostic))
            .collect()
    }

    /// One finding, with a newline.
    pub fn diagnostic(&self, sources: &SourceMap, diagnostic: &Diagnostic) -> String {
        self.report(
            sources,
            &Report {
                span: Some(diagnostic.span),
                label: &diagnostic.label,
                help: diagnostic.help.as_deref(),
                related: &diagnostic.related,
                fixes: &diagnostic.fixes,
                ..Report::new(Level::of(diagnostic.severity), &diagnostic.message)
            },
        )
    }

    /// A remark about a position in the program, with a newline.
    pub fn note(&self, sources: &SourceMap, span: Span, message: &str) -> String {
        self.report(sources, &Report { span: Some(span), ..Report::new(Level::Note, message) })
    }

    /// A remark about a run, in one line.
    pub fn remark(&self, sources: &SourceMap, span: Option<Span>, message: &str) -> String {
        self.report(
            sources,
            &Report { span, shows: Shows::Place, ..Report::new(Level::Note, message) },
        )
    }

    /// The error that ended a run, with a newline.
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

    /// A warning of the run, with a newline; with the source line only the first time.
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

    /// A message without a position, in one line.
    pub fn message(&self, message: &str) -> String {
        self.report(&SourceMap::new(), &Report::new(Level::Error, message))
    }

    /// As [`Renderer::message`], followed by lines of advice.
    pub fn message_with_help(&self, message: &str, help: &str) -> String {
        match self.format {
            MessageFormat::Human => self.message(message) + help,
            MessageFormat::Short => self.message(message),
            MessageFormat::Json | MessageFormat::Sarif | MessageFormat::GitHub => {
                let help = Some(help.trim_end()).filter(|help| !help.is_empty());
                self.report(
                    &SourceMap::new(),
                    &Report { help, ..Report::new(Level::Error, message) },
                )
            }
        }
    }

    /// A warning without a position, in one line.
    pub fn warning(&self, message: &str) -> String {
        self.report(&SourceMap::new(), &Report::new(Level::Warning, message))
    }

    fn report(&self, sources: &SourceMap, report: &Report<'_>) -> String {
        match self.format {
            MessageFormat::Human => self.human(sources, report),
            MessageFormat::Short => self.short(sources, report),
            MessageFormat::Json => json::draw(sources, report, &self.program_name),
            MessageFormat::Sarif => sarif::result(sources, report),
            MessageFormat::GitHub => github::draw(sources, report),
        }
    }

    /// `file:line:column: severity`; without a file, the command's name.
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

fn in_a_file(sources: &SourceMap, span: Span) -> bool {
    sources
        .piece_at(span.start)
        .is_some_and(|piece| !SourcePiece::is_from_command_line(&piece.name) && piece.name != "-")
}

fn input_text(input: &InputPosition) -> String {
    let file = match &*input.file {
        b"" => "standard input".to_owned(),
        name => plain(&String::from_utf8_lossy(name)),
    };
    format!("{file}, record {}", input.record)
}

fn location(sources: &SourceMap, span: Span) -> String {
    match sources.locate(span) {
        Some(at) => format!("{}:{}:{}", plain(at.name), at.line, at.column),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests;
