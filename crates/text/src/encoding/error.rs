//! Errors with their position.

use std::fmt;

/// Bytes that are not text in their encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecodeError {
    /// Name of the encoding.
    pub encoding: Box<str>,
    /// Whether the bytes are wrong or cut off.
    pub kind: DecodeErrorKind,
    /// Position of the first of the bytes in the stream, from 0.
    pub byte_offset: u64,
    /// Its line, from 1; LF, CR and CRLF each end one.
    pub line: u64,
    /// Its column in characters, from 1.
    pub column: u64,
    /// The bytes that cannot be decoded.
    pub bytes: Box<[u8]>,
    /// Up to three bytes before them.
    pub before: Box<[u8]>,
    /// Up to three bytes after them, as far as known.
    pub after: Box<[u8]>,
}

/// Why bytes are not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecodeErrorKind {
    /// They mean nothing in this encoding: `\xFF` in UTF-8.
    Undecodable,
    /// The input ends inside a character: `\xC3` at the end in UTF-8.
    Incomplete,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            DecodeErrorKind::Undecodable => "undecodable bytes",
            DecodeErrorKind::Incomplete => "incomplete character at the end of the input,",
        };
        write!(out, "{}: {what} {}", self.encoding, Hex(&self.bytes))?;
        write!(out, " at line {}, column {} (byte {}", self.line, self.column, self.byte_offset)?;
        if !self.before.is_empty() {
            write!(out, ", after {}", Hex(&self.before))?;
        }
        if !self.after.is_empty() {
            write!(out, ", before {}", Hex(&self.after))?;
        }
        out.write_str(")")
    }
}

impl std::error::Error for DecodeError {}

struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            write!(out, "{}{byte:02X}", if index > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

/// Text that the encoding lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// The encoding has no such character.
    Unmappable {
        /// Name of the encoding.
        encoding: String,
        /// The character.
        character: char,
        /// Position of the character in all the text pushed, in bytes of UTF-8.
        byte_offset: u64,
    },
    /// The text is not UTF-8.
    NotUtf8 {
        /// Position of the first wrong byte in all the text pushed.
        byte_offset: u64,
        /// The wrong bytes.
        bytes: Vec<u8>,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::Unmappable { encoding, character, byte_offset } => {
                write!(
                    out,
                    "{encoding}: cannot encode U+{:04X} (byte {byte_offset} of the text)",
                    u32::from(*character)
                )
            }
            EncodeError::NotUtf8 { byte_offset, bytes } => {
                write!(
                    out,
                    "text to encode is not UTF-8: {} (byte {byte_offset} of the text)",
                    Hex(bytes)
                )
            }
        }
    }
}

impl std::error::Error for EncodeError {}
