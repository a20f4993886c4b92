//! A stream's next bytes as a stream.

use crate::algebra::through::{self, buffer_overrides};
use crate::algebra::{Buffered, Stream};
use std::io;

/// A bounded sub-stream. The outer source is not read once all is buffered.
///
/// ```
/// use riverhawk_stream::{Buffered, Ended, MemoryStream};
///
/// let mut stream = MemoryStream::new(b"12345;rest");
/// assert_eq!(stream.limited(3).take_up_to(b';')?.ended, Ended::AtEnd);
/// assert_eq!(stream.take_up_to(b';')?.bytes, b"45");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Limited<'s, S: ?Sized> {
    stream: &'s mut S,
    /// In the outer stream.
    end_offset: u64,
    /// An LF awaited by the outer stream belongs to an earlier line.
    awaited_lf: bool,
}

impl<'s, S: Buffered + ?Sized> Limited<'s, S> {
    /// The next `limit` bytes of `stream`.
    pub fn new(stream: &'s mut S, limit: u64) -> Self {
        let end_offset = stream.offset().saturating_add(limit);
        let awaited_lf = stream.awaits_lf();
        Self { stream, end_offset, awaited_lf }
    }

    /// The bytes left; more than 0 if the outer stream ended first.
    #[inline]
    pub fn remaining(&self) -> u64 {
        self.end_offset.saturating_sub(self.stream.offset())
    }

    fn has_all(&self) -> bool {
        self.visible() as u64 == self.remaining()
    }

    #[inline]
    fn visible(&self) -> usize {
        usize::try_from(self.remaining())
            .map_or(usize::MAX, |remaining| remaining)
            .min(self.stream.buffered().len())
    }
}

impl<S: Buffered + ?Sized> Stream for Limited<'_, S> {
    buffer_overrides!();

    fn up_to_end(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        through::up_to_end(self, out)
    }
}

impl<S: Buffered + ?Sized> Buffered for Limited<'_, S> {
    #[inline]
    fn buffered(&self) -> &[u8] {
        &self.stream.buffered()[..self.visible()]
    }

    fn fill(&mut self) -> io::Result<usize> {
        if self.has_all() {
            return Ok(0);
        }
        let before = self.stream.offset();
        let count = self.stream.fill()?;
        if count > 0 && std::mem::take(&mut self.awaited_lf) {
            self.end_offset = self.end_offset.saturating_add(self.stream.offset() - before);
        }
        Ok(count)
    }

    #[inline]
    fn consume(&mut self, count: usize) -> &[u8] {
        let count = count.min(self.visible());
        self.stream.consume(count)
    }

    fn offset(&self) -> u64 {
        self.stream.offset()
    }

    /// An LF after the limit stays.
    fn join_lf(&mut self) {
        if !self.has_all() {
            self.stream.join_lf();
        }
    }

    fn awaits_lf(&self) -> bool {
        !self.has_all() && self.stream.awaits_lf()
    }
}
