//! Streams that select or change bytes of another.

use crate::algebra::Stream;
use std::io;

/// The bytes that a predicate selects ([`Stream::select`]).
#[derive(Debug)]
pub struct Select<S, F> {
    stream: S,
    keep: F,
}

/// The bytes that a predicate does not reject ([`Stream::reject`]).
#[derive(Debug)]
pub struct Reject<S, F> {
    stream: S,
    drop: F,
}

/// Each byte, changed ([`Stream::collect`]).
#[derive(Debug)]
pub struct Collect<S, F> {
    stream: S,
    change: F,
}

impl<S, F> Select<S, F> {
    pub(in crate::algebra) fn new(stream: S, keep: F) -> Self {
        Self { stream, keep }
    }
}

impl<S, F> Reject<S, F> {
    pub(in crate::algebra) fn new(stream: S, drop: F) -> Self {
        Self { stream, drop }
    }
}

impl<S, F> Collect<S, F> {
    pub(in crate::algebra) fn new(stream: S, change: F) -> Self {
        Self { stream, change }
    }
}

/// Reads until something passes, which moves to the front of `buffer`.
fn read_passing<S: Stream>(
    stream: &mut S,
    buffer: &mut [u8],
    mut passes: impl FnMut(u8) -> bool,
) -> io::Result<usize> {
    loop {
        let count = stream.read_into(buffer)?;
        let mut kept = 0;
        for at in 0..count {
            let byte = buffer[at];
            buffer[kept] = byte;
            kept += usize::from(passes(byte));
        }
        if kept > 0 || count == 0 {
            return Ok(kept);
        }
    }
}

impl<S: Stream, F: FnMut(u8) -> bool> Stream for Select<S, F> {
    fn read_into(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        read_passing(&mut self.stream, buffer, &mut self.keep)
    }
}

impl<S: Stream, F: FnMut(u8) -> bool> Stream for Reject<S, F> {
    fn read_into(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        read_passing(&mut self.stream, buffer, |byte| !(self.drop)(byte))
    }
}

impl<S: Stream, F: FnMut(u8) -> u8> Stream for Collect<S, F> {
    fn read_into(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read_into(buffer)?;
        for byte in &mut buffer[..count] {
            *byte = (self.change)(*byte);
        }
        Ok(count)
    }
}
