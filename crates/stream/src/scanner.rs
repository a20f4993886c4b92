//! Tokens in the caller's buffer, without allocating.

use crate::records::EndOfInput;
use std::fmt;
use std::io::{self, Read};

/// Cuts what a reader delivers into tokens, in the caller's buffer.
///
/// A token is a view without its delimiter, valid until the next call. One that does not fit is an
/// error.
///
/// ```
/// use riverhawk_stream::Scanner;
///
/// let mut buffer = [0; 16];
/// let mut scanner = Scanner::new(&b"alpha, beta, gamma"[..], &mut buffer, b", ");
/// let mut lengths = vec![];
/// while let Some(token) = scanner.next_token()? {
///     lengths.push(token.len());
/// }
/// assert_eq!(lengths, [5, 4, 5]);
/// # Ok::<(), riverhawk_stream::ScanError>(())
/// ```
#[derive(Debug)]
pub struct Scanner<'b, R> {
    reader: R,
    buffer: &'b mut [u8],
    delimiter: &'b [u8],
    mode: EndOfInput,
    /// `buffer[start..end]` is pending.
    start: usize,
    end: usize,
    is_at_end: bool,
}

/// Why a scanner has no next token.
#[derive(Debug)]
pub enum ScanError {
    /// Token and delimiter exceed `capacity`. The scanner does not move.
    Overflow {
        /// The buffer's length.
        capacity: usize,
    },
    /// The reader failed; the next call retries.
    Read(io::Error),
}

impl fmt::Display for ScanError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overflow { capacity } => {
                write!(out, "a token does not fit into the buffer of {capacity} bytes")
            }
            Self::Read(error) => error.fmt(out),
        }
    }
}

impl std::error::Error for ScanError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Overflow { .. } => None,
            Self::Read(error) => Some(error),
        }
    }
}

impl From<io::Error> for ScanError {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

impl From<ScanError> for io::Error {
    fn from(error: ScanError) -> Self {
        match error {
            ScanError::Read(error) => error,
            overflow @ ScanError::Overflow { .. } => {
                io::Error::new(io::ErrorKind::InvalidData, overflow)
            }
        }
    }
}

impl<'b, R: Read> Scanner<'b, R> {
    /// Tokens between `delimiter`s; the last may lack one. An empty delimiter never matches.
    pub fn new(reader: R, buffer: &'b mut [u8], delimiter: &'b [u8]) -> Self {
        Self {
            reader,
            buffer,
            delimiter,
            mode: EndOfInput::Greedy,
            start: 0,
            end: 0,
            is_at_end: false,
        }
    }

    /// Sets the treatment of an unterminated last token.
    #[must_use]
    pub fn end_of_input(mut self, mode: EndOfInput) -> Self {
        self.mode = mode;
        self
    }

    /// The next token, `None` at the end. Reads only without a whole token in the buffer.
    ///
    /// # Errors
    /// [`ScanError`]; pending bytes are kept.
    pub fn next_token(&mut self) -> Result<Option<&[u8]>, ScanError> {
        let mut search_from = 0;
        loop {
            if let Some(length) = self.find_delimiter(search_from) {
                let start = self.start;
                self.start += length + self.delimiter.len();
                return Ok(Some(&self.buffer[start..start + length]));
            }
            let pending = self.end - self.start;
            if self.is_at_end {
                let token = self.start..self.end;
                self.start = self.end;
                let is_token = !token.is_empty() && self.mode == EndOfInput::Greedy;
                return Ok(is_token.then(|| &self.buffer[token]));
            }
            // A delimiter may be split.
            search_from = (pending + 1).saturating_sub(self.delimiter.len().max(1));
            self.fill()?;
        }
    }

    /// Takes back the last `length` bytes, delimiters included: after `a` and `b` from `a\nb\n`, 2
    /// gives back `b\n`. False if they are no longer in the buffer; the last token always is.
    pub fn unread(&mut self, length: usize) -> bool {
        let Some(start) = self.start.checked_sub(length) else { return false };
        self.start = start;
        true
    }

    /// Bytes read but not consumed.
    pub fn pending(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    fn find_delimiter(&self, from: usize) -> Option<usize> {
        let text = &self.pending()[from..];
        let at = match self.delimiter {
            [] => None,
            [byte] => memchr::memchr(*byte, text),
            longer => memchr::memmem::find(text, longer),
        };
        at.map(|at| from + at)
    }

    /// Moves pending bytes to the front of a full buffer.
    fn fill(&mut self) -> Result<(), ScanError> {
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        } else if self.end == self.buffer.len() {
            if self.start == 0 {
                return Err(ScanError::Overflow { capacity: self.buffer.len() });
            }
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.buffer.is_empty() {
            return Err(ScanError::Overflow { capacity: 0 });
        }
        loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.is_at_end = true,
                Ok(count) => self.end = self.buffer.len().min(self.end + count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            }
            return Ok(());
        }
    }
}
