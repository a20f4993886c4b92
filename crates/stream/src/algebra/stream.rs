//! The trait `Stream`: one required operation, and defaults.
//!
//! The defaults are the specification: short, byte by byte, stateless. They never take too much.

use super::adapt::{Collect, Concat, Reject, Select};
use super::{ByteSet, Ended, Pattern, Sink, SourceStream, StreamSource, Undelivered};
use std::io;

/// On the stack.
const BLOCK: usize = 8 * 1024;

/// A stream of bytes.
///
/// **End and "not yet".** The end of input is a value (0, `None`, `false`, [`Ended::AtEnd`]) and
/// found again by each call, so a growing file continues. Without bytes *yet*, a source fails with
/// [`io::ErrorKind::WouldBlock`].
///
/// **Nothing is lost.** Bytes before an error are in `out` or the stream; repeat the call with the
/// same `out` (and [`Pattern`]). Interrupted reads are retried.
///
/// ```
/// use riverhawk_stream::{Ended, MemoryStream, Stream};
///
/// let mut stream = MemoryStream::new(b"key=value");
/// let mut key = Vec::new();
/// assert_eq!(stream.up_to(b'=', &mut key)?, Ended::AtDelimiter);
/// let mut value = Vec::new();
/// stream.up_to_end(&mut value)?;
/// assert_eq!((&key[..], &value[..]), (&b"key"[..], &b"value"[..]));
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Stream {
    /// The first primitive: reads what is available; returns the bytes read, 0 only at the end (or
    /// for an empty buffer).
    ///
    /// # Errors
    /// Any; then no byte is taken.
    fn read_into(&mut self, buffer: &mut [u8]) -> io::Result<usize>;

    /// The second primitive: hands at most `limit` available bytes to `sink` in one block; returns
    /// how many, 0 only at the end.
    ///
    /// # Errors
    /// The stream's or the sink's. Bytes refused by the sink stay in the buffer or, without one, in
    /// [`Undelivered`].
    fn copy_to(&mut self, limit: usize, sink: &mut dyn Sink) -> io::Result<usize> {
        let mut block = [0; BLOCK];
        let room = limit.min(BLOCK);
        let count = read_some(self, &mut block[..room])?;
        let mut rest = &block[..count];
        sink.put_rest(&mut rest).map_err(|error| Undelivered::wrap(rest, error))?;
        Ok(count)
    }

    /// The next byte, `None` at the end.
    ///
    /// # Errors
    /// The stream's.
    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        let mut byte = [0];
        Ok((read_some(self, &mut byte)? == 1).then_some(byte[0]))
    }

    /// Appends exactly `count` bytes to `out`.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if there are fewer; the stream's. `out` keeps what came.
    fn read_exact(&mut self, count: usize, out: &mut Vec<u8>) -> io::Result<()> {
        let mut missing = count;
        let mut block = [0; BLOCK];
        while missing > 0 {
            let got = read_some(self, &mut block[..missing.min(BLOCK)])?;
            if got == 0 {
                return Err(too_short(count, missing));
            }
            out.extend_from_slice(&block[..got]);
            missing -= got;
        }
        Ok(())
    }

    /// Appends everything before the next `byte`, and drops that.
    ///
    /// # Errors
    /// The stream's.
    fn up_to(&mut self, byte: u8, out: &mut Vec<u8>) -> io::Result<Ended> {
        while let Some(next) = self.next_byte()? {
            if next == byte {
                return Ok(Ended::AtDelimiter);
            }
            out.push(next);
        }
        Ok(Ended::AtEnd)
    }

    /// Appends everything before the next byte of `set`, and returns that byte; `None` at the end
    /// of input.
    ///
    /// # Errors
    /// The stream's.
    fn up_to_any(&mut self, set: &ByteSet, out: &mut Vec<u8>) -> io::Result<Option<u8>> {
        while let Some(next) = self.next_byte()? {
            if set.contains(next) {
                return Ok(Some(next));
            }
            out.push(next);
        }
        Ok(None)
    }

    /// Appends everything before the next `pattern`, and drops that. Bytes that may begin one stay
    /// in the pattern. The empty pattern is found at once.
    ///
    /// # Errors
    /// The stream's; continue with the same pattern, or take [`Pattern::held`] and
    /// [`Pattern::reset`] it.
    fn up_to_all(&mut self, pattern: &mut Pattern, out: &mut Vec<u8>) -> io::Result<Ended> {
        if pattern.is_empty() {
            return Ok(Ended::AtDelimiter);
        }
        while let Some(next) = self.next_byte()? {
            if pattern.step(next, &mut |passed| out.extend_from_slice(passed)) {
                return Ok(Ended::AtDelimiter);
            }
        }
        out.extend_from_slice(pattern.held());
        pattern.reset();
        Ok(Ended::AtEnd)
    }

    /// Appends the rest of the input; returns its length.
    ///
    /// # Errors
    /// The stream's; `out` keeps what came.
    fn up_to_end(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        let before = out.len();
        let mut block = [0; BLOCK];
        loop {
            match read_some(self, &mut block)? {
                0 => return Ok(out.len() - before),
                count => out.extend_from_slice(&block[..count]),
            }
        }
    }

    /// Drops `count` bytes, fewer at the end of input; returns how many.
    ///
    /// # Errors
    /// The stream's; only an [offset](super::Buffered::offset) shows how many were dropped.
    fn skip(&mut self, count: u64) -> io::Result<u64> {
        let mut left = count;
        let mut block = [0; BLOCK];
        while left > 0 {
            match read_some(self, &mut block[..left.min(BLOCK as u64) as usize])? {
                0 => break,
                got => left -= got as u64,
            }
        }
        Ok(count - left)
    }

    /// Drops everything up to the next `byte`, included; false if there is none.
    ///
    /// # Errors
    /// The stream's.
    fn skip_to(&mut self, byte: u8) -> io::Result<bool> {
        while let Some(next) = self.next_byte()? {
            if next == byte {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Drops everything up to the next `pattern`, included; false if there is none.
    ///
    /// # Errors
    /// The stream's; continue with the same pattern.
    fn skip_to_all(&mut self, pattern: &mut Pattern) -> io::Result<bool> {
        if pattern.is_empty() {
            return Ok(true);
        }
        while let Some(next) = self.next_byte()? {
            if pattern.step(next, &mut |_| ()) {
                return Ok(true);
            }
        }
        pattern.reset();
        Ok(false)
    }

    /// Hands the rest of the input to `sink`; returns its length.
    ///
    /// # Errors
    /// As for [`copy_to`](Self::copy_to).
    fn copy_all(&mut self, sink: &mut dyn Sink) -> io::Result<u64> {
        let mut total = 0;
        loop {
            match self.copy_to(usize::MAX, sink)? {
                0 => return Ok(total),
                count => total += count as u64,
            }
        }
    }

    /// This stream, then `next`.
    fn then<T: Stream>(self, next: T) -> Concat<Self, T>
    where
        Self: Sized,
    {
        Concat::new(self, next)
    }

    /// The bytes for which `keep` is true.
    fn select<F: FnMut(u8) -> bool>(self, keep: F) -> Select<Self, F>
    where
        Self: Sized,
    {
        Select::new(self, keep)
    }

    /// The bytes for which `drop` is false.
    fn reject<F: FnMut(u8) -> bool>(self, drop: F) -> Reject<Self, F>
    where
        Self: Sized,
    {
        Reject::new(self, drop)
    }

    /// The bytes changed by `change`.
    fn collect<F: FnMut(u8) -> u8>(self, change: F) -> Collect<Self, F>
    where
        Self: Sized,
    {
        Collect::new(self, change)
    }

    /// Adds one byte of look-ahead, read on demand.
    fn peekable(self) -> SourceStream<StreamSource<Self>>
    where
        Self: Sized + Send,
    {
        self.buffered_by(1)
    }

    /// Adds a buffer of `size` bytes ([`Buffered`](super::Buffered)).
    fn buffered_by(self, size: usize) -> SourceStream<StreamSource<Self>>
    where
        Self: Sized + Send,
    {
        SourceStream::with_window(StreamSource::new(self), size)
    }
}

pub(super) fn read_some<S: Stream + ?Sized>(
    stream: &mut S,
    buffer: &mut [u8],
) -> io::Result<usize> {
    loop {
        match stream.read_into(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cold]
pub(super) fn too_short(wanted: usize, missing: usize) -> io::Error {
    let message =
        format!("the input ended {missing} bytes before the {wanted} that were asked for");
    io::Error::new(io::ErrorKind::UnexpectedEof, message)
}
