//! Sinks that copy, count or forget.

use super::Sink;
use std::io;

/// Puts everything into two sinks.
///
/// The second takes what the first has taken. If it fails or takes less, it alone gets the rest
/// when the caller puts it again.
#[derive(Debug)]
pub struct TeeSink<A, B> {
    first: A,
    second: B,
    /// How many bytes of the next block the first sink has had.
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

/// Counts the bytes that another sink takes.
#[derive(Debug)]
pub struct CountingSink<K> {
    sink: K,
    count: u64,
}

impl<K: Sink> CountingSink<K> {
    /// Puts everything into `sink`.
    pub fn new(sink: K) -> Self {
        Self { sink, count: 0 }
    }

    /// How many bytes it has taken.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sink.
    pub fn into_inner(self) -> K {
        self.sink
    }
}

impl<K: Sink> Sink for CountingSink<K> {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        let count = self.sink.put(block)?;
        self.count += count as u64;
        Ok(count)
    }

    fn retry(&mut self, error: io::Error) -> io::Result<()> {
        self.sink.retry(error)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// Takes everything and keeps nothing.
#[derive(Debug, Default, Clone, Copy)]
pub struct NullSink;

impl Sink for NullSink {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        Ok(block.len())
    }
}
