//! Comments, and where they are printed.

mod print;

use crate::ast::{Program, Span};

pub(super) struct Notes {
    /// By position, since included files are read in another order.
    comments: Vec<Span>,
    at: usize,
}

impl Notes {
    pub(super) fn new(program: &Program) -> Notes {
        let mut comments = program.comments.clone();
        comments.sort_by_key(|comment| comment.start);
        Notes { comments, at: 0 }
    }

    pub(super) fn go_to(&mut self, offset: u32) {
        self.at = self.comments.partition_point(|comment| comment.start < offset);
    }

    pub(super) fn next_before(&mut self, end: u32) -> Option<Span> {
        let next = self.peek().filter(|next| next.start < end)?;
        self.at += 1;
        Some(next)
    }

    fn peek(&self) -> Option<Span> {
        self.comments.get(self.at).copied()
    }
}

fn has_empty_line(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n').skip(1).peekable();
    while let Some(line) = lines.next() {
        if lines.peek().is_some() && line.trim_ascii().is_empty() {
            return true;
        }
    }
    false
}
