//! The queue of one affinity worker: first in, first out, one at a time, by one thread.
//!
//! Items of one source are picked up by one thread, so they never contend on that source's lock.
//! The supervisor may take the oldest waiting item away while the worker is stuck in another
//! ([`AffinityQueue::take_waiting`]).

use crate::item::Item;
use crate::sync::{Condvar, Mutex, lock, wait};
use std::collections::VecDeque;

struct State<T> {
    waiting: VecDeque<T>,
    /// The worker has taken an item and not come back yet.
    at_work: bool,
    closed: bool,
}

/// The queue of the pool's items.
pub(crate) type AffinityQueue = Ordered<Item>;

/// An ordered queue with one consumer; generic so that the model checker can run it on numbers.
pub(crate) struct Ordered<T> {
    state: Mutex<State<T>>,
    arrived: Condvar,
}

impl<T> Ordered<T> {
    pub(crate) fn new() -> Self {
        let state = State { waiting: VecDeque::new(), at_work: false, closed: false };
        Self { state: Mutex::new(state), arrived: Condvar::new() }
    }

    /// Appends an item; true if the worker is busy with an earlier one, so that this one must wait.
    pub(crate) fn push(&self, item: T) -> bool {
        let mut state = lock(&self.state);
        state.waiting.push_back(item);
        let waits = state.at_work;
        drop(state);
        self.arrived.notify_one();
        waits
    }

    /// The worker's side: says the last item is finished and waits for the next. None once closed.
    pub(crate) fn next(&self) -> Option<T> {
        let mut state = lock(&self.state);
        state.at_work = false;
        loop {
            if state.closed {
                return None;
            }
            if let Some(item) = state.waiting.pop_front() {
                state.at_work = true;
                return Some(item);
            }
            state = wait(&self.arrived, state);
        }
    }

    /// As [`Ordered::next`] without waiting, for deterministic mode: nothing while an earlier item
    /// is at work.
    pub(crate) fn try_next(&self) -> Option<T> {
        let mut state = lock(&self.state);
        if state.at_work || state.closed {
            return None;
        }
        let item = state.waiting.pop_front();
        state.at_work = item.is_some();
        item
    }

    /// The item that [`Ordered::try_next`] gave is finished.
    pub(crate) fn done(&self) {
        lock(&self.state).at_work = false;
    }

    /// The oldest item that waits behind the one the worker is stuck in; None if the worker is not
    /// at work after all.
    pub(crate) fn take_waiting(&self) -> Option<T> {
        let mut state = lock(&self.state);
        if state.at_work { state.waiting.pop_front() } else { None }
    }

    /// The worker gets nothing more; what still waits is returned.
    pub(crate) fn close(&self) -> Vec<T> {
        let mut state = lock(&self.state);
        state.closed = true;
        let left = state.waiting.drain(..).collect();
        drop(state);
        self.arrived.notify_all();
        left
    }

    /// Length, and whether the worker is at work, at one moment.
    pub(crate) fn load(&self) -> (usize, bool) {
        let state = lock(&self.state);
        (state.waiting.len(), state.at_work)
    }
}
