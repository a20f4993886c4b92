//! Small pieces gathered into blocks.

use super::Sink;
use std::io;

/// The usual block, in bytes: larger ones gained nothing on files or pipes, and it stays in the
/// first-level cache with what fills it.
const BLOCK: usize = 64 * 1024;

/// Gathers what is put into blocks for another sink. A piece as large as a block goes through
/// without a copy.
///
/// Nothing is written when this is dropped, because nobody would hear of the error: end with
/// [`finish`](Self::finish).
#[derive(Debug)]
#[must_use = "what has been gathered is written by `finish`"]
pub struct BlockSink<K> {
    sink: K,
    /// Bytes before `sent` have been taken by the sink.
    block: Vec<u8>,
    sent: usize,
    size: usize,
}

impl<K: Sink> BlockSink<K> {
    /// Gathers blocks of 64 KiB for `sink`.
    pub fn new(sink: K) -> Self {
        Self::with_size(sink, BLOCK)
    }

    /// Gathers blocks of `size` bytes (at least 1).
    pub fn with_size(sink: K, size: usize) -> Self {
        Self { sink, block: Vec::new(), sent: 0, size: size.max(1) }
    }

    /// What has been gathered and not been handed on.
    pub fn pending(&self) -> &[u8] {
        &self.block[self.sent..]
    }

    /// Hands everything on and gives the sink back.
    ///
    /// # Errors
    /// Those of the sink, with this one, so that nothing is lost.
    pub fn finish(mut self) -> Result<K, (Self, io::Error)> {
        match self.flush() {
            Ok(()) => Ok(self.sink),
            Err(error) => Err((self, error)),
        }
    }

    fn send(&mut self) -> io::Result<()> {
        let mut rest = &self.block[self.sent..];
        let result = self.sink.put_rest(&mut rest);
        self.sent = self.block.len() - rest.len();
        if rest.is_empty() {
            self.block.clear();
            self.sent = 0;
        }
        result
    }
}

impl<K: Sink> Sink for BlockSink<K> {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        if self.block.len() == self.size {
            self.send()?;
        }
        if self.block.is_empty() {
            if block.len() >= self.size {
                return self.sink.put(block);
            }
            self.block.try_reserve_exact(self.size).map_err(|_| io::ErrorKind::OutOfMemory)?;
        }
        let count = block.len().min(self.size - self.block.len());
        self.block.extend_from_slice(&block[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()?;
        self.sink.flush()
    }
}
