//! Comments, and where they are printed.

use super::Printer;
use crate::ast::{Program, Span};

/// The comments that have not been printed, in order.
pub(super) struct Notes {
    /// By their place in the text: those of files that are included are read in another order.
    comments: Vec<Span>,
    at: usize,
}

impl Notes {
    pub fn new(program: &Program) -> Notes {
        let mut comments = program.comments.clone();
        comments.sort_by_key(|comment| comment.start);
        Notes { comments, at: 0 }
    }

    /// The next comment is the first from here on.
    pub fn go_to(&mut self, offset: u32) {
        self.at = self.comments.partition_point(|comment| comment.start < offset);
    }

    /// The next comment, if it begins before `end`; it counts as printed.
    pub fn next_before(&mut self, end: u32) -> Option<Span> {
        let next = self.peek().filter(|next| next.start < end)?;
        self.at += 1;
        Some(next)
    }

    fn peek(&self) -> Option<Span> {
        self.comments.get(self.at).copied()
    }
}

impl Printer<'_> {
    /// Comments that begin before `end`, a line each.
    pub(super) fn comments_before(&mut self, end: u32) {
        while let Some(note) = self.notes.next_before(end) {
            self.blank_line(note.start);
            self.margin(None);
            self.comment(note);
            self.text("\n");
            self.written_to = note.end;
        }
    }

    /// An empty line, if one stands before `next` and is to stay, except right behind a brace.
    pub(super) fn blank_line(&mut self, next: u32) {
        let span = Span { start: self.written_to.min(next), end: next };
        let gap = self.source.slice(span);
        let after_brace = self.out.ends_with(b"{\n");
        if self.layout.keep_blank_lines && !after_brace && has_empty_line(gap) {
            self.text("\n");
        }
    }

    /// The comment that stands behind what ends at `end`, on the same line and before `next`, if
    /// there is one.
    pub(super) fn behind(&mut self, end: u32, next: u32) {
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

    pub(super) fn comment(&mut self, note: Span) {
        let text = self.source.slice(note).trim_ascii_end();
        self.out.extend_from_slice(text);
    }
}

/// Whether a line in the middle of a text has nothing but blanks.
fn has_empty_line(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').skip(1).peekable();
    while let Some(line) = lines.next() {
        if lines.peek().is_some() && line.trim_ascii().is_empty() {
            return true;
        }
    }
    false
}
