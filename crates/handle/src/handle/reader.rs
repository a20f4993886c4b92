//! The locked reading direction.

use super::{Handle, Inner};
use crate::ahead::BLOCK;
use crate::error::{Action, Error, ErrorKind};
use crate::read_side::{Buffered, ReadSide};
use riverhawk_stream::Room;
use riverhawk_text::encoding::DecodeError;
use std::io::{self, BufRead, Read};
use std::sync::MutexGuard;

/// The reading direction of a handle under its lock, from [`Handle::reader`]: for reads that belong
/// together, and borrowed lines. It is a [`Read`] and a [`BufRead`].
///
/// Writing goes on meanwhile (except in a file open for both, which has one position), and closing
/// ends a blocked read. The thread that holds a reader would deadlock if it closed the handle, read
/// from it, or wrote to such a file.
///
/// ```
/// use riverhawk_handle::Handle;
/// let handle = Handle::of_bytes("a\nlonger\nline");
/// let mut reader = handle.reader();
/// let mut longest = 0;
/// while let Some(line) = reader.read_line()? {
///     longest = longest.max(line.len());
/// }
/// assert_eq!(longest, 6);
/// # Ok::<(), riverhawk_handle::Error>(())
/// ```
pub struct Reader<'a> {
    inner: &'a Inner,
    side: MutexGuard<'a, ReadSide>,
    line: String,
}

impl Handle {
    /// Locks the reading direction, after a running read.
    pub fn reader(&self) -> Reader<'_> {
        Reader { inner: &self.0, side: self.0.lock_read(), line: String::new() }
    }
}

impl Reader<'_> {
    fn prepare(&mut self) -> Result<(), Error> {
        if self.inner.one_position {
            self.inner.lock_write().flush(self.inner.writing(Action::Write))?;
        }
        Ok(())
    }

    fn fill(&mut self) -> Result<usize, Error> {
        self.prepare()?;
        self.side.fill(self.inner.reading())
    }

    /// Reads what is buffered, or what one read gives; 0 at the end.
    ///
    /// # Errors
    /// [`ErrorKind::Closed`], [`ErrorKind::TimedOut`], [`ErrorKind::NotReadable`], or a system
    /// error.
    pub fn read_bytes(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        self.prepare()?;
        self.side.read(self.inner.reading(), buffer)
    }

    /// As [`read_bytes`](Reader::read_bytes), appending up to `limit` bytes; gives their number.
    ///
    /// # Errors
    /// As [`read_bytes`](Reader::read_bytes).
    pub fn read_some(&mut self, limit: usize, out: &mut Vec<u8>) -> Result<usize, Error> {
        self.prepare()?;
        self.side.append(self.inner.reading(), out, limit)
    }

    /// Appends `count` bytes, or fewer at the end; gives their number. After an error, `out` has
    /// those before it.
    ///
    /// # Errors
    /// As [`read_bytes`](Reader::read_bytes).
    pub fn read_exactly(&mut self, count: usize, out: &mut Vec<u8>) -> Result<usize, Error> {
        self.prepare()?;
        let mut left = count;
        while left > 0 {
            match self.side.append(self.inner.reading(), out, left)? {
                0 => break,
                more => left -= more,
            }
        }
        Ok(count - left)
    }

    /// Appends everything up to the end; gives the number of bytes. After an error, `out` has those
    /// before it.
    ///
    /// # Errors
    /// As [`read_bytes`](Reader::read_bytes).
    pub fn read_to_end(&mut self, out: &mut Vec<u8>) -> Result<usize, Error> {
        self.read_exactly(usize::MAX, out)
    }

    /// Appends everything through `separator`, or to the end (always if it is empty); gives the
    /// number of bytes. An error appends and loses nothing.
    ///
    /// # Errors
    /// As [`read_bytes`](Reader::read_bytes), and [`ErrorKind::TextMode`] if a decoder holds the
    /// input.
    pub fn read_until(&mut self, separator: &[u8], out: &mut Vec<u8>) -> Result<usize, Error> {
        if separator.is_empty() {
            return self.read_to_end(out);
        }
        let mut searched = 0;
        loop {
            let Buffered::Bytes(ahead) = &mut self.side.buffered else {
                return Err(self.inner.reading().fail(ErrorKind::TextMode));
            };
            let found = memchr::memmem::find(&ahead.bytes()[searched..], separator);
            if let Some(at) = found {
                return Ok(ahead.append_to(out, searched + at + separator.len()));
            }
            // A separator may begin in the last bytes.
            searched = (ahead.len() + 1).saturating_sub(separator.len());
            if self.fill()? == 0 {
                return self.side.append(self.inner.reading(), out, usize::MAX);
            }
        }
    }

    pub(super) fn read_room(&mut self, room: &mut Room<'_>) -> Result<usize, Error> {
        self.prepare()?;
        let who = self.inner.reading();
        match &mut self.side.buffered {
            Buffered::Bytes(ahead) if ahead.is_empty() => {
                let count = self.side.read_with(who, |device| device.read_room(room))?;
                if count == 0 {
                    self.side.end_was_reported();
                }
                Ok(count)
            }
            Buffered::Bytes(ahead) => {
                let count = room.append(ahead.bytes());
                ahead.consume(count);
                Ok(count)
            }
            Buffered::Text(_) => {
                let mut bytes = Vec::new();
                self.side.append(who, &mut bytes, room.len().min(BLOCK))?;
                Ok(room.append(&bytes))
            }
        }
    }

    fn decoded<T>(
        &mut self,
        mut ask: impl FnMut(
            &mut riverhawk_text::decoder::Decoder,
            &mut String,
        ) -> Result<Option<T>, DecodeError>,
    ) -> Result<Option<T>, Error> {
        let mut ended = false;
        loop {
            let decoder = self.side.decoder();
            let answer =
                ask(decoder, &mut self.line).map_err(|error| not_text(self.inner, error))?;
            if answer.is_some() {
                return Ok(answer);
            }
            if ended {
                self.side.end_was_reported();
                return Ok(None);
            }
            // At the end the decoder releases withheld characters.
            ended = self.fill()? == 0;
        }
    }

    /// The next line without its separator, borrowed until the next call; `None` at the end.
    ///
    /// # Errors
    /// As [`read_bytes`](Reader::read_bytes), and [`ErrorKind::NotText`].
    pub fn read_line(&mut self) -> Result<Option<&str>, Error> {
        let line = self.decoded(|decoder, line| {
            Ok(decoder.take_line()?.map(|taken| {
                line.clear();
                line.push_str(taken);
            }))
        })?;
        Ok(line.map(|()| self.line.as_str()))
    }

    /// The next line without its separator, owned; `None` at the end.
    ///
    /// # Errors
    /// As [`read_line`](Reader::read_line).
    pub fn read_line_owned(&mut self) -> Result<Option<String>, Error> {
        self.decoded(|decoder, _| decoder.take_line_owned())
    }

    /// The next line with its separator.
    ///
    /// # Errors
    /// As [`read_line`](Reader::read_line).
    pub fn read_line_with_separator(&mut self) -> Result<Option<String>, Error> {
        self.decoded(|decoder, _| Ok(decoder.take_line_with_separator()?.map(str::to_owned)))
    }

    /// `count` characters, or fewer at the end; `None` for none.
    ///
    /// # Errors
    /// As [`read_line`](Reader::read_line).
    pub fn read_chars(&mut self, count: usize) -> Result<Option<String>, Error> {
        if count == 0 {
            return Ok(Some(String::new()));
        }
        self.decoded(|decoder, _| Ok(decoder.take_chars(count)?.map(str::to_owned)))
    }

    /// The buffered text, or what one read gives, in whole characters. Empty at the end.
    ///
    /// # Errors
    /// As [`read_line`](Reader::read_line).
    pub fn read_some_text(&mut self) -> Result<String, Error> {
        let some = self.decoded(|decoder, _| {
            let text = decoder.take_available_owned()?;
            Ok((!text.is_empty()).then_some(text))
        })?;
        Ok(some.unwrap_or_default())
    }

    /// The rest of the text.
    ///
    /// # Errors
    /// As [`read_line`](Reader::read_line). The text before undecodable bytes can still be read.
    pub fn read_text(&mut self) -> Result<String, Error> {
        self.side.decoder();
        while self.fill()? > 0 {}
        let mut text = String::new();
        loop {
            let decoder = self.side.decoder();
            decoder.finish();
            match decoder.take_available() {
                Ok("") => {
                    self.side.end_was_reported();
                    return Ok(text);
                }
                Ok(more) => text.push_str(more),
                Err(error) => return Err(not_text(self.inner, error)),
            }
        }
    }
}

fn not_text(inner: &Inner, error: DecodeError) -> Error {
    let source = io::Error::new(io::ErrorKind::InvalidData, error);
    Error::new(&inner.name, Action::Read, ErrorKind::NotText, source)
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.read_bytes(buffer)?)
    }
}

impl BufRead for Reader<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if let Buffered::Text(_) = self.side.buffered {
            return Err(self.inner.reading().fail(ErrorKind::TextMode).into());
        }
        if self.side.available() == 0 {
            self.fill()?;
        }
        match &self.side.buffered {
            Buffered::Bytes(ahead) => Ok(ahead.bytes()),
            Buffered::Text(_) => Ok(&[]),
        }
    }

    fn consume(&mut self, count: usize) {
        if let Buffered::Bytes(ahead) = &mut self.side.buffered {
            ahead.consume(count);
        }
    }
}
