//! Looking ahead for a literal: one search through the window answers for all the records in it.
//!
//! A rule such as `/needle/` asks the same of every record. Searching record by record pays for starting a search a million times;
//! searching the window once remembers where the literal stands next, and a record that ends before that place does not have it.
//! For a word that is in one line of a thousand this is one comparison a record.

use crate::runtime::Runtime;

/// Where a literal stands next in the window.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ahead {
    /// The state of the window that this is true of.
    epoch: u64,
    /// There is none from here ...
    from: usize,
    /// ... to here, where it stands, or where the window ends.
    next: usize,
}

impl Ahead {
    /// Where it stands next, or where the window ends.
    pub(crate) fn next(&self) -> usize {
        self.next
    }

    /// There is none from `from` to `next`.
    pub(crate) fn moved_to(&mut self, from: usize, next: usize) {
        self.from = from;
        self.next = next;
    }
}

impl Runtime {
    /// Whether the record has the literal that a constant regex is; `None` when it must be searched for in the usual way.
    #[inline]
    pub(crate) fn literal_ahead(&mut self, re: usize) -> Option<bool> {
        if !self.record.is_in_window() {
            return None;
        }
        let (start, window) = self.main.place_of(self.record.text())?;
        let end = start + self.record.text().len();
        let ahead = self.ahead.get_mut(re)?;
        if ahead.epoch == self.main.epoch() && ahead.from <= start && start <= ahead.next {
            if end <= ahead.next {
                return Some(false);
            }
        } else {
            let literal = self.patterns.literal(re)?;
            let next = literal.find(&window[start..]).map_or(window.len(), |at| start + at);
            *ahead = Ahead { epoch: self.main.epoch(), from: start, next };
        }
        // The literal may begin in this record and end in the next: then it is in neither.
        Some(ahead.next + self.patterns.literal(re)?.needle().len() <= end)
    }
}
