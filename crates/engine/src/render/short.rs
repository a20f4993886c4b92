//! A message in one line, and one line for each related position.

use riverhawk_syntax::ast::Span;
use riverhawk_syntax::source::SourceMap;

use super::excerpt::Excerpt;
use super::plain_text::plain;
use super::report::{Level, Report};
use super::{Renderer, input_text};

impl Renderer {
    pub(super) fn short(&self, sources: &SourceMap, report: &Report<'_>) -> String {
        let input =
            report.input.map(|input| format!(" ({})", input_text(input))).unwrap_or_default();
        let mut text = self.line(sources, report.span, report.level, report.message, &input);
        for (span, message) in report.related {
            text += &self.line(sources, Some(*span), Level::Note, message, "");
        }
        text
    }

    fn line(
        &self,
        sources: &SourceMap,
        span: Option<Span>,
        level: Level,
        message: &str,
        behind: &str,
    ) -> String {
        // The caret's position.
        let span = span.and_then(|span| Excerpt::of(sources, span, None)).map(|place| place.span);
        format!("{}: {}{behind}\n", self.head(sources, span, level), plain(message))
    }
}
