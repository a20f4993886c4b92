//! Values passed from piece to piece: NR and FNR at its beginning, and which ranges are open there.
//!
//! A worker counts the records of its piece, waits for the counts of all earlier pieces, and passes
//! the sum on. Pieces are taken in order, so the earlier ones are already being counted. Open
//! ranges are passed on after a piece has run: it assumes its own, and verifies them.

use riverhawk_pool::blocking;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// NR and FNR.
pub(super) type Counted = (f64, f64);

/// For programs that do not need them: past the first record, and past the first file.
pub(super) const UNCOUNTED: Counted = (2.0, 1.0);

#[derive(Debug)]
pub(super) struct Turns<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<T> {
    next: u64,
    known: T,
    /// Whether a worker failed, so that no later value will be known.
    broken: bool,
}

impl<T: Clone> Turns<T> {
    /// The value before the first piece.
    pub fn new(known: T) -> Turns<T> {
        Turns {
            state: Mutex::new(State { next: 0, known, broken: false }),
            changed: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn latest(&self) -> T {
        self.lock().known.clone()
    }

    /// Waits for a piece's turn and returns the value; `None` if it will never be known.
    pub fn wait(&self, number: u64) -> Option<T> {
        let waits = |state: &State<T>| state.next < number && !state.broken;
        let mut state = self.lock();
        if waits(&state) {
            drop(state);
            state = blocking(|| {
                self.changed
                    .wait_while(self.lock(), |state| waits(state))
                    .unwrap_or_else(PoisonError::into_inner)
            });
        }
        (state.next == number && !state.broken).then(|| state.known.clone())
    }

    /// Waits for the turn, replaces the value by `step`'s, and returns it. `None` if the turn is
    /// over.
    pub fn pass(&self, number: u64, step: impl FnOnce(T) -> T) -> Option<T> {
        let before = self.wait(number)?;
        let mut state = self.lock();
        if state.next != number {
            return None;
        }
        state.known = step(before.clone());
        state.next += 1;
        self.changed.notify_all();
        Some(before)
    }

    pub fn end(&self) {
        self.lock().broken = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_to_come_waits_for_those_before() {
        let turns = Turns::new(1.0);
        std::thread::scope(|scope| {
            let late = scope.spawn(|| turns.pass(2, |count| count + 10.0));
            let middle = scope.spawn(|| turns.pass(1, |count| count + 5.0));
            assert_eq!(turns.pass(0, |count| count + 3.0), Some(1.0));
            assert_eq!(middle.join().ok().flatten(), Some(4.0));
            assert_eq!(late.join().ok().flatten(), Some(9.0));
        });
        assert_eq!((turns.wait(3), turns.latest()), (Some(19.0), 19.0));
        assert_eq!(turns.pass(1, |_| 0.0), None, "passed on already");
        assert_eq!(turns.latest(), 19.0);
    }

    #[test]
    fn when_all_is_over_none_waits() {
        let turns = Turns::new(1);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| turns.pass(1, |count| count + 5));
            turns.end();
            assert_eq!(waiting.join().ok(), Some(None));
        });
        assert_eq!(turns.wait(0), None);
    }
}
