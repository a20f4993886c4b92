//! Streams whose next bytes lie in memory and can be looked at before they are taken.

use super::adapt::{Limited, Tee};
use super::{ByteSet, Cut, Pattern, Sink, Stream};
use std::io;

/// Why a piece ends where it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The delimiter followed, and has been taken.
    AtDelimiter,
    /// The input ended.
    AtEnd,
}

/// A piece of a stream's buffer, valid until the next call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken<'a> {
    /// The bytes, without the delimiter.
    pub bytes: &'a [u8],
    /// What came behind them.
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
/// The `take_` operations lend pieces of the buffer instead of appending to a vector. An unfinished
/// piece stays in the buffer, which grows with it: put a bound on input that is not trusted with
/// [`limited`](Self::limited). After an error ([`io::ErrorKind::WouldBlock`] included) the next
/// call finds everything there. For very long pieces that are polled for, [`Stream::up_to`] looks
/// at no byte twice.
pub trait Buffered: Stream {
    /// What has been read and not been taken.
    fn buffered(&self) -> &[u8];

    /// Reads once and adds what came behind the [buffered](Self::buffered) bytes; how many came, 0
    /// only at the end. One of them may be missing: the line feed behind a carriage return
    /// ([`join_lf`](Self::join_lf)).
    ///
    /// # Errors
    /// The source's; nothing has changed then. Interruptions are tried again.
    fn fill(&mut self) -> io::Result<usize>;

    /// Takes `count` buffered bytes, or all, and shows them for the last time.
    fn consume(&mut self, count: usize) -> &[u8];

    /// How many bytes have been taken so far.
    fn offset(&self) -> u64;

    /// The last buffered byte is a carriage return that the caller takes as the end of a line: if a
    /// line feed arrives next, it is dropped. So a line on a pipe is delivered before the byte
    /// behind it exists.
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
        // `self.buffered()` would lend from this function.
        Ok((*self).buffered())
    }

    /// How many buffered bytes come before the first `byte`, if it is buffered.
    #[inline]
    fn find_buffered(&mut self, byte: u8) -> Option<usize> {
        memchr::memchr(byte, (*self).buffered())
    }

    /// Everything before the next `byte`, which is taken too.
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

    /// Everything before the next byte of `set`, which is taken and returned; `None` if the input
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

    /// Everything before the next occurrence of `pattern`, which is taken too. Bytes held in the
    /// pattern by another search are ignored.
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

    /// How many bytes come before the next occurrence of `pattern`, all of which is buffered
    /// afterwards; `None` if there is none, and the rest is buffered. Takes nothing, so a piece
    /// found within a [limit](Self::limited) can be taken from this stream.
    ///
    /// # Errors
    /// The source's.
    fn look_for_all(&mut self, pattern: &Pattern) -> io::Result<Option<usize>> {
        let mut searched = 0;
        loop {
            if let Some(at) = pattern.find(&(*self).buffered()[searched..]) {
                return Ok(Some(searched + at));
            }
            // The last bytes may begin an occurrence.
            searched = ((*self).buffered().len() + 1).saturating_sub(pattern.len());
            if self.fill()? == 0 {
                return Ok(None);
            }
        }
    }

    /// The next line. LF, CR and CRLF end one; it is delivered when its first end byte has come.
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

    /// The next `count` bytes, fewer only at the end.
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

    /// Appends the next line to `out`, without keeping it in the buffer.
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

    /// The next `limit` bytes as a stream of their own; what it leaves is next in this one.
    fn limited(&mut self, limit: u64) -> Limited<'_, Self>
    where
        Self: Sized,
    {
        Limited::new(self, limit)
    }

    /// This stream, with a copy of what is read going to `sink`.
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

/// Reads until `byte` is buffered. Not inlined, so that the usual case stays small.
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

/// The length of the line end behind `length` buffered bytes.
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
