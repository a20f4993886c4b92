//! The general workers: which are active, resting or blocked, and which to wake for work.
//!
//! A worker needs a *permit* to run tasks; the supervisor moves their number `target` between 1 and
//! the hard limit ([`crate::rules`]). A worker gives its permit up when it rests or enters a
//! declared wait, which is how waits are compensated. After a wait it takes one even if none is
//! free, since its task is half finished; the next worker to finish a task rests instead.
//!
//! Against lost wake-ups both sides write before they read, with a sequentially consistent fence
//! between: the producer pushes, then reads `balance`; the worker joins the idle list (which raises
//! `balance`), then reads the queues. At least one sees the other. `models.rs` checks it with loom.

use crate::park::{Parker, Word};
use crate::sync::{AtomicIsize, AtomicUsize, Mutex, MutexGuard, Ordering, fence, lock};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) enum Call {
    /// No free permit, or no thread allowed: the work waits for an active worker.
    NoWorker,
    Woken,
    /// A permit without a thread: the caller starts one, which is counted already, or calls
    /// [`Crew::start_refused`].
    Start,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) threads: usize,
    pub(crate) idle: usize,
    pub(crate) blocked: usize,
    /// Threads and guests that hold a permit.
    pub(crate) active: usize,
    pub(crate) target: usize,
    pub(crate) guests: usize,
}

struct State {
    /// Last in, first out: the one with the warmest cache wakes first, the oldest retire.
    idle: Vec<Arc<Parker>>,
    threads: usize,
    blocked: usize,
    guests: usize,
    target: usize,
    /// Bounds the threads outside declared waits.
    limit: usize,
    /// Bounds the threads inside declared waits.
    blocked_limit: usize,
    starts_allowed: bool,
    closed: bool,
}

impl State {
    fn active(&self) -> usize {
        (self.threads + self.guests).saturating_sub(self.blocked + self.idle.len())
    }

    fn may_start(&self) -> bool {
        self.starts_allowed
            && !self.closed
            && self.threads.saturating_sub(self.blocked) < self.limit
            && self.threads < self.limit.saturating_add(self.blocked_limit)
    }

    fn balance(&self) -> isize {
        let balance = self.target as isize - self.active() as isize;
        if balance > 0 && self.idle.is_empty() && !self.may_start() { 0 } else { balance }
    }
}

pub(crate) struct Crew {
    state: Mutex<State>,
    /// Mirror of [`State::balance`], so that pushing work and finishing a task cost one load.
    balance: AtomicIsize,
    target: AtomicUsize,
}

impl Crew {
    pub(crate) fn new(limit: usize, blocked_limit: usize) -> Self {
        let state = State {
            idle: Vec::new(),
            threads: 0,
            blocked: 0,
            guests: 0,
            target: 1,
            limit: limit.max(1),
            blocked_limit,
            starts_allowed: true,
            closed: false,
        };
        Self {
            balance: AtomicIsize::new(state.balance()),
            target: AtomicUsize::new(1),
            state: Mutex::new(state),
        }
    }

    fn refresh(&self, state: &State) {
        self.balance.store(state.balance(), Ordering::SeqCst);
        self.target.store(state.target, Ordering::Relaxed);
    }

    pub(crate) fn call(&self) -> Call {
        fence(Ordering::SeqCst);
        if self.balance.load(Ordering::SeqCst) <= 0 {
            return Call::NoWorker;
        }
        self.fill(lock(&self.state))
    }

    fn fill(&self, mut state: MutexGuard<'_, State>) -> Call {
        if state.balance() <= 0 {
            return Call::NoWorker;
        }
        if let Some(parker) = state.idle.pop() {
            self.refresh(&state);
            drop(state);
            parker.unpark(Word::Work);
            Call::Woken
        } else {
            state.threads += 1;
            self.refresh(&state);
            Call::Start
        }
    }

    #[cfg(all(test, not(loom)))]
    pub(crate) fn enlist(&self) {
        let mut state = lock(&self.state);
        state.threads += 1;
        self.refresh(&state);
    }

    /// The thread of a [`Call::Start`] was refused; none is tried until [`Crew::allow_starts`].
    pub(crate) fn start_refused(&self) {
        let mut state = lock(&self.state);
        state.threads = state.threads.saturating_sub(1);
        state.starts_allowed = false;
        self.refresh(&state);
    }

    pub(crate) fn allow_starts(&self) {
        let mut state = lock(&self.state);
        state.starts_allowed = true;
        self.refresh(&state);
    }

    /// Gives up the permit and sleeps until it is returned, unless `has_work` and a permit is free.
    pub(crate) fn rest(&self, parker: &Arc<Parker>, has_work: impl Fn() -> bool) -> Word {
        {
            let mut state = lock(&self.state);
            if state.closed {
                state.threads = state.threads.saturating_sub(1);
                self.refresh(&state);
                return Word::Leave;
            }
            state.idle.push(Arc::clone(parker));
            self.refresh(&state);
        }
        fence(Ordering::SeqCst);
        if has_work() {
            let mut state = lock(&self.state);
            let mine = state.idle.iter().rposition(|other| Arc::ptr_eq(other, parker));
            if let (Some(at), true) = (mine, state.target > state.active()) {
                state.idle.remove(at);
                self.refresh(&state);
                return Word::Work;
            }
        }
        parker.park()
    }

    pub(crate) fn is_crowded(&self) -> bool {
        self.balance.load(Ordering::Relaxed) < 0
    }

    /// The calling worker enters a declared wait without its permit. If there is work,
    /// [`Crew::call`] next.
    pub(crate) fn enter_blocked(&self) {
        let mut state = lock(&self.state);
        state.blocked += 1;
        self.refresh(&state);
        drop(state);
        fence(Ordering::SeqCst);
    }

    /// The calling worker goes on, with a permit even if none is free.
    pub(crate) fn leave_blocked(&self) {
        let mut state = lock(&self.state);
        state.blocked = state.blocked.saturating_sub(1);
        self.refresh(&state);
    }

    pub(crate) fn enter_guest(&self) {
        let mut state = lock(&self.state);
        state.guests += 1;
        self.refresh(&state);
    }

    pub(crate) fn leave_guest(&self) {
        let mut state = lock(&self.state);
        state.guests = state.guests.saturating_sub(1);
        self.refresh(&state);
        drop(state);
        fence(Ordering::SeqCst);
    }

    pub(crate) fn demand(&self, count: usize) {
        if self.target.load(Ordering::Relaxed) < count {
            let mut state = lock(&self.state);
            state.target = state.target.max(count.min(state.limit));
            self.refresh(&state);
        }
    }

    pub(crate) fn set_target(&self, target: usize) {
        let mut state = lock(&self.state);
        state.target = target.clamp(1, state.limit);
        self.refresh(&state);
    }

    pub(crate) fn retire(&self, count: usize) -> usize {
        let mut state = lock(&self.state);
        let count = count.min(state.idle.len());
        let leaving: Vec<_> = state.idle.drain(..count).collect();
        state.threads = state.threads.saturating_sub(count);
        self.refresh(&state);
        drop(state);
        leaving.iter().for_each(|parker| parker.unpark(Word::Leave));
        count
    }

    pub(crate) fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        let leaving = std::mem::take(&mut state.idle);
        state.threads = state.threads.saturating_sub(leaving.len());
        self.refresh(&state);
        drop(state);
        leaving.iter().for_each(|parker| parker.unpark(Word::Leave));
    }

    pub(crate) fn exit(&self) {
        let mut state = lock(&self.state);
        state.threads = state.threads.saturating_sub(1);
        self.refresh(&state);
    }

    pub(crate) fn count(&self) -> Count {
        let state = lock(&self.state);
        Count {
            threads: state.threads,
            idle: state.idle.len(),
            blocked: state.blocked,
            active: state.active(),
            target: state.target,
            guests: state.guests,
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::thread;

    fn resting(crew: &Arc<Crew>, count: usize) -> Vec<thread::JoinHandle<Word>> {
        crew.set_target(count);
        let workers = (0..count).map(|_| {
            crew.enlist();
            let crew = Arc::clone(crew);
            thread::spawn(move || crew.rest(&Arc::new(Parker::new()), || false))
        });
        let workers = workers.collect();
        while crew.count().idle < count {
            thread::yield_now();
        }
        workers
    }

    #[test]
    fn retired_workers_leave_and_the_others_stay() {
        let crew = Arc::new(Crew::new(64, 0));
        let workers = resting(&crew, 5);
        assert_eq!(crew.retire(3), 3);
        assert_eq!((crew.count().threads, crew.count().idle), (2, 2));
        assert_eq!((crew.call(), crew.call()), (Call::Woken, Call::Woken));
        let words: Vec<_> = workers.into_iter().map(|worker| worker.join().unwrap()).collect();
        assert_eq!(words.iter().filter(|word| **word == Word::Leave).count(), 3);
        assert_eq!(crew.retire(3), 0, "none rests");
    }

    #[test]
    fn a_worker_back_from_a_wait_crowds_the_crew_until_one_rests() {
        let crew = Arc::new(Crew::new(1, 1));
        assert_eq!(crew.call(), Call::Start);
        assert_eq!(crew.call(), Call::NoWorker, "one permit");
        crew.enter_blocked();
        assert_eq!(
            crew.call(),
            Call::Start,
            "the permit is free, and the limit counts those at work"
        );
        assert_eq!(crew.call(), Call::NoWorker);
        crew.leave_blocked();
        assert!(crew.is_crowded());
        crew.exit();
        assert!(!crew.is_crowded());
    }

    #[test]
    fn no_more_threads_wait_than_the_second_limit_allows() {
        let crew = Crew::new(1, 2);
        for _ in 0..3 {
            assert_eq!(crew.call(), Call::Start);
            crew.enter_blocked();
        }
        assert_eq!(crew.call(), Call::NoWorker);
        crew.leave_blocked();
        assert_eq!(
            crew.count(),
            Count { threads: 3, idle: 0, blocked: 2, active: 1, target: 1, guests: 0 }
        );
    }

    #[test]
    fn refused_start_is_not_tried_again_before_it_is_allowed() {
        let crew = Crew::new(4, 4);
        assert_eq!(crew.call(), Call::Start);
        crew.start_refused();
        assert_eq!((crew.call(), crew.count().threads), (Call::NoWorker, 0));
        crew.allow_starts();
        assert_eq!(crew.call(), Call::Start);
    }
}
