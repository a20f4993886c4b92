//! UTF-8 to any encoding.

use super::text::{character_begin, verbatim_prefix};
use super::utf8::{incomplete_tail, valid_prefix};
use super::{Encode, EncodeError, Encoded, Encoding, Policy, Verbatim};
use std::sync::Arc;

/// Turns text into bytes in some encoding, a piece at a time; the opposite of
/// [`Decoder`](crate::decoder::Decoder).
///
/// Text is `&str` ([`push_str`](Encoder::push_str)), or UTF-8 cut anywhere
/// ([`push`](Encoder::push)). Text that is the same in the encoding is appended as a block.
///
/// ```
/// use riverhawk_text::encoding::{Encoder, Latin1, Policy};
/// let mut encoder = Encoder::new(Latin1).with_policy(Policy::Replace);
/// let mut bytes = Vec::new();
/// encoder.push_str("é €", &mut bytes)?;
/// encoder.finish(&mut bytes)?;
/// assert_eq!(bytes, b"\xE9 ?");
/// # Ok::<(), riverhawk_text::encoding::EncodeError>(())
/// ```
pub struct Encoder {
    encoding: Arc<dyn Encoding>,
    encode: Box<dyn Encode>,
    policy: Policy,
    owes_bom: bool,
    carry: Vec<u8>,
    byte_offset: u64,
}

impl Encoder {
    /// A strict encoder without a byte order mark (`utf-16` always has one).
    pub fn new(encoding: impl Encoding + 'static) -> Encoder {
        let encode = encoding.encoder();
        let encoding = Arc::new(encoding);
        Encoder {
            encoding,
            encode,
            policy: Policy::Strict,
            owes_bom: false,
            carry: Vec::new(),
            byte_offset: 0,
        }
    }

    /// The policy for characters that the encoding lacks, and for bytes that are not UTF-8.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Encoder {
        self.policy = policy;
        self
    }

    /// Begins the output with the encoding's byte order mark, if it has one, even for empty text.
    #[must_use]
    pub fn with_bom(mut self) -> Encoder {
        self.owes_bom = true;
        self
    }

    /// Appends `text`, encoded, to `out`.
    ///
    /// # Errors
    /// The encoding lacks a character, under [`Policy::Strict`]. The text before it is in `out`.
    pub fn push_str(&mut self, text: &str, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.start(out);
        let mut from = 0;
        while from < text.len() {
            let rest = &text[from..];
            let verbatim = match self.encode.verbatim() {
                Verbatim::Nothing => 0,
                Verbatim::Utf8 => rest.len(),
                // In a `utf-8-c8` string some characters stand for bytes.
                Verbatim::Ascii | Verbatim::Bytes => {
                    encoding_rs::Encoding::ascii_valid_up_to(rest.as_bytes())
                }
            };
            if verbatim > 0 {
                out.extend_from_slice(&rest.as_bytes()[..verbatim]);
                from += verbatim;
                continue;
            }
            match self.encode.encode(rest, out) {
                Encoded::All => from = text.len(),
                Encoded::Unmappable { at, character } => {
                    let at = character_begin(rest, at);
                    self.unmappable(character, self.byte_offset + (from + at) as u64, out)?;
                    // The reported character may be another one (ISO-2022-JP and ESC).
                    from += at + rest[at..].chars().next().map_or(0, char::len_utf8);
                }
            }
        }
        self.byte_offset += text.len() as u64;
        Ok(())
    }

    /// Appends the next piece of text. A character cut at its end waits for the next piece.
    ///
    /// Bytes that are not UTF-8 pass unchanged to `utf-8-c8`, and follow the policy elsewhere.
    ///
    /// # Errors
    /// The encoding lacks a character, or bytes are not UTF-8, under [`Policy::Strict`]. The text
    /// before is in `out`.
    pub fn push(&mut self, mut utf8: &[u8], out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.start(out);
        let kind = self.encode.verbatim();
        if kind == Verbatim::Bytes {
            out.extend_from_slice(utf8);
            self.byte_offset += utf8.len() as u64;
            return Ok(());
        }
        while !self.carry.is_empty() && !utf8.is_empty() {
            self.carry.push(utf8[0]);
            utf8 = &utf8[1..];
            let carry = std::mem::take(&mut self.carry);
            self.push_cut(&carry, out)?;
        }
        let verbatim =
            if kind == Verbatim::Ascii { verbatim_prefix::<Vec<u8>>(kind, utf8) } else { 0 };
        out.extend_from_slice(&utf8[..verbatim]);
        self.byte_offset += verbatim as u64;
        self.push_cut(&utf8[verbatim..], out)
    }

    fn push_cut(&mut self, mut utf8: &[u8], out: &mut Vec<u8>) -> Result<(), EncodeError> {
        loop {
            let tail = incomplete_tail(utf8);
            let whole = &utf8[..utf8.len() - tail];
            if let Ok(text) = simdutf8::basic::from_utf8(whole) {
                self.push_str(text, out)?;
                self.carry.extend_from_slice(&utf8[whole.len()..]);
                return Ok(());
            }
            let (text, undecodable) = valid_prefix(whole);
            self.push_str(text, out)?;
            let bytes = &whole[text.len()..text.len() + undecodable];
            self.not_utf8(bytes, out)?;
            self.byte_offset += undecodable as u64;
            utf8 = &utf8[text.len() + undecodable..];
        }
    }

    /// Ends the output. The encoder can then be reused.
    ///
    /// # Errors
    /// The text ended inside a character, under [`Policy::Strict`].
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        self.start(out);
        let carry = std::mem::take(&mut self.carry);
        if !carry.is_empty() {
            self.not_utf8(&carry, out)?;
        }
        self.encode.finish(out);
        self.encode = self.encoding.encoder();
        self.byte_offset = 0;
        Ok(())
    }

    fn start(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.owes_bom) {
            out.extend_from_slice(self.encoding.bom());
        }
    }

    fn unmappable(
        &mut self,
        character: char,
        byte_offset: u64,
        out: &mut Vec<u8>,
    ) -> Result<(), EncodeError> {
        match &self.policy {
            Policy::Strict => {
                return Err(EncodeError::Unmappable {
                    encoding: self.encoding.name().to_owned(),
                    character,
                    byte_offset,
                });
            }
            Policy::Permissive if u32::from(character) <= 0xFF => {
                out.push(u32::from(character) as u8)
            }
            Policy::ReplaceWith(replacement) => {
                Self::substitute(&mut *self.encode, replacement, out)
            }
            Policy::Permissive | Policy::Replace => {
                Self::substitute(&mut *self.encode, self.encoding.replacement(), out);
            }
        }
        Ok(())
    }

    fn not_utf8(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), EncodeError> {
        match &self.policy {
            Policy::Strict => {
                return Err(EncodeError::NotUtf8 {
                    byte_offset: self.byte_offset,
                    bytes: bytes.to_vec(),
                });
            }
            Policy::ReplaceWith(replacement) => {
                Self::substitute(&mut *self.encode, replacement, out)
            }
            Policy::Permissive | Policy::Replace => {
                Self::substitute(&mut *self.encode, self.encoding.replacement(), out);
            }
        }
        Ok(())
    }

    fn substitute(encode: &mut dyn Encode, replacement: &str, out: &mut Vec<u8>) {
        let _ = encode.encode(replacement, out);
    }
}
