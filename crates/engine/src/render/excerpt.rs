//! The part of one source line that a message shows, and where in it the caret goes.

use std::ops::Range;

use riverhawk_syntax::ast::Span;
use riverhawk_syntax::source::SourceMap;

use super::plain_text::is_harmful;

/// Bytes of a line shown before the caret, and from it on, when the line is too long to be shown whole.
const BEFORE: usize = 60;
const FROM: usize = 100;
/// A line up to this many bytes is shown whole.
const WHOLE: usize = 240;

/// What a message shows of the line a span starts in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// `file:line:column` of the first character marked.
    pub location: String,
    /// Number of the line, from 1.
    pub line: usize,
    /// The line or the part of it around the span, as text: what is not UTF-8 is replaced, never dropped.
    pub text: String,
    /// The bytes of `text` to mark. Empty means a caret before that byte. Never past the end of `text`.
    pub marked: Range<usize>,
}

impl Excerpt {
    /// `None` only when there is no program text at all.
    ///
    /// A span of several lines is marked to the end of its first. A span at the very end of a piece, where the parser has run out of
    /// text, is moved back to just after the last text there is: a caret on an empty line would tell nothing.
    pub fn of(sources: &SourceMap, span: Span) -> Option<Excerpt> {
        let piece = sources.piece_at(span.start)?;
        let text = &*piece.text;
        let mut start = ((span.start - piece.base) as usize).min(text.len());
        let mut end = (span.end.saturating_sub(piece.base) as usize).clamp(start, text.len());
        if start == text.len() {
            start = text.iter().rposition(|byte| !byte.is_ascii_whitespace()).map_or(start, |last| last + 1);
            end = start;
        }
        start = char_start(text, start);
        let end = end.max(start);
        let at = sources.locate(Span { start: piece.base + start as u32, end: piece.base + end as u32 })?;

        let line_start = text[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let mut line_end =
            text[start..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |newline| start + newline);
        if line_end > start && text[line_end - 1] == b'\r' {
            line_end -= 1;
        }
        let end = end.min(line_end);

        let (from, to) = match line_end - line_start > WHOLE {
            true => (
                char_start(text, start.saturating_sub(BEFORE).max(line_start)),
                char_start(text, (start + FROM).min(line_end)),
            ),
            false => (line_start, line_end),
        };
        let end = end.min(to);
        let mut shown = Shown::default();
        shown.ellipsis(from > line_start);
        shown.bytes(&text[from..start]);
        let marked_start = shown.text.len();
        shown.bytes(&text[start..end]);
        let marked = marked_start..shown.text.len();
        shown.bytes(&text[end..to]);
        shown.ellipsis(to < line_end);
        let location =
            super::location(sources, Span { start: piece.base + start as u32, end: piece.base + end as u32 });
        Some(Excerpt { location, line: at.line, text: shown.text, marked })
    }
}

/// Where the UTF-8 character that holds this byte begins; the byte itself where the text is not UTF-8.
fn char_start(text: &[u8], at: usize) -> usize {
    let holds_it = |&start: &usize| {
        let bytes = &text[start..text.len().min(start + 4)];
        let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        valid.chars().next().is_some_and(|character| start + character.len_utf8() > at)
    };
    (at.saturating_sub(3)..at).find(holds_it).unwrap_or(at)
}

/// Text in the making.
#[derive(Default)]
struct Shown {
    text: String,
}

impl Shown {
    fn ellipsis(&mut self, cut: bool) {
        if cut {
            self.text.push_str("...");
        }
    }

    /// Tabs stay: the drawing library gives them and the caret under them the same width.
    fn bytes(&mut self, bytes: &[u8]) {
        for character in String::from_utf8_lossy(bytes).chars() {
            match character {
                '\t' => self.text.push('\t'),
                // The pictures of C0 control characters, `␀` and on.
                '\0'..='\x1f' => self.text.extend(char::from_u32(0x2400 + character as u32)),
                '\x7f' => self.text.push('\u{2421}'),
                _ if is_harmful(character) => self.text.push(char::REPLACEMENT_CHARACTER),
                _ => self.text.push(character),
            }
        }
    }
}
