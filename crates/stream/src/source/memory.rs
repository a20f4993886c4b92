//! Memory and standard readers as sources.

use super::{Room, Source};
use std::io::{self, Read};

/// A text in memory.
#[derive(Debug)]
pub struct MemorySource<T = Vec<u8>> {
    text: T,
    at: usize,
}

impl MemorySource {
    /// Reads `text` from its beginning.
    pub fn new(text: impl Into<Vec<u8>>) -> Self {
        Self::of(text.into())
    }
}

impl<T: AsRef<[u8]>> MemorySource<T> {
    /// Reads a text of any owner, which is not copied: `Arc<[u8]>`, `&'static [u8]`.
    pub fn of(text: T) -> Self {
        Self { text, at: 0 }
    }
}

impl<T: AsRef<[u8]> + Send> Source for MemorySource<T> {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        let count = room.append(self.text.as_ref().get(self.at..).unwrap_or_default());
        self.at += count;
        Ok(count)
    }

    fn remaining(&self) -> Option<usize> {
        Some(self.text.as_ref().len().saturating_sub(self.at))
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
