//! Decoded text that has not been taken, as a queue of chunks.

use super::DecoderCounters;
use crate::encoding::convert::State;
use crate::encoding::place::{LineBytes, TextPosition, keep_recent};
use crate::encoding::{Decoded, Text};
use std::collections::VecDeque;

/// Buffers kept for reuse. A chunk that is read into, its text, its bytes, and a joined line are
/// needed at once.
const MAX_SPARE: usize = 4;

pub(super) struct Chunk<T> {
    pub text: T,
    /// Bytes before it were used before the chunk was adopted.
    start: usize,
    pub from: usize,
    /// The text before it is counted in `place`.
    pub counted: usize,
    /// Where the text came from, unless it is the same bytes.
    pub origin: Option<Box<Origin>>,
    pub seen: Seen,
}

/// What the search for LF counted before `upto`, while the text was in the first-level cache.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    pub upto: usize,
    pub ends: LineBytes,
}

impl<T: Text> Chunk<T> {
    fn count_into(&self, place: &mut TextPosition) {
        let text = self.text.bytes();
        if self.counted == self.start && self.seen.upto == text.len() {
            place.advance_over(&text[self.start..], self.seen.ends);
        } else {
            place.advance(&text[self.counted..]);
        }
    }

    fn source(&self) -> &[u8] {
        match &self.origin {
            Some(origin) => &origin.bytes,
            None => &self.text.bytes()[self.start..],
        }
    }
}

pub(super) struct Origin {
    pub bytes: Vec<u8>,
    pub state: State,
}

/// A position in the queue: a chunk, counted from the front, and an index in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub chunk: usize,
    pub at: usize,
}

/// Where the text that is not taken begins: chunk number ([`Pending::retired`]) and position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub chunk: u64,
    at: usize,
}

pub(super) enum Taken {
    First(std::ops::Range<usize>),
    Joined,
}

pub(super) struct Pending<T> {
    pub chunks: VecDeque<Chunk<T>>,
    /// How many chunks have left the queue, which is the number of the first chunk in it.
    pub retired: u64,
    pub joined: T,
    pub spare: Vec<Vec<u8>>,
    /// Whether the last chunk stays although it was taken, because one of its characters is
    /// withheld.
    pub keeps_last: bool,
    /// Whether positions are counted; only errors of a strict decoder report them.
    pub tracks_place: bool,
    /// Position of the text before `chunks` and `recent`.
    pub place: TextPosition,
    /// The last bytes before the first chunk.
    pub recent: Vec<u8>,
    pub counters: DecoderCounters,
    /// The caller's text, if decoding appends to it instead of the queue.
    pub direct: Option<T>,
}

impl<T: Text> Pending<T> {
    pub fn new() -> Self {
        Pending {
            chunks: VecDeque::new(),
            retired: 0,
            joined: T::default(),
            spare: Vec::new(),
            keeps_last: false,
            tracks_place: true,
            place: TextPosition::default(),
            recent: Vec::new(),
            counters: DecoderCounters::default(),
            direct: None,
        }
    }

    /// Appends by `decode` to the caller's text, if there is one; returns the bytes decoded.
    pub fn append_direct(
        &mut self,
        input: &[u8],
        decode: impl FnOnce(&mut T) -> Decoded,
    ) -> Option<Decoded> {
        let text = self.direct.as_mut()?;
        let from = text.bytes().len();
        let decoded = decode(text);
        self.counters.converted_bytes += decoded.consumed as u64;
        if self.tracks_place {
            self.place.advance(&text.bytes()[from..]);
            keep_recent(&mut self.recent, &input[..decoded.consumed]);
        }
        Some(decoded)
    }

    /// Drops chunks that have been taken. Their text must no longer be borrowed.
    #[inline]
    pub fn retire(&mut self) {
        while self.is_taken(0) {
            self.pop();
        }
    }

    /// Whether all of a chunk has been taken and none of its characters is withheld.
    #[inline]
    pub fn is_taken(&self, index: usize) -> bool {
        self.chunks.get(index).is_some_and(|chunk| chunk.from == chunk.text.bytes().len())
            && !(self.keeps_last && self.chunks.len() == index + 1)
    }

    fn pop(&mut self) {
        if let Some(chunk) = self.chunks.pop_front() {
            self.retired += 1;
            if self.tracks_place {
                chunk.count_into(&mut self.place);
                keep_recent(&mut self.recent, chunk.source());
            }
            if let Some(origin) = chunk.origin {
                self.recycle(origin.bytes);
            }
            self.recycle(chunk.text.into_bytes());
        }
    }

    pub fn drain_into(&mut self, out: &mut T) {
        while let Some(first) = self.chunks.front_mut() {
            let length = first.text.bytes().len();
            out.push(first.text.slice(first.from..length));
            first.from = length;
            self.pop();
        }
        self.keeps_last = false;
    }

    pub fn recycle(&mut self, mut buffer: Vec<u8>) {
        if self.spare.len() == MAX_SPARE {
            let smallest = self.spare.iter_mut().min_by_key(|spare| spare.capacity());
            match smallest {
                Some(spare) if spare.capacity() < buffer.capacity() => {
                    std::mem::swap(spare, &mut buffer)
                }
                _ => {}
            }
        } else if buffer.capacity() > 0 {
            self.spare.push(buffer);
        }
    }

    pub fn largest_spare(&mut self) -> Vec<u8> {
        let largest = (0..self.spare.len()).max_by_key(|at| self.spare[*at].capacity());
        largest.map(|at| self.spare.swap_remove(at)).unwrap_or_default()
    }

    /// An empty text, in the smallest spare buffer.
    pub fn new_text(&mut self) -> T {
        let smallest = (0..self.spare.len()).min_by_key(|at| self.spare[*at].capacity());
        T::from_empty(smallest.map(|at| self.spare.swap_remove(at)).unwrap_or_default())
    }

    pub fn push(&mut self, text: T, from: usize, origin: Option<Box<Origin>>) {
        self.chunks.push_back(Chunk {
            text,
            start: from,
            from,
            counted: from,
            origin,
            seen: Seen { upto: from, ..Seen::default() },
        });
    }

    /// Where the text that has not been taken begins.
    pub fn head(&self) -> Head {
        Head { chunk: self.retired, at: self.chunks.front().map_or(0, |first| first.from) }
    }

    pub fn end(&self) -> Spot {
        match self.chunks.back() {
            Some(last) => Spot { chunk: self.chunks.len() - 1, at: last.text.bytes().len() },
            None => Spot { chunk: 0, at: 0 },
        }
    }

    pub fn is_empty(&self) -> bool {
        self.chunks.iter().all(|chunk| chunk.from == chunk.text.bytes().len())
    }

    pub fn byte_from(&self, spot: Spot) -> Option<u8> {
        let first = self.chunks.get(spot.chunk)?.text.bytes().get(spot.at).copied();
        first.or_else(|| {
            let mut later = self.chunks.iter().skip(spot.chunk + 1);
            later.find_map(|chunk| chunk.text.bytes().get(chunk.from).copied())
        })
    }

    /// Whether `string` ends at `end`, in text that was not taken.
    #[inline]
    pub fn ends_with(&self, end: Spot, string: &[u8]) -> bool {
        let Some(chunk) = self.chunks.get(end.chunk) else { return false };
        let before = &chunk.text.bytes()[chunk.from.min(end.at)..end.at];
        if before.len() >= string.len() {
            return before.ends_with(string);
        }
        self.ends_with_across(end, string)
    }

    /// As [`ends_with`](Self::ends_with), where chunks meet.
    fn ends_with_across(&self, end: Spot, mut string: &[u8]) -> bool {
        let mut at = end.at;
        for index in (0..=end.chunk).rev() {
            let chunk = &self.chunks[index];
            let before = &chunk.text.bytes()[chunk.from.min(at)..at];
            let length = before.len().min(string.len());
            let (front, back) = string.split_at(string.len() - length);
            if !before.ends_with(back) {
                return false;
            }
            string = front;
            if string.is_empty() {
                return true;
            }
            at = index.checked_sub(1).map_or(0, |index| self.chunks[index].text.bytes().len());
        }
        false
    }

    /// Takes the text before `end`, without its last `strip` bytes.
    #[inline]
    pub fn take(&mut self, end: Spot, strip: usize) -> Taken {
        if end.chunk == 0 {
            let Some(first) = self.chunks.front_mut() else { return Taken::First(0..0) };
            let from = std::mem::replace(&mut first.from, end.at);
            return Taken::First(from..end.at - strip);
        }
        self.join(end);
        self.joined.truncate_to(self.joined.bytes().len() - strip);
        Taken::Joined
    }

    fn join(&mut self, end: Spot) {
        let memory = std::mem::take(&mut self.joined).into_bytes();
        let mut joined = T::from_empty(memory);
        for chunk in self.chunks.iter_mut().take(end.chunk) {
            let length = chunk.text.bytes().len();
            joined.push(chunk.text.slice(chunk.from..length));
            chunk.from = length;
        }
        for _ in 0..end.chunk {
            self.pop();
        }
        if let Some(first) = self.chunks.front_mut() {
            joined.push(first.text.slice(first.from..end.at));
            first.from = end.at;
        }
        self.counters.joined_bytes += joined.bytes().len() as u64;
        self.joined = joined;
    }

    #[inline]
    pub fn lend_first(&self, from: usize, end: usize) -> &T::Slice {
        match self.chunks.front() {
            Some(first) => first.text.slice(from..end),
            None => self.joined.slice(0..0),
        }
    }

    #[inline]
    pub fn lend(&self, taken: Taken) -> &T::Slice {
        match taken {
            Taken::First(range) => match self.chunks.front() {
                Some(first) => first.text.slice(range),
                None => self.joined.slice(0..0),
            },
            Taken::Joined => std::borrow::Borrow::borrow(&self.joined),
        }
    }

    /// Takes the text before `end`, owned: a whole chunk is moved, other text is copied.
    pub fn take_owned(&mut self, end: Spot, strip: usize) -> T {
        self.retire();
        let is_whole = end.chunk == 0
            && !self.keeps_last
            && self
                .chunks
                .front()
                .is_some_and(|first| first.from == 0 && end.at == first.text.bytes().len());
        if is_whole && let Some(chunk) = self.chunks.front_mut() {
            if self.tracks_place {
                chunk.count_into(&mut self.place);
                keep_recent(&mut self.recent, chunk.source());
            }
            let mut text = std::mem::take(&mut chunk.text);
            if let Some(origin) = &mut chunk.origin {
                origin.bytes.clear();
            }
            // The empty chunk leaves the queue.
            (chunk.start, chunk.from, chunk.counted) = (0, 0, 0);
            text.truncate_to(end.at - strip);
            self.counters.handed_over += 1;
            return text;
        }
        match self.take(end, strip) {
            Taken::Joined => std::mem::take(&mut self.joined),
            taken => {
                let text = self.lend(taken).to_owned();
                self.counters.copied_out_bytes += text.bytes().len() as u64;
                text
            }
        }
    }

    pub fn place_at_end(&self) -> TextPosition {
        let mut place = self.place;
        for chunk in &self.chunks {
            chunk.count_into(&mut place);
        }
        place
    }

    pub fn bytes_at_end(&self) -> Vec<u8> {
        let mut recent = self.recent.clone();
        for chunk in self.chunks.iter().skip(self.chunks.len().saturating_sub(3)) {
            keep_recent(&mut recent, chunk.source());
        }
        recent
    }
}
