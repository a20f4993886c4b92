//! The part of a source line in a message, and the position of the caret.

use std::ops::Range;

use riverhawk_syntax::ast::Span;
use riverhawk_syntax::source::SourceMap;
use riverhawk_text::display_width;

use super::plain_text::is_harmful;

/// Columns of a line that is too long: before the caret, and from it on.
const BEFORE: usize = 60;
const FROM: usize = 100;
/// Maximum bytes of a line that is shown whole if the width is unknown.
const WHOLE: usize = 240;
/// Minimum width of a terminal; in a narrower one nothing fits.
const NARROWEST: usize = 20;
/// Minimum columns before the caret.
const CONTEXT: usize = 8;
const ELLIPSIS: &str = "...";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Room {
    pub columns: usize,
    /// Characters in the label after the caret.
    pub label: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// Moved to text, if it had none.
    pub span: Span,
    /// From 1.
    pub line: usize,
    /// The line or a part of it, with invalid UTF-8 replaced.
    pub text: String,
    /// The bytes of `text` to mark; empty for a caret before a byte.
    pub marked: Range<usize>,
}

impl Excerpt {
    /// `None` only if there is no program text.
    ///
    /// A span of several lines is marked to the end of the first. A span at the very end of a piece
    /// is moved to the end of its text, since a caret on an empty line is useless.
    pub fn of(sources: &SourceMap, span: Span, room: Option<Room>) -> Option<Excerpt> {
        let piece = sources.piece_at(span.start)?;
        let text = &*piece.text;
        let mut start = ((span.start - piece.base) as usize).min(text.len());
        let mut end = (span.end.saturating_sub(piece.base) as usize).clamp(start, text.len());
        if start == text.len() {
            start = text
                .iter()
                .rposition(|byte| !byte.is_ascii_whitespace())
                .map_or(start, |last| last + 1);
            end = start;
        }
        start = char_start(text, start);
        let end = end.max(start);
        let span = Span { start: piece.base + start as u32, end: piece.base + end as u32 };
        let line = sources.locate(span)?.line;

        let line_start =
            text[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let mut line_end = text[start..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(text.len(), |newline| start + newline);
        if line_end > start && text[line_end - 1] == b'\r' {
            line_end -= 1;
        }
        let end = end.min(line_end);

        let whole = Line { text, start: line_start, end: line_end };
        let shown = match room {
            None if line_end - line_start <= WHOLE => line_start..line_end,
            None => whole.columns_before(start, BEFORE)..whole.columns_after(start, FROM),
            Some(room) => {
                whole.around(start..end, columns_for_text(room.columns, line), room.label)
            }
        };
        let end = end.min(shown.end);
        let mut text_shown = Shown::default();
        text_shown.ellipsis(shown.start > line_start);
        text_shown.bytes(&text[shown.start..start]);
        let marked_start = text_shown.text.len();
        text_shown.bytes(&text[start..end]);
        let marked = marked_start..text_shown.text.len();
        text_shown.bytes(&text[end..shown.end]);
        text_shown.ellipsis(shown.end < line_end);
        Some(Excerpt { span, line, text: text_shown.text, marked })
    }
}

/// Columns after the line number and the bar.
fn columns_for_text(columns: usize, line: usize) -> usize {
    let gutter = line.to_string().len() + " | ".len();
    columns.saturating_sub(gutter).max(NARROWEST)
}

struct Line<'a> {
    text: &'a [u8],
    start: usize,
    end: usize,
}

impl Line<'_> {
    fn around(&self, marked: Range<usize>, columns: usize, label: usize) -> Range<usize> {
        if self.columns_after(self.start, columns) == self.end {
            return self.start..self.end;
        }
        let columns = columns - 2 * ELLIPSIS.len();
        let marked_end = self.columns_after(marked.start, columns).min(marked.end);
        // The label may be under the second ellipsis.
        let wanted = width(&self.text[marked.start..marked_end]).max(1)
            + 1
            + label.saturating_sub(ELLIPSIS.len());
        let wanted = wanted.min(columns - CONTEXT);
        let from = self.columns_before(marked.start, columns - wanted);
        let to = self.columns_after(from, columns).max(marked.start);
        // Near the end of the line there is more room before.
        let left = columns - width(&self.text[from..to]);
        self.columns_before(from, left)..to
    }

    fn columns_before(&self, at: usize, columns: usize) -> usize {
        let from =
            char_start(self.text, at.saturating_sub(4 * columns).max(self.start)).max(self.start);
        let before = &self.text[from..at];
        let mut left = width(before);
        for (start, width) in characters(before) {
            if left <= columns {
                return from + start;
            }
            left -= width;
        }
        at
    }

    fn columns_after(&self, at: usize, columns: usize) -> usize {
        let latest = (at + 4 * columns + 4).min(self.end);
        let mut taken = 0;
        for (start, width) in characters(&self.text[at..latest]) {
            taken += width;
            if taken > columns {
                return at + start;
            }
        }
        if latest == self.end { latest } else { char_start(self.text, latest).max(at) }
    }
}

/// The start of each character, and its width in a message.
fn characters(text: &[u8]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    text.utf8_chunks().flat_map(move |chunk| {
        let start = at;
        at += chunk.valid().len() + chunk.invalid().len();
        let valid = chunk
            .valid()
            .char_indices()
            .map(move |(at, character)| (start + at, columns_of(character)));
        let broken = (!chunk.invalid().is_empty()).then_some((start + chunk.valid().len(), 1));
        valid.chain(broken)
    })
}

fn width(text: &[u8]) -> usize {
    characters(text).map(|(_, columns)| columns).sum()
}

fn columns_of(character: char) -> usize {
    match character {
        // As in the drawing library.
        '\t' => 4,
        _ if is_harmful(character) => 1,
        _ => display_width(character.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

/// Where the character at `at` starts; the byte itself if it is not UTF-8.
fn char_start(text: &[u8], at: usize) -> usize {
    let holds_it = |&start: &usize| {
        let bytes = &text[start..text.len().min(start + 4)];
        let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        valid.chars().next().is_some_and(|character| start + character.len_utf8() > at)
    };
    (at.saturating_sub(3)..at).find(holds_it).unwrap_or(at)
}

#[derive(Default)]
struct Shown {
    text: String,
}

impl Shown {
    fn ellipsis(&mut self, cut: bool) {
        if cut {
            self.text.push_str(ELLIPSIS);
        }
    }

    /// Tabs stay: the drawing library gives them the same width as the caret's.
    fn bytes(&mut self, bytes: &[u8]) {
        for character in String::from_utf8_lossy(bytes).chars() {
            match character {
                '\t' => self.text.push('\t'),
                // The pictures of control characters, from `␀` on.
                '\0'..='\x1f' => self.text.extend(char::from_u32(0x2400 + character as u32)),
                '\x7f' => self.text.push('\u{2421}'),
                _ if is_harmful(character) => self.text.push(char::REPLACEMENT_CHARACTER),
                _ => self.text.push(character),
            }
        }
    }
}
