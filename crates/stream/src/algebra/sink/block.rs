//! Small pieces gathered into blocks.

use super::{FlushRule, OUTPUT_BLOCK, OutputBuffer, Sink};
use std::io;

/// Gathers pieces into blocks for another sink. Pieces as large as a block are not copied.
///
/// Dropping it writes nothing, since an error would be lost: use [`finish`](Self::finish).
#[derive(Debug)]
#[must_use = "what has been gathered is written by `finish`"]
pub struct BlockSink<K> {
    sink: K,
    buffer: OutputBuffer,
}

impl<K: Sink> BlockSink<K> {
    /// Gathers blocks of 64 KiB for `sink`.
    pub fn new(sink: K) -> Self {
        Self::with_size(sink, OUTPUT_BLOCK)
    }

    /// Gathers blocks of `size` bytes; 0 and 1 gather nothing.
    pub fn with_size(sink: K, size: usize) -> Self {
        Self { sink, buffer: OutputBuffer::new(size, FlushRule::WhenFull) }
    }

    /// Bytes gathered but not written.
    pub fn pending(&self) -> &[u8] {
        self.buffer.pending()
    }

    /// Writes everything and returns the sink.
    ///
    /// # Errors
    /// The sink's, with this one, so that nothing is lost.
    pub fn finish(mut self) -> Result<K, (Self, io::Error)> {
        match self.flush() {
            Ok(()) => Ok(self.sink),
            Err(error) => Err((self, error)),
        }
    }
}

impl<K: Sink> Sink for BlockSink<K> {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        if block.len() >= self.buffer.size() {
            self.buffer.flush(&mut self.sink)?;
            return self.sink.put(block); // what it does not take stays the caller's
        }
        self.buffer.write(block, &mut self.sink)?;
        Ok(block.len())
    }

    fn retry(&mut self, error: io::Error) -> io::Result<()> {
        self.sink.retry(error)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.buffer.flush(&mut self.sink)?;
        self.sink.flush()
    }
}
