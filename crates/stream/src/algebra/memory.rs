//! Bytes in memory as a stream.

use super::ahead::Ahead;
use super::through::{self, buffer_overrides};
use super::{Buffered, Stream};
use std::io;

/// Reads a slice without allocating or copying.
#[derive(Debug, Clone)]
pub struct MemoryStream<'t> {
    rest: &'t [u8],
    offset: u64,
    ahead: Ahead,
}

impl<'t> MemoryStream<'t> {
    /// Reads `text`.
    pub fn new(text: &'t (impl AsRef<[u8]> + ?Sized)) -> Self {
        Self { rest: text.as_ref(), offset: 0, ahead: Ahead::default() }
    }

    /// The rest, which may outlive this stream.
    #[inline]
    pub fn rest(&self) -> &'t [u8] {
        self.rest
    }
}

impl Stream for MemoryStream<'_> {
    buffer_overrides!();

    fn up_to_end(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        through::up_to_end(self, out)
    }
}

impl Buffered for MemoryStream<'_> {
    #[inline]
    fn buffered(&self) -> &[u8] {
        self.rest()
    }

    #[inline]
    fn fill(&mut self) -> io::Result<usize> {
        Ok(0)
    }

    #[inline]
    fn consume(&mut self, count: usize) -> &[u8] {
        let (taken, rest) = self.rest.split_at_checked(count).unwrap_or((self.rest, &[]));
        self.rest = rest;
        self.offset += taken.len() as u64;
        taken
    }

    fn offset(&self) -> u64 {
        self.offset
    }

    #[inline]
    fn find_buffered(&mut self, byte: u8) -> Option<usize> {
        self.ahead.find(byte, self.rest, || self.offset)
    }

    /// Nothing arrives later.
    fn join_lf(&mut self) {}

    fn awaits_lf(&self) -> bool {
        false
    }
}
