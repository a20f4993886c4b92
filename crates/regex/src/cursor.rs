//! A cursor over the bytes of a pattern.

use crate::Error;
use crate::classes::Dialect;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatternUnit {
    /// In byte mode the code point is the byte's value.
    Char(char),
    /// Not part of a valid character (UTF-8 mode only).
    Byte(u8),
}

pub(crate) struct PatternCursor<'a> {
    pub bytes: &'a [u8],
    /// For each byte and the end, its index in the original pattern.
    pub came_from: &'a [usize],
    pub pos: usize,
    pub dialect: Dialect,
}

impl PatternCursor<'_> {
    pub(crate) fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    pub(crate) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.pos + ahead).copied()
    }

    pub(crate) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.pos += usize::from(found);
        found
    }

    pub(crate) fn error(&self, at: usize, message: impl Into<String>) -> Error {
        Error::new(self.came_from[at.min(self.came_from.len() - 1)], message)
    }

    /// The unit at `at`, which is inside the pattern, and its length in bytes.
    pub(crate) fn unit_at(&self, at: usize) -> (PatternUnit, usize) {
        let first = self.bytes[at];
        if first < 0x80 || self.dialect.bytes {
            return (PatternUnit::Char(char::from(first)), 1);
        }
        let ahead = &self.bytes[at..self.bytes.len().min(at + 4)];
        match ahead.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()) {
            Some(found) => (PatternUnit::Char(found), found.len_utf8()),
            None => (PatternUnit::Byte(first), 1),
        }
    }
}
