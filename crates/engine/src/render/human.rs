//! Messages for people, with the source line, a caret, and advice.

use annotate_snippets::{AnnotationKind, Element, Group, Level as Style, Snippet};
use riverhawk_syntax::ast::Span;
use riverhawk_syntax::source::SourceMap;

use super::excerpt::{Excerpt, Room};
use super::plain_text::{plain, plain_lines};
use super::report::{Level, Report, Shows};
use super::{Renderer, backtrace, input_text};

impl Renderer {
    pub(super) fn human(&self, sources: &SourceMap, report: &Report<'_>) -> String {
        let place = report.span.and_then(|span| self.excerpt(sources, span, report.label));
        let input = report.input.map(input_text);
        let (message, input) = match (report.shows, input) {
            (Shows::Place, Some(input)) => (format!("{} ({input})", report.message), None),
            (_, input) => (report.message.to_owned(), input),
        };
        let span = place.as_ref().map(|place| place.span);
        let mut group = self.group(sources, span, report.level, &message);
        if let Some(place) = place.as_ref().filter(|_| report.shows == Shows::Line) {
            group = group.element(snippet(place, AnnotationKind::Primary, report.label));
        }
        if let Some(help) = report.help {
            group = group.element(Style::HELP.message(plain_lines(help)));
        }
        if let Some(input) = input {
            group = group.element(Style::NOTE.with_name("input").message(input));
        }
        let mut groups = vec![group];
        for (span, text) in report.related {
            let place = self.excerpt(sources, *span, "");
            let mut related =
                self.group(sources, place.as_ref().map(|place| place.span), Level::Note, text);
            if let Some(place) = &place {
                related = related.element(snippet(place, AnnotationKind::Context, ""));
            }
            groups.push(related);
        }
        let calls =
            report.backtrace.map_or_else(String::new, |calls| backtrace::draw(sources, calls));
        self.drawing.render(&groups) + "\n" + &calls
    }

    fn excerpt(&self, sources: &SourceMap, span: Span, label: &str) -> Option<Excerpt> {
        Excerpt::of(
            sources,
            span,
            self.width.map(|columns| Room { columns, label: label.chars().count() }),
        )
    }

    /// Begins with `file:line:column: severity: message`.
    fn group<'a>(
        &self,
        sources: &SourceMap,
        span: Option<Span>,
        level: Level,
        message: &str,
    ) -> Group<'a> {
        let style = match level {
            Level::Error => Style::ERROR,
            Level::Warning => Style::WARNING,
            Level::Note => Style::NOTE,
        };
        Group::with_title(
            style.with_name(self.head(sources, span, level)).primary_title(plain(message)),
        )
    }
}

fn snippet<'a>(place: &Excerpt, kind: AnnotationKind, label: &str) -> Element<'a> {
    let mut annotation = kind.span(place.marked.clone());
    if !label.is_empty() {
        annotation = annotation.label(plain(label));
    }
    Snippet::source(place.text.clone()).line_start(place.line).annotation(annotation).into()
}
