//! The bytes that are not decoded yet, and the step that decodes some of them.

use super::pending::{Origin, Pending};
use crate::encoding::convert::{Converter, State};
use crate::encoding::text::verbatim_prefix;
use crate::encoding::{DecodeError, DecodeErrorKind, Decoded, Policy, Text, Verbatim};
use std::collections::VecDeque;

/// Bytes converted at a time. Their text fits in the second-level cache, and finding a position in
/// it means decoding at most one block again.
const BLOCK: usize = 16 * 1024;

/// Bytes converted after a stretch that needed no conversion; doubled each time. So a single bad
/// byte costs little.
const FIRST_BLOCK: usize = 1024;

/// A shorter chunk is appended to the one before, so that single bytes do not become a queue of
/// chunks.
const SMALL: usize = 512;

/// Maximum length of a chunk made by appending.
const MAX_APPENDED: usize = 16 * 1024;

struct Raw {
    bytes: Vec<u8>,
    at: usize,
    /// The chunk could not be adopted as a whole; this is not tried again.
    is_mixed: bool,
}

pub(super) struct Intake {
    pub converter: Converter,
    pub state: State,
    /// The beginning of a character, which precedes `raw`.
    carry: Vec<u8>,
    raw: VecDeque<Raw>,
    block: usize,
    pub ended: bool,
    /// Whether nothing has been decoded yet, so that a byte order mark may follow.
    pub may_be_bom: bool,
    /// Position in the stream of the first undecoded byte.
    pub byte_offset: u64,
}

impl Intake {
    pub fn new(converter: Converter) -> Intake {
        let state = converter.start();
        Intake {
            converter,
            state,
            carry: Vec::new(),
            raw: VecDeque::new(),
            block: FIRST_BLOCK,
            ended: false,
            may_be_bom: true,
            byte_offset: 0,
        }
    }

    /// Whether errors are possible, so that positions must be counted.
    pub fn has_errors(&self) -> bool {
        self.converter.policy == Policy::Strict && !self.state.is_total()
    }

    pub fn add(&mut self, bytes: Vec<u8>) {
        self.ended = false;
        if !bytes.is_empty() {
            self.raw.push_back(Raw { bytes, at: 0, is_mixed: false });
        }
    }

    /// Copies bytes, if possible to the end of the last chunk.
    pub fn add_copy<T: Text>(&mut self, bytes: &[u8], pending: &mut Pending<T>) {
        pending.counters.copied_in_bytes += bytes.len() as u64;
        if let Some(last) = self.raw.back_mut()
            && last.bytes.capacity() - last.bytes.len() >= bytes.len()
        {
            self.ended = false;
            last.bytes.extend_from_slice(bytes);
            return;
        }
        let mut copy = pending.largest_spare();
        copy.clear();
        copy.extend_from_slice(bytes);
        self.add(copy);
    }

    pub fn len(&self) -> usize {
        self.carry.len() + self.raw.iter().map(|raw| raw.bytes.len() - raw.at).sum::<usize>()
    }

    pub fn is_empty(&self) -> bool {
        self.carry.is_empty() && self.raw.iter().all(|raw| raw.at == raw.bytes.len())
    }

    fn peek(&self, n: usize) -> Vec<u8> {
        let raw = self.raw.iter().flat_map(|raw| &raw.bytes[raw.at..]);
        self.carry.iter().chain(raw).take(n).copied().collect()
    }

    /// Moves `n` bytes from the front to `out`.
    pub fn take(&mut self, mut n: usize, out: &mut Vec<u8>) {
        self.may_be_bom = false;
        self.byte_offset += n as u64;
        let from_carry = n.min(self.carry.len());
        out.extend(self.carry.drain(..from_carry));
        n -= from_carry;
        while n > 0
            && let Some(first) = self.raw.front_mut()
        {
            let length = n.min(first.bytes.len() - first.at);
            out.extend_from_slice(&first.bytes[first.at..first.at + length]);
            first.at += length;
            n -= length;
            if first.at == first.bytes.len() {
                self.raw.pop_front();
            }
        }
    }

    /// Decodes some more; false if it needs more bytes first.
    ///
    /// # Errors
    /// The next bytes are undecodable and the policy is strict. They are kept.
    pub fn step<T: Text>(&mut self, pending: &mut Pending<T>) -> Result<bool, DecodeError> {
        let stepped = self.decode_some(pending);
        pending.keeps_last = self.state.holds_cr();
        stepped
    }

    fn decode_some<T: Text>(&mut self, pending: &mut Pending<T>) -> Result<bool, DecodeError> {
        if self.may_be_bom && !self.step_over_bom() {
            return Ok(false);
        }
        if !self.carry.is_empty() {
            return self.decode_carry(pending);
        }
        let Some(first) = self.raw.front() else { return self.finish(pending) };
        if first.at == first.bytes.len() {
            if let Some(raw) = self.raw.pop_front() {
                pending.recycle(raw.bytes);
            }
            return Ok(true);
        }
        let kind = self.converter.verbatim(&self.state);
        if kind != Verbatim::Nothing
            && (self.append_or_adopt(kind, pending) || self.copy_prefix(kind, pending))
        {
            self.block = FIRST_BLOCK;
            return Ok(true);
        }
        self.convert_block(pending)
    }

    /// Skips a byte order mark; false if it needs more bytes to decide.
    fn step_over_bom(&mut self) -> bool {
        let converter = &self.converter;
        let bom = converter.encoding.bom();
        let start = self.peek(bom.len());
        if start.len() < bom.len() && bom.starts_with(&start) && !self.ended {
            return false;
        }
        if !bom.is_empty() && start == bom {
            let length = bom.len();
            self.take(length, &mut Vec::new());
        }
        self.may_be_bom = false;
        true
    }

    fn append_or_adopt<T: Text>(&mut self, kind: Verbatim, pending: &mut Pending<T>) -> bool {
        let Some(first) = self.raw.front_mut() else { return false };
        let length = first.bytes.len() - first.at;
        let follows_text = pending.chunks.back().is_some_and(|last| last.origin.is_none());
        let is_sparse = first.bytes.len() < first.bytes.capacity() / 4;
        if pending.direct.is_some()
            || first.is_mixed
            || is_sparse
            || length <= SMALL && follows_text
        {
            return false;
        }
        if self.converter.unfolded_prefix(&first.bytes[first.at..]) < length {
            first.is_mixed = true;
            return false;
        }
        let Some(mut raw) = self.raw.pop_front() else { return false };
        let tail_at = raw.bytes.len() - T::tail(kind, &raw.bytes[raw.at..]);
        self.carry.extend_from_slice(&raw.bytes[tail_at..]);
        raw.bytes.truncate(tail_at);
        raw.bytes[..raw.at].fill(b' ');
        match T::adopt_verbatim(kind, raw.bytes) {
            Ok(text) => {
                let length = text.bytes().len() - raw.at;
                self.byte_offset += length as u64;
                pending.counters.adopted_bytes += length as u64;
                pending.push(text, raw.at, None);
                true
            }
            Err(bytes) => {
                raw.bytes = bytes;
                raw.bytes.append(&mut self.carry);
                raw.is_mixed = true;
                self.raw.push_front(raw);
                false
            }
        }
    }

    fn copy_prefix<T: Text>(&mut self, kind: Verbatim, pending: &mut Pending<T>) -> bool {
        let Some(first) = self.raw.front_mut() else { return false };
        let rest = &first.bytes[first.at..];
        let rest = &rest[..rest.len() - T::tail(kind, rest)];
        let unfolded = &rest[..self.converter.unfolded_prefix(rest)];
        let length = verbatim_prefix::<T>(kind, unfolded);
        if length == 0 || length < BLOCK / 2 && length < rest.len() {
            return false;
        }
        if first.is_mixed && length == rest.len() {
            // The rest of the chunk can now be adopted.
            first.is_mixed = false;
            if self.append_or_adopt(kind, pending) {
                return true;
            }
        }
        let Some(first) = self.raw.front_mut() else { return false };
        let unfolded = &first.bytes[first.at..];
        let length = append_verbatim(kind, &unfolded[..length], pending);
        first.at += length;
        self.byte_offset += length as u64;
        length > 0
    }

    fn convert_block<T: Text>(&mut self, pending: &mut Pending<T>) -> Result<bool, DecodeError> {
        let Some(first) = self.raw.front_mut() else { return Ok(false) };
        let rest = &first.bytes[first.at..];
        let mut size = rest.len().min(self.block);
        self.block = BLOCK.min(2 * self.block);
        loop {
            let Decoded { consumed, undecodable } =
                convert(&self.converter, &mut self.state, &rest[..size], pending);
            first.at += consumed;
            self.byte_offset += consumed as u64;
            if consumed > 0 {
                return Ok(true);
            }
            if undecodable > 0 {
                return Err(self.error(DecodeErrorKind::Undecodable, undecodable, pending));
            }
            if size == rest.len() {
                break;
            }
            size = rest.len().min(2 * size);
        }
        self.carry.extend_from_slice(rest);
        if let Some(raw) = self.raw.pop_front() {
            pending.recycle(raw.bytes);
        }
        Ok(true)
    }

    /// Decodes a character that a chunk's end has cut, byte by byte.
    fn decode_carry<T: Text>(&mut self, pending: &mut Pending<T>) -> Result<bool, DecodeError> {
        loop {
            let kind = self.converter.verbatim(&self.state);
            let whole = self.carry.len() - T::tail(kind, &self.carry);
            let unfolded = self.converter.unfolded_prefix(&self.carry[..whole]);
            let verbatim = verbatim_prefix::<T>(kind, &self.carry[..unfolded]);
            let Decoded { consumed, undecodable } = if verbatim > 0 {
                Decoded {
                    consumed: append_verbatim(kind, &self.carry[..verbatim], pending),
                    undecodable: 0,
                }
            } else {
                convert(&self.converter, &mut self.state, &self.carry, pending)
            };
            if consumed > 0 {
                self.carry.drain(..consumed);
                self.byte_offset += consumed as u64;
                return Ok(true);
            }
            if undecodable > 0 {
                return Err(self.error(DecodeErrorKind::Undecodable, undecodable, pending));
            }
            let Some(first) = self.raw.front_mut() else { return self.finish(pending) };
            if let Some(byte) = first.bytes.get(first.at) {
                self.carry.push(*byte);
                first.at += 1;
            } else if let Some(raw) = self.raw.pop_front() {
                pending.recycle(raw.bytes);
            }
        }
    }

    /// Handles the end of the input; false if it has not ended, or nothing is left.
    fn finish<T: Text>(&mut self, pending: &mut Pending<T>) -> Result<bool, DecodeError> {
        if !self.ended || self.carry.is_empty() && !self.state.holds_cr() {
            return Ok(false);
        }
        let before = self.state.fork();
        let direct = pending.append_direct(&self.carry, |text| {
            self.converter.finish(&mut self.state, &self.carry, text)
        });
        let (decoded, text) = match direct {
            Some(decoded) => (decoded, None),
            None => {
                let mut text = pending.new_text();
                let decoded = self.converter.finish(&mut self.state, &self.carry, &mut text);
                (decoded, Some(text))
            }
        };
        if decoded.undecodable > 0 {
            return Err(self.error(DecodeErrorKind::Incomplete, self.carry.len(), pending));
        }
        self.byte_offset += self.carry.len() as u64;
        let Some(text) = text else {
            self.carry.clear();
            return Ok(true);
        };
        let bytes = std::mem::take(&mut self.carry);
        pending.push(text, 0, Some(Box::new(Origin { bytes, state: before })));
        Ok(true)
    }

    fn error<T: Text>(
        &self,
        kind: DecodeErrorKind,
        length: usize,
        pending: &Pending<T>,
    ) -> DecodeError {
        let place = pending.place_at_end();
        let mut bytes = self.peek(length + 3);
        let after = bytes.split_off(length.min(bytes.len()));
        DecodeError {
            encoding: self.converter.encoding.name().into(),
            kind,
            byte_offset: self.byte_offset,
            line: place.line(),
            column: place.column(),
            bytes: bytes.into(),
            before: pending.bytes_at_end().into(),
            after: after.into(),
        }
    }

    pub fn take_back<T: Text>(&mut self, pending: &mut Pending<T>) {
        let carry = std::mem::take(&mut self.carry);
        let mut returned = vec![Raw { bytes: carry, at: 0, is_mixed: false }];
        let mut state = None;
        if let Some(first) = pending.chunks.front() {
            pending.place.advance(&first.text.bytes()[first.counted..first.from]);
        }
        // From the last chunk to the first, so that the state before the first one remains.
        while let Some(index) = pending.chunks.len().checked_sub(1) {
            let is_taken = pending.is_taken(index);
            let Some(chunk) = pending.chunks.pop_back() else { break };
            pending.retired += 1;
            if is_taken {
                continue;
            }
            let (bytes, at) = match chunk.origin {
                None => (chunk.text.into_bytes(), chunk.from),
                Some(origin) => {
                    let (at_text, at) = self.locate::<T>(&origin, chunk.from);
                    state = Some(at_text);
                    (origin.bytes, at)
                }
            };
            self.byte_offset -= (bytes.len() - at) as u64;
            returned.push(Raw { bytes, at, is_mixed: false });
        }
        for raw in returned {
            if raw.at < raw.bytes.len() {
                self.raw.push_front(raw);
            }
        }
        if let Some(state) = state {
            self.state = state;
        }
        pending.keeps_last = false;
    }

    /// The position in bytes, within a converted chunk, of the text at `text_at`, and the state
    /// there. Decodes the chunk again to find it.
    pub fn locate<T: Text>(&self, origin: &Origin, text_at: usize) -> (State, usize) {
        let mut state = origin.state.fork();
        let (mut text, mut consumed, mut end) = (T::default(), 0, 0);
        let mut is_near = false;
        while text.bytes().len() < text_at && end < origin.bytes.len() {
            let step = (text_at - text.bytes().len()) / 4;
            if !is_near && step > 1 {
                let (mut ahead, length) = (state.fork(), text.bytes().len());
                let next = origin.bytes.len().min(end + step);
                let decoded =
                    self.converter.convert(&mut ahead, &origin.bytes[consumed..next], &mut text);
                is_near = text.bytes().len() >= text_at;
                if is_near {
                    text.truncate_to(length);
                } else {
                    (state, end) = (ahead, next);
                    consumed += decoded.consumed;
                }
                continue;
            }
            end += 1;
            let decoded =
                self.converter.convert(&mut state, &origin.bytes[consumed..end], &mut text);
            consumed += decoded.consumed;
        }
        (state, consumed)
    }
}

fn append_verbatim<T: Text>(kind: Verbatim, bytes: &[u8], pending: &mut Pending<T>) -> usize {
    if let Some(decoded) = pending.append_direct(bytes, |text| Decoded {
        consumed: text.push_verbatim(kind, bytes),
        undecodable: 0,
    }) {
        return decoded.consumed;
    }
    pending.counters.converted_bytes += bytes.len() as u64;
    if let Some(last) = pending.chunks.back_mut()
        && last.origin.is_none()
        && last.text.bytes().len() + bytes.len() <= MAX_APPENDED
    {
        return last.text.push_verbatim(kind, bytes);
    }
    let mut text = pending.new_text();
    let length = text.push_verbatim(kind, bytes);
    pending.push(text, 0, None);
    length
}

fn convert<T: Text>(
    converter: &Converter,
    state: &mut State,
    input: &[u8],
    pending: &mut Pending<T>,
) -> Decoded {
    if let Some(decoded) =
        pending.append_direct(input, |text| converter.convert(state, input, text))
    {
        return decoded;
    }
    if let Some(last) = pending.chunks.back_mut()
        && let Some(origin) = &mut last.origin
        && origin.bytes.len() + input.len() <= BLOCK
    {
        let decoded = converter.convert(state, input, &mut last.text);
        origin.bytes.extend_from_slice(&input[..decoded.consumed]);
        pending.counters.converted_bytes += decoded.consumed as u64;
        return decoded;
    }
    let before = state.fork();
    let mut text = pending.new_text();
    let decoded = converter.convert(state, input, &mut text);
    if decoded.consumed == 0 && text.bytes().is_empty() {
        pending.recycle(text.into_bytes());
        return decoded;
    }
    let mut bytes = pending.new_text().into_bytes();
    bytes.clear();
    bytes.extend_from_slice(&input[..decoded.consumed]);
    pending.counters.converted_bytes += decoded.consumed as u64;
    pending.push(text, 0, Some(Box::new(Origin { bytes, state: before })));
    decoded
}
