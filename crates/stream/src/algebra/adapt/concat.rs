//! One stream, then another.

use crate::algebra::{ByteSet, Ended, Sink, Stream};
use std::io;

/// Two streams one after the other ([`Stream::then`]).
///
/// A byte is searched in the parts, at their speed. A pattern may cross the joint, so it is
/// searched byte by byte; [`Stream::buffered_by`] makes that fast.
#[derive(Debug)]
pub struct Concat<A, B> {
    first: A,
    second: B,
    is_first_done: bool,
}

impl<A, B> Concat<A, B> {
    pub(in crate::algebra) fn new(first: A, second: B) -> Self {
        Self { first, second, is_first_done: false }
    }
}

impl<A: Stream, B: Stream> Concat<A, B> {
    fn in_turn<T>(
        &mut self,
        mut work: impl FnMut(&mut dyn Stream) -> io::Result<T>,
        is_end: impl Fn(&T) -> bool,
    ) -> io::Result<T> {
        if !self.is_first_done {
            let result = work(&mut self.first)?;
            if !is_end(&result) {
                return Ok(result);
            }
            self.is_first_done = true;
        }
        work(&mut self.second)
    }
}

impl<A: Stream, B: Stream> Stream for Concat<A, B> {
    fn read_into(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        self.in_turn(|part| part.read_into(buffer), |&count| count == 0)
    }

    fn copy_to(&mut self, limit: usize, sink: &mut dyn Sink) -> io::Result<usize> {
        if limit == 0 {
            return Ok(0);
        }
        self.in_turn(|part| part.copy_to(limit, sink), |&count| count == 0)
    }

    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        self.in_turn(|part| part.next_byte(), Option::is_none)
    }

    fn up_to(&mut self, byte: u8, out: &mut Vec<u8>) -> io::Result<Ended> {
        self.in_turn(|part| part.up_to(byte, out), |&ended| ended == Ended::AtEnd)
    }

    fn up_to_any(&mut self, set: &ByteSet, out: &mut Vec<u8>) -> io::Result<Option<u8>> {
        self.in_turn(|part| part.up_to_any(set, out), Option::is_none)
    }

    fn up_to_end(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        let before = out.len();
        self.in_turn(|part| part.up_to_end(out), |_| true)?;
        Ok(out.len() - before)
    }

    fn skip_to(&mut self, byte: u8) -> io::Result<bool> {
        self.in_turn(|part| part.skip_to(byte), |&found| !found)
    }
}
