//! The position of a loop in an array: `for (k in a) ... a[k]` asks for the entries one after the
//! other, as does a loop that asks for keys in the order in which it made them. Each key is compared
//! with the entry after the last one before it is hashed.
//!
//! In a large table a hash leads anywhere, and each lookup misses the cache; the entries are read
//! from front to back. A wrong guess costs a comparison; after [`MAX_WRONG`] of them there are no
//! guesses until the next for-in, or until entries are asked for in order again.

use std::cell::Cell;

/// So many wrong guesses one after the other are allowed: a body may ask for a few other elements
/// in each turn.
const MAX_WRONG: u8 = 8;

/// An entry that was found by its hash and lies no farther ahead is where the for-in is now: what
/// lies between was deleted, or not asked for.
const MAX_SKIPPED: usize = 64;

/// So many entries one after the other are a loop.
const MIN_RUN: u8 = 4;

/// Where a loop is among the entries of an array.
#[derive(Clone, Debug, Default)]
pub(super) struct Visit {
    at: Cell<usize>,
    /// How many wrong guesses may still follow.
    trusted: Cell<u8>,
    /// How many entries were asked for one after the other, as long as nothing is guessed.
    run: Cell<u8>,
}

impl Visit {
    /// A for-in begins.
    pub(super) fn begin(&self) {
        self.at.set(0);
        self.trusted.set(MAX_WRONG);
    }

    /// The entry where the for-in is, or the one after it, if it `is` the one.
    #[inline(always)]
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

    /// An entry was found by its hash.
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
            // Twice: `if (a[k] > 5) print a[k]`.
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
