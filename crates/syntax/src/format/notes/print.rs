//! Prints comments where they were.

use super::super::Printer;
use super::has_empty_line;
use crate::ast::Span;

impl Printer<'_> {
    pub(in crate::format) fn comments_before(&mut self, end: u32) {
        while let Some(note) = self.notes.next_before(end) {
            self.blank_line(note.start);
            self.margin(None);
            self.comment(note);
            self.text("\n");
            self.written_to = note.end;
        }
    }

    /// Prints an empty line if the source has one before `next`, but never right after a brace.
    pub(in crate::format) fn blank_line(&mut self, next: u32) {
        let span = Span { start: self.written_to.min(next), end: next };
        let gap = self.source.slice(span);
        let after_brace = self.out.ends_with(b"{\n");
        if self.layout.keep_blank_lines && !after_brace && has_empty_line(gap) {
            self.text("\n");
        }
    }

    pub(in crate::format) fn behind(&mut self, end: u32, next: u32) {
        let Some(note) = self.notes.peek().filter(|note| (end..next).contains(&note.start)) else {
            return;
        };
        let gap = self.source.slice(Span { start: end, end: note.start });
        if gap.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b';')) {
            self.notes.at += 1;
            self.text("\t");
            self.comment(note);
            self.written_to = note.end;
        }
    }

    pub(in crate::format) fn comment(&mut self, note: Span) {
        let text = self.source.slice(note).trim_ascii_end();
        self.out.extend_from_slice(text);
    }
}
