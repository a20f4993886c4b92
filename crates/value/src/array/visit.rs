//! Guesses the next entry for loops that look keys up in order of arrival, as `for (k in a) ...
//! a[k]` does: in a large table hash lookups miss the cache, while entries are read in order. A
//! wrong guess costs a comparison; after [`MAX_WRONG`] in a row guessing stops until the next
//! for-in or run of ordered lookups.

use std::cell::Cell;

/// Consecutive wrong guesses allowed: a body may look up a few other elements.
const MAX_WRONG: u8 = 8;

/// A hashed lookup at most this far ahead moves the guess: entries between were deleted or skipped.
const MAX_SKIPPED: usize = 64;

const MIN_RUN: u8 = 4;

#[derive(Clone, Debug, Default)]
pub(super) struct Visit {
    at: Cell<usize>,
    /// Wrong guesses left.
    trusted: Cell<u8>,
    run: Cell<u8>,
}

impl Visit {
    pub(super) fn begin(&self) {
        self.at.set(0);
        self.trusted.set(MAX_WRONG);
    }

    #[inline(always)]
    pub(super) fn guesses(&self) -> bool {
        self.trusted.get() > 0
    }

    #[inline]
    pub(super) fn find(&self, is: impl Fn(usize) -> bool) -> Option<usize> {
        let trusted = self.trusted.get();
        if trusted == 0 {
            return None;
        }
        let at = self.at.get();
        let found = [at, at + 1].into_iter().find(|&at| is(at));
        match found {
            Some(at) => {
                self.at.set(at);
                self.trusted.set(MAX_WRONG);
            }
            None => self.trusted.set(trusted - 1),
        }
        found
    }

    #[inline(always)]
    pub(super) fn moved(&self, to: usize) {
        let ahead = to.wrapping_sub(self.at.get());
        if self.trusted.get() > 0 {
            if ahead <= MAX_SKIPPED {
                self.at.set(to);
            }
            return;
        }
        self.at.set(to);
        if ahead != 1 {
            self.run.set(0);
        } else if self.run.get() < MIN_RUN {
            self.run.set(self.run.get() + 1);
        } else {
            self.run.set(0);
            self.trusted.set(MAX_WRONG);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_where_the_last_was_or_behind_it() {
        let visit = Visit::default();
        assert_eq!(visit.find(|_| true), None);
        visit.begin();
        for at in 0..100 {
            assert_eq!(visit.find(|other| other == at), Some(at));
            assert_eq!(visit.find(|other| other == at), Some(at));
        }
    }

    #[test]
    fn skipped_entries_are_passed_and_other_elements_change_nothing() {
        let visit = Visit::default();
        visit.begin();
        assert_eq!(visit.find(|at| at == 5), None);
        visit.moved(5);
        assert_eq!(visit.find(|at| at == 6), Some(6));
        assert_eq!(visit.find(|at| at == 900), None);
        visit.moved(900);
        assert_eq!(visit.find(|at| at == 7), Some(7));
    }

    #[test]
    fn a_loop_is_known_by_its_first_entries() {
        let visit = Visit::default();
        for at in [7, 3, 4, 5, 90] {
            assert_eq!(visit.find(|_| true), None);
            visit.moved(at);
        }
        for at in 20..=20 + usize::from(MIN_RUN) + 1 {
            assert_eq!(visit.find(|other| other == at), None);
            visit.moved(at);
        }
        assert_eq!(visit.find(|at| at == 26), Some(26));
    }

    #[test]
    fn wrong_guesses_come_to_an_end() {
        let visit = Visit::default();
        visit.begin();
        for _ in 0..MAX_WRONG {
            assert_eq!(visit.find(|_| false), None);
        }
        assert_eq!(visit.find(|_| true), None);
        visit.begin();
        assert_eq!(visit.find(|_| true), Some(0));
    }
}
