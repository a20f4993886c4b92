//! A stream that copies what it reads.

use crate::algebra::through::{self, buffer_overrides};
use crate::algebra::{Buffered, Sink, Stream};
use std::io;

/// Copies what is read to a sink, once and in order ([`Buffered::tee`]).
///
/// The sink gets bytes when they are buffered, ahead of the reader. What it refuses cannot be read;
/// the next call offers it again.
#[derive(Debug)]
pub struct Tee<S, K> {
    stream: S,
    sink: K,
    /// Buffered bytes that the sink has.
    passed: usize,
    drops_lf: bool,
}

impl<S: Buffered, K: Sink> Tee<S, K> {
    pub(in crate::algebra) fn new(stream: S, sink: K) -> Self {
        Self { stream, sink, passed: 0, drops_lf: false }
    }

    /// The sink.
    pub fn sink(&self) -> &K {
        &self.sink
    }

    /// Both parts. Bytes ahead of the reader are still in the stream.
    pub fn into_parts(self) -> (S, K) {
        (self.stream, self.sink)
    }
}

impl<S: Buffered, K: Sink> Stream for Tee<S, K> {
    buffer_overrides!();

    fn up_to_end(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        through::up_to_end(self, out)
    }
}

impl<S: Buffered, K: Sink> Buffered for Tee<S, K> {
    #[inline]
    fn buffered(&self) -> &[u8] {
        &self.stream.buffered()[..self.passed]
    }

    fn fill(&mut self) -> io::Result<usize> {
        while self.stream.buffered().len() == self.passed {
            if self.stream.fill()? == 0 {
                return Ok(0);
            }
        }
        let mut fresh = &self.stream.buffered()[self.passed..];
        let offered = fresh.len();
        let result = self.sink.put_rest(&mut fresh);
        let count = offered - fresh.len();
        if count == 0 {
            return result.map(|()| 0);
        }
        self.passed += count;
        if self.drops_lf {
            self.drops_lf = false;
            if self.buffered().first() == Some(&b'\n') {
                self.consume(1);
            }
        }
        Ok(count)
    }

    #[inline]
    fn consume(&mut self, count: usize) -> &[u8] {
        let count = count.min(self.passed);
        self.passed -= count;
        self.stream.consume(count)
    }

    fn offset(&self) -> u64 {
        self.stream.offset()
    }

    /// The sink gets that LF.
    fn join_lf(&mut self) {
        self.drops_lf = true;
    }

    fn awaits_lf(&self) -> bool {
        self.drops_lf
    }
}
