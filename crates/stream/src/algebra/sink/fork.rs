//! Two sinks in one.

use super::Sink;
use std::io;

/// Writes to two sinks.
///
/// The second takes what the first has taken. If it fails or takes less, it alone gets the rest
/// when that is put again.
#[derive(Debug)]
pub struct TeeSink<A, B> {
    first: A,
    second: B,
    /// Bytes of the next block that the first sink has.
    ahead: usize,
}

impl<A: Sink, B: Sink> TeeSink<A, B> {
    /// Puts everything into `first` and `second`.
    pub fn new(first: A, second: B) -> Self {
        Self { first, second, ahead: 0 }
    }

    /// Both sinks.
    pub fn into_parts(self) -> (A, B) {
        (self.first, self.second)
    }
}

impl<A: Sink, B: Sink> Sink for TeeSink<A, B> {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        if self.ahead == 0 {
            self.ahead = self.first.put(block)?.min(block.len());
        }
        let count = self.second.put(&block[..self.ahead.min(block.len())])?.min(self.ahead);
        self.ahead -= count;
        Ok(count)
    }

    fn retry(&mut self, error: io::Error) -> io::Result<()> {
        if self.ahead == 0 { self.first.retry(error) } else { self.second.retry(error) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.first.flush()?;
        self.second.flush()
    }
}
