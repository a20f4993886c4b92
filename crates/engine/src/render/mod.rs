//! Draws diagnostics and run-time errors for a person.
//!
//! ```text
//! rhawk: prog.awk:3:14: error: division by zero
//!   |
//! 3 | { print $1 / $2 }
//!   |            ^
//!   = input: prices.txt, record 17
//! backtrace, innermost call first:
//!   average(), called at prog.awk:9:3
//! ```
//!
//! The first line is always `program: file:line:column: severity: message`, for editors; columns count characters from 1. What
//! came from the user is made harmless first ([`plain_text`]), and of a long line only what surrounds the caret is drawn
//! ([`excerpt`]), so that a one-line program of 10 MB gives a message that fits on a screen.

mod backtrace;
mod excerpt;
mod plain_text;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Snippet};
use riverhawk_syntax::ast::Span;
use riverhawk_syntax::diagnostic::{Diagnostic, Severity};
use riverhawk_syntax::source::SourceMap;

use crate::{Failure, InputPosition, RuntimeError};
use excerpt::Excerpt;
use plain_text::plain;
use riverhawk_vm::warning::Warning;

/// Draws errors. Knows the name that messages begin with and whether to colour them.
#[derive(Clone, Debug)]
pub struct Renderer {
    program_name: String,
    drawing: annotate_snippets::Renderer,
}

/// Excerpts are cut to size before drawing; the drawing library shall not cut again by what it takes for the terminal's width.
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
        Renderer { program_name: plain(&program_name), drawing: drawing.term_width(UNLIMITED_WIDTH) }
    }

    /// Everything that kept a program from compiling, each with its place; ends with a newline.
    pub fn failure(&self, failure: &Failure) -> String {
        failure.diagnostics.iter().map(|diagnostic| self.diagnostic(&failure.sources, diagnostic)).collect()
    }

    /// One finding about the program text; ends with a newline.
    pub fn diagnostic(&self, sources: &SourceMap, diagnostic: &Diagnostic) -> String {
        let (level, severity) = match diagnostic.severity {
            Severity::Error => (Level::ERROR, "error"),
            Severity::Warning => (Level::WARNING, "warning"),
        };
        let place = Excerpt::of(sources, diagnostic.span);
        let mut group = self.group(level, severity, &diagnostic.message, place.as_ref());
        if let Some(place) = &place {
            group = group.element(snippet(place, AnnotationKind::Primary, &diagnostic.label));
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(Level::HELP.message(plain_text::plain_lines(help)));
        }
        let mut groups = vec![group];
        for (span, text) in &diagnostic.related {
            let place = Excerpt::of(sources, *span);
            let mut related = self.group(Level::NOTE, "note", text, place.as_ref());
            if let Some(place) = &place {
                related = related.element(snippet(place, AnnotationKind::Context, ""));
            }
            groups.push(related);
        }
        self.draw(&groups)
    }

    /// A remark about a place in the program text; ends with a newline.
    pub fn note(&self, sources: &SourceMap, span: Span, message: &str) -> String {
        let place = Excerpt::of(sources, span);
        let mut group = self.group(Level::NOTE, "note", message, place.as_ref());
        if let Some(place) = &place {
            group = group.element(snippet(place, AnnotationKind::Primary, ""));
        }
        self.draw(&[group])
    }

    /// The error that ended a run; ends with a newline.
    pub fn runtime_error(&self, sources: &SourceMap, error: &RuntimeError) -> String {
        let place = error.span.and_then(|span| Excerpt::of(sources, span));
        let mut group = self.group(Level::ERROR, "error", &error.message, place.as_ref());
        if let Some(place) = &place {
            group = group.element(snippet(place, AnnotationKind::Primary, ""));
        }
        if let Some(input) = &error.input {
            group = group.element(Level::NOTE.with_name("input").message(input_text(input)));
        }
        self.draw(&[group]) + &backtrace::draw(sources, &error.backtrace)
    }

    /// A warning while the program runs: the source line as well the first time, one line from then on; ends with a newline.
    pub fn run_warning(&self, sources: &SourceMap, warning: &Warning) -> String {
        let place = warning.span.and_then(|span| Excerpt::of(sources, span));
        let input = warning.input.as_ref().map(input_text);
        if let (true, Some(input)) = (warning.again, &input) {
            let message = format!("{} ({input})", warning.message);
            return self.draw(&[self.group(Level::WARNING, "warning", &message, place.as_ref())]);
        }
        let mut group = self.group(Level::WARNING, "warning", &warning.message, place.as_ref());
        if let Some(place) = place.as_ref().filter(|_| !warning.again) {
            group = group.element(snippet(place, AnnotationKind::Primary, ""));
        }
        if let Some(input) = input {
            group = group.element(Level::NOTE.with_name("input").message(input));
        }
        self.draw(&[group])
    }

    /// A message that has no place in program text, such as an unknown option; one line.
    pub fn message(&self, message: &str) -> String {
        self.draw(&[self.group(Level::ERROR, "error", message, None)])
    }

    /// A warning that has no place in program text; one line.
    pub fn warning(&self, message: &str) -> String {
        self.draw(&[self.group(Level::WARNING, "warning", message, None)])
    }

    /// A group that starts with `program: file:line:column: severity: message`.
    fn group<'a>(&self, level: Level<'a>, severity: &str, message: &str, place: Option<&Excerpt>) -> Group<'a> {
        let name = match place {
            Some(place) => format!("{}: {}: {severity}", self.program_name, place.location),
            None => format!("{}: {severity}", self.program_name),
        };
        Group::with_title(level.with_name(name).primary_title(plain(message)))
    }

    fn draw(&self, groups: &[Group<'_>]) -> String {
        self.drawing.render(groups) + "\n"
    }
}

/// `prices.txt, record 17`.
fn input_text(input: &InputPosition) -> String {
    let file = match &*input.file {
        b"" => "standard input".to_owned(),
        name => plain(&String::from_utf8_lossy(name)),
    };
    format!("{file}, record {}", input.record)
}

/// The source line with the caret and what stands under it.
fn snippet<'a>(place: &Excerpt, kind: AnnotationKind, label: &str) -> Element<'a> {
    let mut annotation = kind.span(place.marked.clone());
    if !label.is_empty() {
        annotation = annotation.label(plain(label));
    }
    Snippet::source(place.text.clone()).line_start(place.line).annotation(annotation).into()
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
