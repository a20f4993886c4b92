//! Marks separators of one byte, or the last one of a few, and whether the text is ASCII.
//!
//! Text is marked 4 KiB at a time, just before use, so that it is in the first-level cache. Taking
//! a record is then a load.

use crate::chunk::{BLOCKS, CHUNK, ROOM};

use crate::code_points::CodePoints;
use crate::ends::Ends;
use crate::places::Places;
use riverhawk_simd::{BLOCK, QuoteState, Quoting};

/// Indexes into the window's block. They wrap: after a move the chunk may begin "before" 0; a mark
/// never does.
#[derive(Debug)]
pub(crate) struct Marks {
    next: usize,
    count: usize,
    chunk_at: usize,
    /// Since the last mark taken.
    clean: bool,
    /// From the last mark before this chunk to its start.
    carried: bool,
    flags: u64,
    marked_to: usize,
    /// At `marked_to`, where quotes count.
    quotes: QuoteState,
    /// Counted from `chunk_at`.
    places: Places,
    /// Where marking without a break began; no record of this chunk begins earlier.
    since: usize,
    code_points: CodePoints,
}

impl Marks {
    pub(crate) fn new() -> Self {
        Self {
            next: 0,
            count: 0,
            chunk_at: 0,
            clean: true,
            carried: false,
            flags: 0,
            marked_to: 0,
            quotes: QuoteState::START,
            places: Places::new(),
            since: 0,
            code_points: CodePoints::new(),
        }
    }

    /// The next mark in this chunk, and whether the text since the last one is certainly ASCII.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Option<(usize, bool)> {
        if self.next == self.count {
            return None;
        }
        let place = self.places[self.next % ROOM] as usize;
        let is_ascii = self.clean || self.since_last_is_ascii(place);
        self.next += 1;
        Some((self.chunk_at.wrapping_add(place), is_ascii))
    }

    /// Undoes the last [`take`](Self::take).
    #[inline]
    pub(crate) fn put_back(&mut self) {
        self.next -= 1;
    }

    #[inline]
    fn since_last_is_ascii(&self, place: usize) -> bool {
        let (from, carried) = self.last_block();
        self.flags & (!0 << from) & (!0 >> (BLOCKS - 1 - place / BLOCK % BLOCKS)) == 0 && !carried
    }

    #[inline]
    fn last_block(&self) -> (usize, bool) {
        match self.next {
            0 => (0, self.carried),
            next => (self.places[(next - 1) % ROOM] as usize / BLOCK % BLOCKS, false),
        }
    }

    /// Marks the next chunk when [`take`](Self::take) has none left; false if all is marked.
    #[inline]
    pub(crate) fn mark_more(&mut self, text: &[u8], separator: u8) -> bool {
        self.mark_by(text, |chunk, words, flags, _| {
            riverhawk_simd::mark_byte(chunk, separator, words, flags)
        })
    }

    #[inline]
    pub(crate) fn mark_more_rows(&mut self, text: &[u8], quoting: Quoting) -> bool {
        self.mark_by(text, |chunk, words, flags, quotes| {
            riverhawk_simd::mark_rows(chunk, quoting, quotes, words, flags);
        })
    }

    #[inline(always)]
    fn mark_by(
        &mut self,
        text: &[u8],
        mark: impl Fn(&[u8], &mut [u64], &mut [u64], &mut QuoteState),
    ) -> bool {
        debug_assert!(self.next == self.count);
        let Some(rest) = text.get(self.marked_to..).filter(|rest| !rest.is_empty()) else {
            return false;
        };
        let chunk = &rest[..rest.len().min(CHUNK)];
        self.carried = !self.rest_is_ascii();
        self.code_points.next_chunk(self.count);
        let mut words = [0; BLOCKS];
        // Bits after the last block are stale.
        self.flags = 0;
        mark(chunk, &mut words, std::slice::from_mut(&mut self.flags), &mut self.quotes);
        self.count = riverhawk_simd::gather_places(
            &words[..chunk.len().div_ceil(BLOCK)],
            &mut self.places[..],
        );
        self.next = 0;
        self.clean = self.flags == 0 && !self.carried;
        self.chunk_at = self.marked_to;
        self.marked_to += chunk.len();
        true
    }

    /// Marks `string` in the next chunk when `ends` has none left; false if all is marked. Strings
    /// do not overlap and lie after `floor`, the start of the record.
    #[inline(never)]
    pub(crate) fn mark_more_strings(
        &mut self,
        text: &[u8],
        string: &[u8],
        floor: usize,
        ends: &mut Ends,
    ) -> bool {
        let Some(rest) = text.get(self.marked_to..).filter(|rest| !rest.is_empty()) else {
            return false;
        };
        let [first, .., last] = string else { return false };
        // What begins in one chunk and ends in the next belongs to the next.
        let from = self.marked_to.saturating_sub(string.len() - 1).max(floor);
        let chunk = &rest[..rest.len().min(CHUNK)];
        let (mut words, mut flags) = ([0; BLOCKS], 0);
        riverhawk_simd::mark_byte(chunk, *last, &mut words, std::slice::from_mut(&mut flags));
        let count = riverhawk_simd::gather_places(
            &words[..chunk.len().div_ceil(BLOCK)],
            &mut self.places[..],
        );
        ends.begin(from, self.marked_to + chunk.len() - from);
        if flags == 0 && text[from..self.marked_to].is_ascii() {
            ends.note_ascii();
        }
        let mut free_from = from;
        for &place in &self.places[..count.min(ROOM)] {
            let end = self.marked_to + place as usize + 1;
            let start = end.wrapping_sub(string.len());
            if end < free_from + string.len() || text[start] != *first {
                continue;
            }
            if string.len() == 2 || text[start..end] == *string {
                ends.add(start - from, end - from);
                free_from = end;
            }
        }
        self.marked_to += chunk.len();
        true
    }

    pub(crate) fn restart_at(&mut self, at: usize) {
        self.next = 0;
        self.count = 0;
        self.clean = true;
        self.carried = false;
        self.flags = 0;
        self.marked_to = at;
        self.quotes = QuoteState::START;
        self.since = at;
        self.code_points.restart();
    }

    pub(crate) fn shift(&mut self, by: usize) {
        self.chunk_at = self.chunk_at.wrapping_sub(by);
        // Other separators leave the marks unused.
        self.marked_to = self.marked_to.saturating_sub(by);
        self.since = self.since.saturating_sub(by);
    }

    /// The code points of the record ending at `end`, if it was taken last, its chunk is UTF-8 and
    /// enough records were asked for. The separator must be ASCII.
    #[inline]
    pub(crate) fn code_points(&mut self, text: &[u8], end: usize) -> Option<usize> {
        let mark = self.next.checked_sub(1)?;
        if self.chunk_at.wrapping_add(self.places[mark % ROOM] as usize) != end {
            return None;
        }
        if self.code_points.is_wanted() {
            let chunk = self.chunk_at..self.marked_to;
            self.code_points.count(&self.places[..self.count.min(ROOM)], text, self.since, chunk);
        }
        self.code_points.of(mark)
    }

    /// For the rest after the last mark.
    pub(crate) fn rest_is_ascii(&self) -> bool {
        let (from, carried) = self.last_block();
        self.flags & (!0 << from) == 0 && !carried
    }
}
