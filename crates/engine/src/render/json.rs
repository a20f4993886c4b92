//! A message as a JSON object on one line, for editors and tools. Unknown values are omitted.
//!
//! ```text
//! {"program":"rhawk","severity":"error","message":"division by zero in `/'","file":"prog.awk","line":3,"column":14,
//!  "end_line":3,"end_column":21,"input":{"file":"prices.txt","record":17}}
//! ```
//!
//! Lines, columns and records count from 1, columns in characters; the end is the first character
//! after it. Invalid UTF-8 becomes replacement characters. `input.file` is empty for the standard
//! input.

use riverhawk_syntax::ast::Span;
use riverhawk_syntax::code::MessageCode;
use riverhawk_syntax::diagnostic::FixKind;
use riverhawk_syntax::source::SourceMap;

use super::excerpt::Excerpt;
use super::plain_text::{plain, plain_lines};
use super::report::Report;
use crate::{Backtrace, Frame};

pub(super) fn draw(sources: &SourceMap, report: &Report<'_>, program_name: &str) -> String {
    let mut object = Object::default();
    object.text("program", program_name);
    object.text("severity", report.level.name());
    object.text("message", &plain(report.message));
    if let Some(code) = MessageCode::of(report.message) {
        object.text("code", &code.to_string());
    }
    if let Some(span) = report.span {
        object.place(sources, span);
    }
    if !report.label.is_empty() {
        object.text("label", &plain(report.label));
    }
    if let Some(help) = report.help {
        object.text("help", &plain_lines(help));
    }
    if let Some(input) = report.input {
        let mut place = Object::default();
        place.text("file", &String::from_utf8_lossy(&input.file));
        place.number("record", input.record);
        object.member("input", &place.end());
    }
    let notes = report.related.iter().map(|(span, message)| {
        let mut note = Object::default();
        note.text("message", &plain(message));
        note.place(sources, *span);
        note.end()
    });
    object.list("notes", notes.collect());
    let fixes = report.fixes.iter().map(|fix| {
        let mut object = Object::default();
        object.text("title", &fix.title);
        object.member("safe", if fix.kind == FixKind::Safe { "true" } else { "false" });
        let edits = fix.edits.iter().map(|edit| {
            let mut change = Object::default();
            change.exact_place(sources, edit.span, PLACE);
            change.text("text", &String::from_utf8_lossy(&edit.text));
            change.end()
        });
        object.list("edits", edits.collect());
        object.end()
    });
    object.list("fixes", fixes.collect());
    if let Some(calls) = report.backtrace {
        object.calls(sources, calls);
    }
    object.end() + "\n"
}

/// The members' names of a place.
const PLACE: [&str; 4] = ["line", "column", "end_line", "end_column"];

#[derive(Default)]
pub(super) struct Object {
    members: String,
}

impl Object {
    pub(super) fn end(self) -> String {
        format!("{{{}}}", self.members)
    }

    pub(super) fn member(&mut self, name: &str, value: &str) {
        if !self.members.is_empty() {
            self.members.push(',');
        }
        self.members.push_str(&format!("\"{name}\":{value}"));
    }

    pub(super) fn text(&mut self, name: &str, text: &str) {
        self.member(name, &quoted(text));
    }

    pub(super) fn number(&mut self, name: &str, number: u64) {
        self.member(name, &number.to_string());
    }

    pub(super) fn list(&mut self, name: &str, values: Vec<String>) {
        if !values.is_empty() {
            self.member(name, &format!("[{}]", values.join(",")));
        }
    }

    fn place(&mut self, sources: &SourceMap, span: Span) {
        let span = Excerpt::of(sources, span, None)
            .map_or(span, |place| Span { end: span.end.max(place.span.start), ..place.span });
        let Some(start) = sources.locate(span) else { return };
        self.text("file", start.name);
        self.exact_place(sources, span, PLACE);
    }

    pub(super) fn exact_place(&mut self, sources: &SourceMap, span: Span, names: [&str; 4]) {
        let end = Span { start: span.end, end: span.end };
        for (at, [line, column]) in [(span, [names[0], names[1]]), (end, [names[2], names[3]])] {
            if let Some(place) = sources.locate(at) {
                self.number(line, place.line as u64);
                self.number(column, place.column as u64);
            }
        }
    }

    fn calls(&mut self, sources: &SourceMap, calls: &Backtrace) {
        let call = |frame: &Frame| {
            let mut call = Object::default();
            call.text("function", &frame.function);
            call.place(sources, frame.call);
            call.end()
        };
        self.list("calls", calls.innermost.iter().map(call).collect());
        if calls.omitted > 0 {
            self.number("calls_left_out", calls.omitted);
        }
        self.list("outermost_calls", calls.outermost.iter().map(call).collect());
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            _ if character.is_control() => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(character)))
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn strings_are_escaped() {
        assert_eq!(quoted("a\"b\\c\n\u{1b}é\u{9b}"), "\"a\\\"b\\\\c\\n\\u001bé\\u009b\"");
    }
}
