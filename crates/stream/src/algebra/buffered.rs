//! The trait `Buffered`: streams whose next bytes lie in memory, and can be looked at before they
//! are taken.

use super::adapt::{Limited, Tee};
use super::{ByteSet, Cut, Pattern, Sink, Stream};
use std::io;

/// Why a piece ends where it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The delimiter followed. It has been taken from the stream and is no part of the piece.
    AtDelimiter,
    /// The input ended. That a piece is the last can be seen without another call.
    AtEnd,
}

/// A piece of a stream's buffer: valid until the next call, and nothing was copied for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken<'a> {
    /// The bytes, without the delimiter.
    pub bytes: &'a [u8],
    /// What came behind them.
    pub ended: Ended,
}

impl Taken<'_> {
    /// Whether there was nothing left: the input ended and the piece is empty.
    pub fn is_end(&self) -> bool {
        self.ended == Ended::AtEnd && self.bytes.is_empty()
    }
}

/// A stream with its next bytes in memory.
///
/// The `take_` operations hand out pieces of the buffer instead of appending to a vector. They keep
/// an unfinished piece in the buffer, which grows with it: put a bound on input that is not trusted
/// with [`limited`](Self::limited). After an error ([`io::ErrorKind::WouldBlock`] included)
/// everything is still in the buffer, and the next call finds it there; a reader that polls for
/// very long pieces does better with [`Stream::up_to`], which looks at no byte twice.
pub trait Buffered: Stream {
    /// What has been read and not been taken. Reads nothing.
    fn buffered(&self) -> &[u8];

    /// Reads once and adds what came behind the bytes that are [buffered](Self::buffered), whose
    /// order and number stay as they are; how many bytes came, 0 only at the end. One of them
    /// may be missing from the buffer: the line feed behind a carriage return
    /// ([`join_lf`](Self::join_lf)).
    ///
    /// # Errors
    /// The source's; nothing has changed then. Interruptions are tried again.
    fn fill(&mut self) -> io::Result<usize>;

    /// Takes `count` bytes, at most all that are buffered, and shows them for the last time.
    fn consume(&mut self, count: usize) -> &[u8];

    /// How many bytes have been taken from this stream so far.
    fn offset(&self) -> u64;

    /// The last buffered byte is a carriage return, and the caller takes it now as the end of a
    /// line: should the next byte to arrive be a line feed, the stream drops it, for it belongs
    /// to the same line end. So a line that has arrived on a pipe is delivered before the byte
    /// behind it exists (seen the other way round: 13d).
    fn join_lf(&mut self);

    /// Whether a line feed that arrives next will be dropped.
    fn awaits_lf(&self) -> bool;

    /// The next byte without taking it, `None` at the end.
    ///
    /// # Errors
    /// The source's.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.look()?.first().copied())
    }

    /// What is buffered, after a read if that was nothing; empty only at the end.
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
        // Not `self.buffered()`, which is that of `&mut Self` and would lend from this function.
        Ok((*self).buffered())
    }

    /// How many buffered bytes come before the first `byte`; `None` if it is not buffered. Reads
    /// nothing.
    #[inline]
    fn find_buffered(&mut self, byte: u8) -> Option<usize> {
        memchr::memchr(byte, (*self).buffered())
    }

    /// Everything before the next `byte`, which is taken, too.
    ///
    /// # Errors
    /// The source's; nothing has been taken then.
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

    /// Everything before the next byte of `set`, which is taken and named, too; `None` if the input
    /// ended first.
    ///
    /// # Errors
    /// The source's; nothing has been taken then.
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

    /// Everything before the next occurrence of `pattern`, which is taken, too. Bytes that wait in
    /// the pattern from another search are not looked at.
    ///
    /// # Errors
    /// The source's; nothing has been taken then.
    fn take_up_to_all(&mut self, pattern: &Pattern) -> io::Result<Taken<'_>> {
        if let Some(length) = self.look_for_all(pattern)? {
            let piece = self.consume(length + pattern.len());
            return Ok(Taken { bytes: &piece[..length], ended: Ended::AtDelimiter });
        }
        let length = (*self).buffered().len();
        Ok(Taken { bytes: self.consume(length), ended: Ended::AtEnd })
    }

    /// How many bytes come before the next occurrence of `pattern`, all of them buffered
    /// afterwards, the pattern, too; `None` if there is none, and then all that is left is
    /// buffered. Takes nothing, so a piece found within a [limit](Self::limited) can then be
    /// taken from this stream.
    ///
    /// # Errors
    /// The source's.
    fn look_for_all(&mut self, pattern: &Pattern) -> io::Result<Option<usize>> {
        let mut searched = 0;
        loop {
            if let Some(at) = pattern.find(&(*self).buffered()[searched..]) {
                return Ok(Some(searched + at));
            }
            // The last bytes may begin an occurrence that the next read completes.
            searched = ((*self).buffered().len() + 1).saturating_sub(pattern.len());
            if self.fill()? == 0 {
                return Ok(None);
            }
        }
    }

    /// The next line. LF, CR and CRLF end one, and it is delivered as soon as its first end
    /// byte has come.
    ///
    /// # Errors
    /// The source's; nothing has been taken then.
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

    /// The next `count` bytes, fewer only at the end of the input.
    ///
    /// # Errors
    /// The source's; nothing has been taken then.
    fn take_exact(&mut self, count: usize) -> io::Result<Taken<'_>> {
        while self.buffered().len() < count {
            if self.fill()? == 0 {
                return Ok(Taken { bytes: self.consume(count), ended: Ended::AtEnd });
            }
        }
        Ok(Taken { bytes: self.consume(count), ended: Ended::AtDelimiter })
    }

    /// Appends the next line to `out` and takes it bit by bit, without keeping it in the buffer.
    ///
    /// # Errors
    /// The source's; what came is in `out`, and the same call goes on.
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

    /// The next `limit` bytes as a stream of their own, which never looks at a byte behind them;
    /// what it leaves is next in this one.
    fn limited(&mut self, limit: u64) -> Limited<'_, Self>
    where
        Self: Sized,
    {
        Limited::new(self, limit)
    }

    /// This stream, with a copy of all that is read from it going to `sink`.
    fn tee<K: Sink>(self, sink: K) -> Tee<Self, K>
    where
        Self: Sized,
    {
        Tee::new(self, sink)
    }

    /// The lines of this stream (LF, CR or CRLF) as records.
    fn lines(self) -> Cut<Self>
    where
        Self: Sized,
    {
        Cut::lines(self)
    }

    /// The pieces of this stream between `byte`s as records.
    fn split(self, byte: u8) -> Cut<Self>
    where
        Self: Sized,
    {
        Cut::at_byte(self, byte)
    }
}

/// Where `byte` is, when it is not yet buffered: reads until it is; `None` at the end. Not inlined,
/// so that the usual case is a search and nothing else.
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

/// How many bytes the line end takes that begins behind `length` buffered bytes.
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

/// Takes the line of `length` buffered bytes and the line end behind it.
fn finish_line<B: Buffered + ?Sized>(stream: &mut B, length: usize) -> Taken<'_> {
    let end = line_end(stream, length);
    Taken { bytes: &stream.consume(length + end)[..length], ended: Ended::AtDelimiter }
}
