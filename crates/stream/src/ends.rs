//! The ends of records found before they are asked for: taking a record is then a load.

use crate::record::Record;

/// Ends of records, in the order of the text, of one chunk of it: some 4 KiB.
#[derive(Debug, Default)]
pub struct Ends {
    /// Where the chunk begins in the window. Wraps: after a move that may be "before" 0.
    chunk_at: usize,
    next: usize,
    /// Where a separator starts and ends in the chunk.
    places: Vec<(u16, u16)>,
    length: usize,
    is_ascii: bool,
}

impl Ends {
    /// Begins with `length` bytes at `at`, in which no end is known yet.
    pub(crate) fn begin(&mut self, at: usize, length: usize) {
        debug_assert!(u16::try_from(length).is_ok());
        self.chunk_at = at;
        self.length = length;
        self.is_ascii = false;
        self.clear();
    }

    /// The chunk is ASCII.
    pub(crate) fn note_ascii(&mut self) {
        self.is_ascii = true;
    }

    pub(crate) fn clear(&mut self) {
        self.next = 0;
        self.places.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The separator after those that were pushed before is `start..end` of the chunk. False, and
    /// nothing is added, if it begins before the last one's end, is empty or ends outside.
    #[inline]
    pub fn push(&mut self, start: usize, end: usize) -> bool {
        let last = self.places.last().map_or(0, |&(_, end)| usize::from(end));
        let fits = last <= start && start < end && end <= self.length;
        if fits {
            self.add(start, end);
        }
        fits
    }

    /// As [`push`](Self::push), unchecked. A chunk's indexes fit.
    #[inline]
    pub(crate) fn add(&mut self, start: usize, end: usize) {
        self.places.push((start as u16, end as u16));
    }

    /// The next record in the window, which begins at `start`.
    #[inline(always)]
    pub(crate) fn take(&mut self, start: usize) -> Option<Record> {
        let &(end, terminator_end) = self.places.get(self.next)?;
        self.next += 1;
        Some(Record {
            start,
            end: self.chunk_at.wrapping_add(usize::from(end)),
            terminator_end: self.chunk_at.wrapping_add(usize::from(terminator_end)),
            ascii: self.is_ascii && (self.next > 1 || start == self.chunk_at),
        })
    }

    /// Undoes the last [`take`](Self::take).
    pub(crate) fn put_back(&mut self) {
        self.next -= 1;
    }

    /// After a move of the window's bytes.
    pub(crate) fn shift(&mut self, by: usize) {
        self.chunk_at = self.chunk_at.wrapping_sub(by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_come_in_order_and_lie_in_the_chunk() {
        let mut ends = Ends::default();
        ends.begin(100, 10);
        ends.note_ascii();
        assert!(ends.push(0, 1) && ends.push(1, 2) && ends.push(5, 10));
        for (start, end) in [(9, 11), (10, 10), (4, 6), (12, 11)] {
            assert!(!ends.push(start, end), "{start}..{end}");
        }
        let take = |ends: &mut Ends, start| {
            ends.take(start).map(|record| (record.end, record.terminator_end, record.ascii))
        };
        assert_eq!(take(&mut ends, 90), Some((100, 101, false)), "what lies before is unknown");
        assert_eq!(take(&mut ends, 101), Some((101, 102, true)));
        ends.put_back();
        ends.shift(101);
        assert_eq!(take(&mut ends, 0), Some((0, 1, true)));
        assert_eq!((take(&mut ends, 1), take(&mut ends, 9)), (Some((4, 9, true)), None));
        ends.begin(7, 3);
        assert!(ends.push(1, 2));
        assert_eq!(take(&mut ends, 7), Some((8, 9, false)));
    }
}
