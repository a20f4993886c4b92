//! Streams with their next bytes in memory.

use super::adapt::{Limited, Tee};
use super::{ByteSet, Cut, Pattern, Sink, Stream};
use std::io;

/// Why a piece ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// At a delimiter, which was taken.
    AtDelimiter,
    /// At the end of input.
    AtEnd,
}

/// A piece of the buffer, valid until the next call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken<'a> {
    /// The bytes, without the delimiter.
    pub bytes: &'a [u8],
    /// What followed.
    pub ended: Ended,
}

impl Taken<'_> {
    /// Whether nothing was left.
    pub fn is_end(&self) -> bool {
        self.ended == Ended::AtEnd && self.bytes.is_empty()
    }
}

/// A stream with its next bytes in memory.
///
/// The `take_` operations lend pieces of the buffer, which grows with them: use
/// [`limited`](Self::limited) for untrusted input. After an error ([`io::ErrorKind::WouldBlock`]
/// included) the bytes are still buffered. For long pieces that are polled for, [`Stream::up_to`]
/// searches no byte twice.
pub trait Buffered: Stream {
    /// Bytes read but not taken.
    fn buffered(&self) -> &[u8];

    /// Reads once, after the [buffered](Self::buffered) bytes; returns the bytes read, 0 only at
    /// the end. Drops a line feed by [`join_lf`](Self::join_lf).
    ///
    /// # Errors
    /// The source's; nothing changes. Interruptions are retried.
    fn fill(&mut self) -> io::Result<usize>;

    /// Takes `count` buffered bytes, or all, and lends them.
    fn consume(&mut self, count: usize) -> &[u8];

    /// The bytes taken so far.
    fn offset(&self) -> u64;

    /// The caller takes the last buffered CR as a line end: an LF that arrives next is dropped. So
    /// a line is delivered before the byte after it exists.
    fn join_lf(&mut self);

    /// Whether an LF that arrives next will be dropped.
    fn awaits_lf(&self) -> bool;

    /// The next byte, not taken; `None` at the end.
    ///
    /// # Errors
    /// The source's.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.look()?.first().copied())
    }

    /// The buffered bytes, after a read if there were none; empty only at the end.
    ///
    /// # Errors
    /// The source's.
    #[inline]
    fn look(&mut self) -> io::Result<&[u8]> {
        while self.buffered().is_empty() {
            if self.fill()? == 0 {
                break;
            }
        }
        // `self.buffered()` would lend from this function.
        Ok((*self).buffered())
    }

    /// The number of buffered bytes before `byte`, if it is buffered.
    #[inline]
    fn find_buffered(&mut self, byte: u8) -> Option<usize> {
        memchr::memchr(byte, (*self).buffered())
    }

    /// Takes everything before the next `byte`, and drops that.
    ///
    /// # Errors
    /// The source's; nothing is taken then.
    #[inline]
    fn take_up_to(&mut self, byte: u8) -> io::Result<Taken<'_>> {
        let length = match self.find_buffered(byte) {
            Some(length) => length,
            None => match read_up_to(self, byte)? {
                Some(length) => length,
                None => {
                    let length = (*self).buffered().len();
                    return Ok(Taken { bytes: self.consume(length), ended: Ended::AtEnd });
                }
            },
        };
        Ok(Taken { bytes: &self.consume(length + 1)[..length], ended: Ended::AtDelimiter })
    }

    /// Takes everything before the next byte of `set`, and that byte, `None` at the end of input.
    ///
    /// # Errors
    /// The source's; nothing is taken then.
    fn take_up_to_any(&mut self, set: &ByteSet) -> io::Result<(&[u8], Option<u8>)> {
        let mut searched = 0;
        loop {
            if let Some(at) = set.find(&self.buffered()[searched..]) {
                let length = searched + at;
                let piece = self.consume(length + 1);
                return Ok((&piece[..length], Some(piece[length])));
            }
            searched = self.buffered().len();
            if self.fill()? == 0 {
                return Ok((self.consume(searched), None));
            }
        }
    }

    /// Takes everything before the next `pattern`, and drops that. Bytes held in the pattern are
    /// ignored.
    ///
    /// # Errors
    /// The source's; nothing is taken then.
    fn take_up_to_all(&mut self, pattern: &Pattern) -> io::Result<Taken<'_>> {
        if let Some(length) = self.look_for_all(pattern)? {
            let piece = self.consume(length + pattern.len());
            return Ok(Taken { bytes: &piece[..length], ended: Ended::AtDelimiter });
        }
        let length = (*self).buffered().len();
        Ok(Taken { bytes: self.consume(length), ended: Ended::AtEnd })
    }

    /// The number of bytes before the next `pattern`, which is buffered then; `None` if there is
    /// none. Takes nothing, so a piece found within a [limit](Self::limited) can be taken from this
    /// stream.
    ///
    /// # Errors
    /// The source's.
    fn look_for_all(&mut self, pattern: &Pattern) -> io::Result<Option<usize>> {
        let mut searched = 0;
        loop {
            if let Some(at) = pattern.find(&(*self).buffered()[searched..]) {
                return Ok(Some(searched + at));
            }
            // An occurrence may be split.
            searched = ((*self).buffered().len() + 1).saturating_sub(pattern.len());
            if self.fill()? == 0 {
                return Ok(None);
            }
        }
    }

    /// The next line, ended by LF, CR or CRLF; delivered at its first end byte.
    ///
    /// # Errors
    /// The source's; nothing is taken then.
    fn take_line(&mut self) -> io::Result<Taken<'_>> {
        let mut searched = 0;
        loop {
            if let Some(at) = memchr::memchr2(b'\n', b'\r', &self.buffered()[searched..]) {
                return Ok(finish_line(self, searched + at));
            }
            searched = self.buffered().len();
            if self.fill()? == 0 {
                return Ok(Taken { bytes: self.consume(searched), ended: Ended::AtEnd });
            }
        }
    }

    /// The next `count` bytes, fewer only at the end.
    ///
    /// # Errors
    /// The source's; nothing is taken then.
    fn take_exact(&mut self, count: usize) -> io::Result<Taken<'_>> {
        while self.buffered().len() < count {
            if self.fill()? == 0 {
                return Ok(Taken { bytes: self.consume(count), ended: Ended::AtEnd });
            }
        }
        Ok(Taken { bytes: self.consume(count), ended: Ended::AtDelimiter })
    }

    /// Appends the next line to `out`, without buffering it.
    ///
    /// # Errors
    /// The source's; repeat the call with the same `out`.
    fn next_line(&mut self, out: &mut Vec<u8>) -> io::Result<Ended> {
        loop {
            let text = self.look()?;
            if text.is_empty() {
                return Ok(Ended::AtEnd);
            }
            if let Some(at) = memchr::memchr2(b'\n', b'\r', text) {
                out.extend_from_slice(finish_line(self, at).bytes);
                return Ok(Ended::AtDelimiter);
            }
            out.extend_from_slice(text);
            let length = text.len();
            self.consume(length);
        }
    }

    /// The next `limit` bytes as a stream; what it leaves stays in this one.
    fn limited(&mut self, limit: u64) -> Limited<'_, Self>
    where
        Self: Sized,
    {
        Limited::new(self, limit)
    }

    /// Copies what is read to `sink`.
    fn tee<K: Sink>(self, sink: K) -> Tee<Self, K>
    where
        Self: Sized,
    {
        Tee::new(self, sink)
    }

    /// Lines (LF, CR or CRLF) as records.
    fn lines(self) -> Cut<Self>
    where
        Self: Sized,
    {
        Cut::lines(self)
    }

    /// Pieces between `byte`s as records.
    fn split(self, byte: u8) -> Cut<Self>
    where
        Self: Sized,
    {
        Cut::at_byte(self, byte)
    }
}

/// Not inlined, to keep the usual case small.
#[inline(never)]
fn read_up_to<B: Buffered + ?Sized>(stream: &mut B, byte: u8) -> io::Result<Option<usize>> {
    loop {
        let searched = (*stream).buffered().len();
        if stream.fill()? == 0 {
            return Ok(None);
        }
        if let Some(at) = memchr::memchr(byte, &(*stream).buffered()[searched..]) {
            return Ok(Some(searched + at));
        }
    }
}

/// The length of the line end after `length` buffered bytes.
pub(super) fn line_end<B: Buffered + ?Sized>(stream: &mut B, length: usize) -> usize {
    match stream.buffered().get(length..) {
        Some([b'\r', b'\n', ..]) => 2,
        Some([b'\r']) => {
            stream.join_lf();
            1
        }
        _ => 1,
    }
}

fn finish_line<B: Buffered + ?Sized>(stream: &mut B, length: usize) -> Taken<'_> {
    let end = line_end(stream, length);
    Taken { bytes: &stream.consume(length + end)[..length], ended: Ended::AtDelimiter }
}
