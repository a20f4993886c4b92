//! Counts the code points of all records of a chunk in one pass.
//!
//! Counting each record costs mostly its start and end. The pass is made if at least a quarter of
//! the records of the chunk before were asked for.

use crate::chunk::{BLOCKS, ROOM};
use riverhawk_simd::BLOCK;
use std::ops::Range;

const ASKED_OF: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CountState {
    Open,
    /// Valid UTF-8 and counted.
    Counted,
    /// Invalid, or moved.
    Refused,
}

/// The code points of one chunk of records, each ended by an ASCII byte.
#[derive(Debug)]
pub(crate) struct CodePoints {
    state: CountState,
    /// Code points of the chunk before each mark.
    ranks: Vec<u16>,
    total: usize,
    /// Code points between the last mark before the chunk and the chunk, if valid.
    carried: Option<usize>,
    asked: usize,
    /// Enough were asked for in the chunk before.
    wanted: bool,
}

impl CodePoints {
    pub(crate) fn new() -> Self {
        Self {
            state: CountState::Open,
            ranks: Vec::new(),
            total: 0,
            carried: Some(0),
            asked: 0,
            wanted: false,
        }
    }

    /// After a chunk with `count` marks.
    #[inline]
    pub(crate) fn next_chunk(&mut self, count: usize) {
        self.carried = match self.state {
            CountState::Counted => Some(self.total - usize::from(self.ranks[count - 1]) - 1),
            _ => None,
        };
        self.wanted = self.asked * ASKED_OF >= count;
        self.asked = 0;
        self.state = CountState::Open;
    }

    pub(crate) fn restart(&mut self) {
        self.carried = Some(0);
        self.state = CountState::Open;
    }

    /// The code points of the record ending at `mark`, if counted.
    #[inline]
    pub(crate) fn of(&mut self, mark: usize) -> Option<usize> {
        self.asked += 1;
        if self.state != CountState::Counted {
            return None;
        }
        let rank = usize::from(*self.ranks.get(mark)?);
        match mark {
            0 => self.carried.map(|carried| carried + rank),
            // The separator before the record is a code point.
            _ => Some(rank - usize::from(self.ranks[mark - 1]) - 1),
        }
    }

    #[inline]
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted && self.state == CountState::Open
    }

    /// Counts `chunk`, a range of `text` with marks at `places`; its records begin at `since`.
    #[inline(never)]
    pub(crate) fn count(&mut self, places: &[u16], text: &[u8], since: usize, chunk: Range<usize>) {
        self.state = CountState::Refused;
        // The chunk's start may have been given away.
        let (Some(before), Some(chunk)) = (text.get(since..chunk.start), text.get(chunk)) else {
            return;
        };
        self.ranks.resize(ROOM, 0);
        let mut marks = [0; BLOCKS];
        if riverhawk_simd::mark_code_points(before, chunk, &mut marks) {
            let blocks = chunk.len().div_ceil(BLOCK);
            self.total = riverhawk_simd::rank_places(&marks[..blocks], places, &mut self.ranks);
            self.state = CountState::Counted;
        }
    }
}
