//! Memory and standard readers as sources.

use super::{Room, Source};
use std::io::{self, Read};

/// A text in memory.
#[derive(Debug)]
pub struct MemorySource {
    text: Vec<u8>,
    at: usize,
}

impl MemorySource {
    /// Reads `text` from its beginning.
    pub fn new(text: impl Into<Vec<u8>>) -> Self {
        Self { text: text.into(), at: 0 }
    }
}

impl Source for MemorySource {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        let count = room.append(&self.text[self.at..]);
        self.at += count;
        Ok(count)
    }

    fn remaining(&self) -> Option<usize> {
        Some(self.text.len() - self.at)
    }
}

/// Any [`Read`]. For descriptors use [`FdSource`](super::FdSource), which needs no cleared memory.
#[derive(Debug)]
pub struct ReadSource<R>(R);

impl<R: Read + Send> ReadSource<R> {
    /// Reads from `reader`.
    pub fn new(reader: R) -> Self {
        Self(reader)
    }
}

impl<R: Read + Send> Source for ReadSource<R> {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        room.read_from(&mut self.0)
    }
}
