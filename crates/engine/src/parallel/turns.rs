//! NR and FNR at the beginning of each piece.
//!
//! Whoever is to run a piece counts its records first, which takes a small part of the time of running it, waits until all before
//! it have been counted, and passes the sum on. Pieces are taken in order, so those that are waited for are being counted.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// NR and FNR.
pub(super) type Counted = (f64, f64);

/// Who counts when.
#[derive(Debug)]
pub(super) struct Turns {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    next: u64,
    counted: Counted,
    /// Somebody could not count: nothing after that is known.
    broken: bool,
}

impl Turns {
    /// Before the first piece.
    pub fn new(counted: Counted) -> Turns {
        Turns { state: Mutex::new(State { next: 0, counted, broken: false }), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The turn of the piece with this number, the first of its file or not. If it is dropped without having been passed on,
    /// nobody's numbers are known any more.
    pub fn turn(&self, number: u64, begins_file: bool) -> Turn<'_> {
        Turn { turns: self, number, begins_file, passed: false }
    }
}

/// A turn that has to be passed on.
#[derive(Debug)]
pub(super) struct Turn<'t> {
    turns: &'t Turns,
    number: u64,
    begins_file: bool,
    passed: bool,
}

impl Turn<'_> {
    /// Waits for the turn and passes it on, `records` further; the numbers before this piece, if they are known.
    pub fn pass(mut self, records: u64) -> Option<Counted> {
        self.passed = true;
        let mut state = self.turns.lock();
        while state.next != self.number && !state.broken {
            state = self.turns.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.broken {
            return None;
        }
        if self.begins_file {
            state.counted.1 = 0.0;
        }
        let before = state.counted;
        state.counted = (before.0 + records as f64, before.1 + records as f64);
        state.next += 1;
        self.turns.changed.notify_all();
        Some(before)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.passed {
            self.turns.lock().broken = true;
            self.turns.changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_comes_first_waits_for_those_before() {
        let turns = Turns::new((1.0, 1.0));
        std::thread::scope(|scope| {
            let late = scope.spawn(|| turns.turn(2, true).pass(10));
            let middle = scope.spawn(|| turns.turn(1, false).pass(5));
            assert_eq!(turns.turn(0, false).pass(3), Some((1.0, 1.0)));
            assert_eq!(middle.join().ok().flatten(), Some((4.0, 4.0)));
            assert_eq!(late.join().ok().flatten(), Some((9.0, 0.0)));
        });
        assert_eq!(turns.turn(3, false).pass(0), Some((19.0, 10.0)));
    }

    #[test]
    fn after_a_turn_that_was_not_passed_nothing_is_known() {
        let turns = Turns::new((1.0, 1.0));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| turns.turn(1, false).pass(5));
            drop(turns.turn(0, false));
            assert_eq!(waiting.join().ok(), Some(None));
        });
    }
}
