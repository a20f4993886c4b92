//! Any encoding to UTF-8, bytes in, bytes out.

use super::convert::{Converter, State};
use super::place::Place;
use super::text::verbatim_prefix;
use super::utf8::incomplete_tail;
use super::{DecodeError, DecodeErrorKind, Decoded, Encoding, Policy, Verbatim};
use std::sync::Arc;

/// Input dealt with at a time: block and text stay in the first-level cache.
const BLOCK: usize = 8192;

/// Turns a stream of bytes in some encoding into UTF-8, a piece at a time.
///
/// Input that is its own text (ASCII in nearly all encodings, valid UTF-8 in `utf-8`, anything in
/// `utf-8-c8`) is validated and appended as a block. A character cut by the end of a piece is kept
/// until the next one. For lines and characters, use a [`Decoder`](crate::decoder::Decoder); this
/// is the smaller tool for a byte pipeline.
///
/// ```
/// use riverhawk_text::encoding::{Transcoder, Utf16};
/// let mut transcoder = Transcoder::new(Utf16);
/// let mut utf8 = Vec::new();
/// for piece in [&b"\xFE"[..], b"\xFF\0a\x20", b"\xAC"] {
///     transcoder.push(piece, &mut utf8)?;
/// }
/// transcoder.finish(&mut utf8)?;
/// assert_eq!(utf8, "a€".as_bytes());
/// # Ok::<(), riverhawk_text::encoding::DecodeError>(())
/// ```
pub struct Transcoder {
    converter: Converter,
    state: State,
    /// The beginning of a character that has not come whole, or of what may be a byte order mark.
    carry: Vec<u8>,
    may_be_bom: bool,
    /// Bytes decoded so far.
    byte_offset: u64,
    /// Kept up to date only where it may be reported: under [`Policy::Strict`], if there are
    /// undecodable bytes at all.
    place: Place,
    /// The last bytes decoded, for the error message.
    recent: Vec<u8>,
}

impl Transcoder {
    /// A transcoder from `encoding`, strict, that steps over a byte order mark and leaves line ends
    /// as they are.
    pub fn new(encoding: impl Encoding + 'static) -> Transcoder {
        let converter = Converter::new(Arc::new(encoding));
        let state = converter.start();
        Transcoder {
            converter,
            state,
            carry: Vec::new(),
            may_be_bom: true,
            byte_offset: 0,
            place: Place::default(),
            recent: Vec::new(),
        }
    }

    /// What becomes of undecodable bytes.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Transcoder {
        self.converter.policy = policy;
        self
    }

    /// Whether each CRLF becomes LF; a CR that stands alone stays.
    #[must_use]
    pub fn with_folded_crlf(mut self, fold: bool) -> Transcoder {
        self.converter.fold_crlf = fold;
        self
    }

    /// Whether a byte order mark at the very start is stepped over. It is unless this says
    /// otherwise. In `utf-16` the mark belongs to the encoding and is never text.
    #[must_use]
    pub fn with_bom_skipped(mut self, skip: bool) -> Transcoder {
        self.may_be_bom = skip;
        self
    }

    /// How many bytes have been decoded; those of an incomplete character have not.
    pub fn byte_offset(&self) -> u64 {
        self.byte_offset
    }

    /// Appends the text of `input` to `out`, all of it that is whole.
    ///
    /// # Errors
    /// Under [`Policy::Strict`], if there are undecodable bytes. All text before them is in `out`;
    /// the transcoder has no further use.
    pub fn push(&mut self, mut input: &[u8], out: &mut Vec<u8>) -> Result<(), DecodeError> {
        while !input.is_empty() && (self.may_be_bom || !self.carry.is_empty()) {
            // One byte after the other until the character is whole; it is at most a few.
            self.carry.push(input[0]);
            input = &input[1..];
            if !(self.may_be_bom && self.waits_for_bom()) {
                self.push_carry(input, out)?;
            }
        }
        self.push_whole(input, out)
    }

    /// Appends what is left: the text of an incomplete character by the policy. The transcoder can
    /// then begin anew.
    ///
    /// # Errors
    /// Under [`Policy::Strict`], if the input ended in the middle of a character.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<(), DecodeError> {
        let carry = std::mem::take(&mut self.carry);
        if self.may_be_bom && !carry.is_empty() {
            self.may_be_bom = false;
            self.push_whole(&carry, out)?;
            return self.finish(out);
        }
        let decoded = self.converter.finish(&mut self.state, &carry, out);
        if decoded.undecodable > 0 {
            let error = self.error(
                DecodeErrorKind::Incomplete,
                &carry[decoded.consumed..],
                carry.len(),
                &[],
            );
            self.carry = carry;
            return Err(error);
        }
        self.byte_offset += carry.len() as u64;
        Ok(())
    }

    /// Whether what is carried may still become a byte order mark. Steps over it when it has.
    fn waits_for_bom(&mut self) -> bool {
        let bom = self.converter.encoding.bom();
        let waits = self.carry.len() < bom.len() && bom.starts_with(&self.carry);
        if !waits {
            self.may_be_bom = false;
            if !bom.is_empty() && self.carry == bom {
                self.byte_offset += bom.len() as u64;
                self.carry.clear();
            }
        }
        waits
    }

    fn push_carry(&mut self, after: &[u8], out: &mut Vec<u8>) -> Result<(), DecodeError> {
        let carry = std::mem::take(&mut self.carry);
        let rest = self.convert(&carry, after, out)?;
        self.carry.extend_from_slice(&carry[rest..]);
        Ok(())
    }

    fn push_whole(&mut self, mut input: &[u8], out: &mut Vec<u8>) -> Result<(), DecodeError> {
        while !input.is_empty() {
            let kind = self.converter.verbatim(&self.state);
            // Piece by piece, so that all that is done with a piece finds it in the first-level
            // cache.
            let piece = &input[..input.len().min(BLOCK)];
            let unfolded = &piece[..self.converter.unfolded_prefix(piece)];
            let verbatim = verbatim_prefix(kind, unfolded, true);
            let tail = if kind == Verbatim::Utf8 { incomplete_tail(piece) } else { 0 };
            if verbatim > 0 && (verbatim >= BLOCK / 2 || verbatim + tail == piece.len()) {
                self.settled(&input[..verbatim], out.len(), out, |out| {
                    out.extend_from_slice(&input[..verbatim])
                });
                input = &input[verbatim..];
                continue;
            }
            let mut size = piece.len();
            let consumed = loop {
                let consumed = self.convert(&input[..size], &input[size..], out)?;
                if consumed > 0 || size == input.len() {
                    break consumed;
                }
                size = input.len().min(2 * size);
            };
            if consumed == 0 {
                self.carry.extend_from_slice(input);
                return Ok(());
            }
            input = &input[consumed..];
        }
        Ok(())
    }

    /// Decodes `input`; returns how much of it has been consumed. `after` follows it.
    fn convert(
        &mut self,
        input: &[u8],
        after: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<usize, DecodeError> {
        let from = out.len();
        let Decoded { consumed, undecodable } = self.converter.convert(&mut self.state, input, out);
        self.settled(&input[..consumed], from, out, |_| ());
        if undecodable == 0 {
            return Ok(consumed);
        }
        let rest = &input[consumed..];
        Err(self.error(DecodeErrorKind::Undecodable, rest, undecodable, after))
    }

    /// Accounts for `bytes` having been decoded, the text of which stands in `out` from `from` on
    /// once `append` ran.
    fn settled(
        &mut self,
        bytes: &[u8],
        from: usize,
        out: &mut Vec<u8>,
        append: impl FnOnce(&mut Vec<u8>),
    ) {
        append(out);
        self.byte_offset += bytes.len() as u64;
        if self.converter.policy == Policy::Strict && !self.state.is_total() {
            self.place.advance(&out[from..]);
            keep_recent(&mut self.recent, bytes);
        }
    }

    fn error(
        &self,
        kind: DecodeErrorKind,
        rest: &[u8],
        undecodable: usize,
        after: &[u8],
    ) -> DecodeError {
        let (bytes, next) = rest.split_at(undecodable.min(rest.len()));
        DecodeError {
            encoding: self.converter.encoding.name().into(),
            kind,
            byte_offset: self.byte_offset,
            line: self.place.line(),
            column: self.place.column(),
            bytes: bytes.into(),
            before: self.recent.as_slice().into(),
            after: next.iter().chain(after).take(3).copied().collect(),
        }
    }
}

/// Keeps the last three of all the bytes.
pub(crate) fn keep_recent(recent: &mut Vec<u8>, bytes: &[u8]) {
    recent.extend_from_slice(&bytes[bytes.len().saturating_sub(3)..]);
    recent.drain(..recent.len().saturating_sub(3));
}
