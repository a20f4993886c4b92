//! The timer queue: deadlines, and ready time-sensitive tasks. Its worker is also its clock, so
//! that neither general work nor the supervisor's ticks delay it.

use crate::item::{Item, Turn};
use std::collections::{BTreeMap, VecDeque};
use std::panic::Location;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::Instant;

pub(crate) enum Action {
    Wake(Waker),
    Fire(Arc<dyn Fire>),
}

pub(crate) trait Fire: Send + Sync {
    /// Runs once and sets the next firing. `Continues` if it did not run.
    fn fire(self: Arc<Self>) -> Turn;
    fn end(&self);
    fn spawned_at(&self) -> &'static Location<'static>;
}

pub(crate) type Key = (Instant, u64);

pub(crate) enum Due {
    Action(Action),
    Item(Item),
}

#[derive(Default)]
struct State {
    ready: VecDeque<Item>,
    deadlines: BTreeMap<Key, Action>,
    next: u64,
    waiting: usize,
    /// Sleeping tasks whose deadline was taken, about to be woken.
    waking: usize,
    closed: bool,
}

#[derive(Default)]
pub(crate) struct TimerQueue {
    state: Mutex<State>,
    changed: Condvar,
}

impl TimerQueue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, item: Item) {
        self.lock().ready.push_back(item);
        self.changed.notify_one();
    }

    pub(crate) fn insert(&self, at: Instant, action: Action) -> Key {
        let mut state = self.lock();
        let key = (at, state.next);
        state.next += 1;
        state.deadlines.insert(key, action);
        let first = state.deadlines.first_key_value().is_some_and(|(&first, _)| first == key);
        drop(state);
        if first {
            self.changed.notify_one();
        }
        key
    }

    pub(crate) fn remove(&self, key: Key) -> bool {
        // Dropped after unlocking: it may hold the last reference to a task.
        let action = self.lock().deadlines.remove(&key);
        action.is_some()
    }

    pub(crate) fn replace_waker(&self, key: Key, waker: &Waker) -> bool {
        let mut state = self.lock();
        match state.deadlines.get_mut(&key) {
            Some(Action::Wake(old)) if old.will_wake(waker) => true,
            Some(Action::Wake(old)) => {
                let old = std::mem::replace(old, waker.clone());
                drop(state);
                drop(old);
                true
            }
            _ => false,
        }
    }

    fn take(state: &mut State, now: Instant) -> Option<Due> {
        if state.deadlines.first_key_value().is_some_and(|(key, _)| key.0 <= now) {
            let (_, action) = state.deadlines.pop_first()?;
            state.waking += usize::from(matches!(action, Action::Wake(_)));
            return Some(Due::Action(action));
        }
        state.ready.pop_front().map(Due::Item)
    }

    pub(crate) fn next(&self) -> Option<Due> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some(due) = Self::take(&mut state, Instant::now()) {
                // This worker may be busy for long; another takes over the clock.
                if state.waiting > 0 && !(state.ready.is_empty() && state.deadlines.is_empty()) {
                    self.changed.notify_one();
                }
                return Some(due);
            }
            state.waiting += 1;
            let first = state.deadlines.first_key_value().map(|(key, _)| key.0);
            state = match first {
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(at) => {
                    let pause = at.saturating_duration_since(Instant::now());
                    self.changed
                        .wait_timeout(state, pause)
                        .unwrap_or_else(PoisonError::into_inner)
                        .0
                }
            };
            state.waiting -= 1;
        }
    }

    pub(crate) fn poll(&self, now: Instant) -> Option<Due> {
        Self::take(&mut self.lock(), now)
    }

    pub(crate) fn first(&self) -> Option<Instant> {
        self.lock().deadlines.first_key_value().map(|(key, _)| key.0)
    }

    pub(crate) fn count_due(&self, now: Instant) -> usize {
        let state = self.lock();
        state.ready.len() + state.deadlines.range(..=(now, u64::MAX)).count()
    }

    pub(crate) fn count(&self) -> (usize, usize) {
        let state = self.lock();
        (state.ready.len(), state.deadlines.len())
    }

    pub(crate) fn woken(&self) {
        self.lock().waking -= 1;
    }

    /// The number of deadlines ever set, if no task sleeps or is about to be woken.
    pub(crate) fn none_asleep(&self) -> Option<u64> {
        let state = self.lock();
        let sleeps = state.waking > 0
            || state.deadlines.values().any(|action| matches!(action, Action::Wake(_)));
        (!sleeps).then_some(state.next)
    }

    pub(crate) fn drop_callbacks(&self) -> usize {
        let mut state = self.lock();
        let all = std::mem::take(&mut state.deadlines);
        let (keep, dropped): (BTreeMap<_, _>, BTreeMap<_, _>) =
            all.into_iter().partition(|(_, action)| matches!(action, Action::Wake(_)));
        state.deadlines = keep;
        drop(state);
        for action in dropped.values() {
            if let Action::Fire(job) = action {
                job.end();
            }
        }
        dropped.len()
    }

    pub(crate) fn close(&self) -> (Vec<Item>, Vec<Action>) {
        let mut state = self.lock();
        state.closed = true;
        let items = state.ready.drain(..).collect();
        let actions = std::mem::take(&mut state.deadlines).into_values().collect();
        drop(state);
        self.changed.notify_all();
        (items, actions)
    }
}
