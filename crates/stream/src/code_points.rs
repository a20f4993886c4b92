//! How many code points the records of a chunk have, counted for all of them in one pass.
//!
//! Asking each record whether it is valid UTF-8 and how many code points it has costs 28 ns for 90
//! bytes, most of it in beginnings and ends; one pass over the 4 KiB of the chunk, which is still
//! in the first-level cache, costs 6 ns for each. It is made when somebody asks, and only where
//! many have asked: at least every fourth record of the chunk before. Programs that never ask pay
//! for a few instructions a chunk.

use crate::chunk::{BLOCKS, ROOM};
use riverhawk_simd::BLOCK;
use std::ops::Range;

/// Of so many records of a chunk one must have asked to have those of the next counted together: a
/// chunk of 45 records costs as much as 10 of them alone.
const ASKED_OF: usize = 4;

/// What is known about the chunk being worked off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nobody has asked yet, or too few have.
    Open,
    /// Valid UTF-8 and counted.
    Counted,
    /// Not valid, or moved away.
    Refused,
}

/// The code points of one chunk of records, each ended by an ASCII byte.
#[derive(Debug)]
pub(crate) struct CodePoints {
    state: State,
    /// For each mark of a chunk that is counted, how many code points begin before it; allocated
    /// when first needed.
    ranks: Vec<u16>,
    /// How many begin in the chunk.
    total: usize,
    /// How many begin between the last mark before the chunk and the chunk, if that text is valid
    /// as far as it goes.
    carried: Option<usize>,
    /// How many records of the chunk have asked.
    asked: usize,
    /// Enough have asked in the chunk before.
    wanted: bool,
}

impl CodePoints {
    pub(crate) fn new() -> Self {
        Self {
            state: State::Open,
            ranks: Vec::new(),
            total: 0,
            carried: Some(0),
            asked: 0,
            wanted: false,
        }
    }

    /// A new chunk begins, behind one with `count` marks.
    #[inline]
    pub(crate) fn next_chunk(&mut self, count: usize) {
        self.carried = match self.state {
            // A record that ended in it has asked, so it had a mark.
            State::Counted => Some(self.total - usize::from(self.ranks[count - 1]) - 1),
            _ => None,
        };
        self.wanted = self.asked * ASKED_OF >= count;
        self.asked = 0;
        self.state = State::Open;
    }

    /// A record begins with the next chunk.
    pub(crate) fn restart(&mut self) {
        self.carried = Some(0);
        self.state = State::Open;
    }

    /// How many code points the record has that ends at mark `mark`; `None` if they have not been
    /// counted.
    #[inline]
    pub(crate) fn of(&mut self, mark: usize) -> Option<usize> {
        self.asked += 1;
        if self.state != State::Counted {
            return None;
        }
        let rank = usize::from(*self.ranks.get(mark)?);
        match mark {
            0 => self.carried.map(|carried| carried + rank),
            // The separator before the record is a code point too.
            _ => Some(rank - usize::from(self.ranks[mark - 1]) - 1),
        }
    }

    /// Whether the chunk is worth counting.
    #[inline]
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted && self.state == State::Open
    }

    /// Counts `chunk`, a range of `text`, whose marks stand at `places`. The text from `since` on
    /// belongs to its records.
    #[inline(never)]
    pub(crate) fn count(&mut self, places: &[u16], text: &[u8], since: usize, chunk: Range<usize>) {
        self.state = State::Refused;
        // The chunk's beginning may have been given up since it was marked.
        let (Some(before), Some(chunk)) = (text.get(since..chunk.start), text.get(chunk)) else {
            return;
        };
        self.ranks.resize(ROOM, 0);
        let mut marks = [0; BLOCKS];
        if riverhawk_simd::mark_code_points(before, chunk, &mut marks) {
            let blocks = chunk.len().div_ceil(BLOCK);
            self.total = riverhawk_simd::rank_places(&marks[..blocks], places, &mut self.ranks);
            self.state = State::Counted;
        }
    }
}
