//! A message as a workflow command of GitHub, which shows it beside the line in a pull request:
//! <https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands>.

use riverhawk_syntax::code::MessageCode;
use riverhawk_syntax::source::SourceMap;

use super::excerpt::Excerpt;
use super::in_a_file;
use super::plain_text::{plain, plain_lines};
use super::report::{Level, Report};
use riverhawk_syntax::ast::Span;

pub(super) fn draw(sources: &SourceMap, report: &Report<'_>) -> String {
    let command = match report.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let mut properties: Vec<(&str, String)> = Vec::new();
    if let Some(span) = report.span.filter(|span| in_a_file(sources, *span)) {
        let span = Excerpt::of(sources, span, None)
            .map_or(span, |place| Span { end: span.end.max(place.span.start), ..place.span });
        if let Some(start) = sources.locate(span) {
            properties.push(("file", start.name.to_owned()));
            properties.push(("line", start.line.to_string()));
            properties.push(("col", start.column.to_string()));
            // Columns are read only within a line.
            let end = sources.locate(Span { start: span.end, end: span.end });
            if let Some(end) = end.filter(|end| end.line == start.line) {
                properties.push(("endColumn", end.column.to_string()));
            }
        }
    }
    if let Some(code) = MessageCode::of(report.message) {
        properties.push(("title", code.to_string()));
    }
    let properties: Vec<String> =
        properties.iter().map(|(name, value)| format!("{name}={}", property(value))).collect();
    let mut text = plain(report.message);
    if !report.label.is_empty() {
        text += &format!(" ({})", plain(report.label));
    }
    if let Some(help) = report.help {
        text += &format!("\n{}", plain_lines(help));
    }
    let blank = if properties.is_empty() { "" } else { " " };
    format!("::{command}{blank}{}::{}\n", properties.join(","), data(text.trim_end()))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn what_would_end_a_property_or_a_command_is_escaped() {
        assert_eq!(data("50 %\r\n"), "50 %25%0D%0A");
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
    }
}
