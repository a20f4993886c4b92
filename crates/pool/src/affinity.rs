//! The queue of one affinity worker: one thread, so that items of a source never contend for its
//! lock. The supervisor may take the oldest waiting item while the worker is stuck
//! ([`AffinityQueue::take_waiting`]). A [`SerialList`] keeps its own order and has one turn on a queue.

use crate::item::Item;
use crate::sync::{Condvar, Mutex, lock, wait};
use std::collections::VecDeque;

struct State<T> {
    waiting: VecDeque<T>,
    at_work: bool,
    closed: bool,
}

pub(crate) type AffinityQueue = Ordered<Item>;

/// Generic so that the model checker can use numbers.
pub(crate) struct Ordered<T> {
    state: Mutex<State<T>>,
    arrived: Condvar,
}

impl<T> Ordered<T> {
    pub(crate) fn new() -> Self {
        let state = State { waiting: VecDeque::new(), at_work: false, closed: false };
        Self { state: Mutex::new(state), arrived: Condvar::new() }
    }

    /// True if the item waits for one at work, so that a supervisor is needed.
    pub(crate) fn push(&self, item: T) -> bool {
        let mut state = lock(&self.state);
        state.waiting.push_back(item);
        let waits = state.at_work;
        drop(state);
        self.arrived.notify_one();
        waits
    }

    /// The next item, and whether others now wait for it; None when closed.
    pub(crate) fn next(&self) -> Option<(T, bool)> {
        let mut state = lock(&self.state);
        state.at_work = false;
        loop {
            if state.closed {
                return None;
            }
            if let Some(item) = state.waiting.pop_front() {
                state.at_work = true;
                return Some((item, !state.waiting.is_empty()));
            }
            state = wait(&self.arrived, state);
        }
    }

    /// As [`Ordered::next`] without waiting, for deterministic mode.
    pub(crate) fn try_next(&self) -> Option<T> {
        let mut state = lock(&self.state);
        if state.at_work || state.closed {
            return None;
        }
        let item = state.waiting.pop_front();
        state.at_work = item.is_some();
        item
    }

    /// The item at work is over, or keeps nothing waiting any more.
    pub(crate) fn done(&self) {
        lock(&self.state).at_work = false;
    }

    /// The oldest waiting item; None if the worker is no longer at work.
    pub(crate) fn take_waiting(&self) -> Option<T> {
        let mut state = lock(&self.state);
        if state.at_work { state.waiting.pop_front() } else { None }
    }

    pub(crate) fn close(&self) -> Vec<T> {
        let mut state = lock(&self.state);
        state.closed = true;
        let left = state.waiting.drain(..).collect();
        drop(state);
        self.arrived.notify_all();
        left
    }

    pub(crate) fn load(&self) -> (usize, bool) {
        let state = lock(&self.state);
        (state.waiting.len(), state.at_work)
    }
}

/// Items that never overlap: one turn is requested for all of them, and each turn takes one.
pub(crate) struct SerialList<T>(Mutex<SerialState<T>>);

struct SerialState<T> {
    waiting: VecDeque<T>,
    /// From the request of a turn to its end.
    has_turn: bool,
}

impl<T> SerialList<T> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(SerialState { waiting: VecDeque::new(), has_turn: false }))
    }

    /// True if the caller must request a turn.
    pub(crate) fn push(&self, item: T) -> bool {
        let mut state = lock(&self.0);
        state.waiting.push_back(item);
        !std::mem::replace(&mut state.has_turn, true)
    }

    /// The item of this turn.
    pub(crate) fn next(&self) -> Option<T> {
        lock(&self.0).waiting.pop_front()
    }

    /// Ends a turn; true if the caller must request another.
    pub(crate) fn end_turn(&self) -> bool {
        let mut state = lock(&self.0);
        state.has_turn = !state.waiting.is_empty();
        state.has_turn
    }

    pub(crate) fn take_all(&self) -> VecDeque<T> {
        let mut state = lock(&self.0);
        state.has_turn = false;
        std::mem::take(&mut state.waiting)
    }
}
