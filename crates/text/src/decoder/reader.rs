//! A decoder around a source.

use super::Decoder;
use crate::encoding::{DecodeError, Encoding, Text};
use std::fmt;
use std::io::Read;

/// Lines and characters of a [`Read`].
///
/// Reads 64 KiB at a time, only when no complete line is there. Needs no `BufReader`.
///
/// ```
/// use riverhawk_text::decoder::{Decoder, TextReader};
/// use riverhawk_text::encoding::Utf16;
///
/// let file = &b"\xFF\xFEo\0n\0e\0\n\0t\0w\0o\0"[..];
/// let mut lines = TextReader::new(Decoder::new(Utf16), file);
/// while let Some(line) = lines.read_line()? {
///     assert!(["one", "two"].contains(&line));
/// }
/// # Ok::<(), riverhawk_text::decoder::DecodedReadError>(())
/// ```
pub struct TextReader<R, T: Text = String> {
    decoder: Decoder<T>,
    source: R,
}

impl<R: Read, T: Text> TextReader<R, T> {
    /// Reads `source` through `decoder`.
    pub fn new(decoder: Decoder<T>, source: R) -> TextReader<R, T> {
        TextReader { decoder, source }
    }

    /// The next line without its separator; `None` at the end.
    ///
    /// # Errors
    /// If reading fails, or undecodable bytes are in the line under the strict policy.
    #[inline]
    pub fn read_line(&mut self) -> Result<Option<&T::Slice>, DecodedReadError> {
        if let Some((from, end)) = self.decoder.find_near_line() {
            return Ok(Some(self.decoder.lend_near_line(from, end)));
        }
        self.read_far_line()
    }

    fn read_far_line(&mut self) -> Result<Option<&T::Slice>, DecodedReadError> {
        loop {
            // Found first and borrowed later: a borrow in one arm would last through the loop.
            let Some(line) = self.decoder.find_line()? else {
                if self.decoder.is_finished() {
                    return Ok(None);
                }
                self.decoder.fill_from(&mut self.source)?;
                continue;
            };
            return Ok(Some(self.decoder.lend_line(line)));
        }
    }

    /// Passes every line, without its separator, to `each` until that returns false. Returns
    /// whether it reached the end. The fastest way to read lines.
    ///
    /// # Errors
    /// If reading fails, or at undecodable bytes under the strict policy.
    #[inline]
    pub fn for_each_line(
        &mut self,
        mut each: impl FnMut(&T::Slice) -> bool,
    ) -> Result<bool, DecodedReadError> {
        loop {
            if !self.decoder.for_each_line(&mut each)? {
                return Ok(false);
            }
            if self.decoder.is_finished() {
                return Ok(true);
            }
            self.decoder.fill_from(&mut self.source)?;
        }
    }

    /// Exactly `n` characters, or what is left at the end; `None` if that is nothing.
    ///
    /// # Errors
    /// If reading fails, or at undecodable bytes under the strict policy.
    pub fn read_chars(&mut self, n: usize) -> Result<Option<&T::Slice>, DecodedReadError> {
        loop {
            let Some(end) = self.decoder.find_chars(n)? else {
                if self.decoder.is_finished() {
                    return Ok(None);
                }
                self.decoder.fill_from(&mut self.source)?;
                continue;
            };
            return Ok(Some(self.decoder.lend_until(end)));
        }
    }

    /// All text that is left.
    ///
    /// # Errors
    /// If reading fails, or at undecodable bytes under the strict policy; the text before them is
    /// in [`decoder_mut`](TextReader::decoder_mut).
    pub fn read_all(&mut self) -> Result<T, DecodedReadError> {
        while self.decoder.fill_from(&mut self.source)? > 0 {}
        let text = self.decoder.take_all_owned()?;
        if self.decoder.is_empty() {
            return Ok(text);
        }
        let mut text = text;
        text.push(self.decoder.take_all()?);
        Ok(text)
    }

    /// Changes the encoding from here on.
    pub fn set_encoding(&mut self, encoding: impl Encoding + 'static) {
        self.decoder.set_encoding(encoding);
    }

    /// The decoder.
    pub fn decoder(&self) -> &Decoder<T> {
        &self.decoder
    }

    /// The decoder, to change its settings.
    pub fn decoder_mut(&mut self) -> &mut Decoder<T> {
        &mut self.decoder
    }

    /// The decoder, with what it has read, and the source.
    pub fn into_parts(self) -> (Decoder<T>, R) {
        (self.decoder, self.source)
    }
}

/// Reading text failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum DecodedReadError {
    /// The source could not be read.
    Io(std::io::Error),
    /// What was read is not text.
    Decode(DecodeError),
}

impl fmt::Display for DecodedReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodedReadError::Io(error) => error.fmt(out),
            DecodedReadError::Decode(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for DecodedReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            DecodedReadError::Io(error) => Some(error),
            DecodedReadError::Decode(error) => Some(error),
        }
    }
}

impl From<std::io::Error> for DecodedReadError {
    fn from(error: std::io::Error) -> Self {
        DecodedReadError::Io(error)
    }
}

impl From<DecodeError> for DecodedReadError {
    fn from(error: DecodeError) -> Self {
        DecodedReadError::Decode(error)
    }
}
