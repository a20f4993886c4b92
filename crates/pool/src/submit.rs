//! Putting tasks on the queues.

use crate::affinity::AffinityQueue;
use crate::context;
use crate::crew::Call;
use crate::home::Home;
use crate::item::Item;
use crate::rules::DecisionReason;
use crate::shared::{Phase, Shared};
use crate::timer::{Action, Key};
use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};
use std::time::Instant;

impl Shared {
    pub(crate) fn accepts(self: &Arc<Self>) -> bool {
        match self.phase() {
            Phase::Open => true,
            Phase::Draining => context::is_of(self),
            Phase::Closed => false,
        }
    }

    /// Counts and queues a new task, or refuses and cancels it.
    pub(crate) fn submit(self: &Arc<Self>, item: Item, home: &Home) {
        if self.accepts() {
            self.counters.submit(home.kind());
            self.push(item, home);
        } else {
            self.counters.refused.fetch_add(1, Ordering::SeqCst);
            item.cancel();
        }
    }

    /// Queues a counted item.
    pub(crate) fn push(self: &Arc<Self>, item: Item, home: &Home) {
        match home {
            Home::General => self.push_general(item),
            Home::Timer => self.push_timer(item),
            Home::Affinity(queue) => self.push_affinity(queue, item),
        }
    }

    pub(crate) fn push_general(self: &Arc<Self>, item: Item) {
        if let Some(seeded) = &self.seeded {
            seeded.push(item);
        } else {
            self.general.push(item);
            self.call();
            self.supervise_if_watching();
        }
        self.sweep_if_closed();
    }

    /// Finds a worker for pushed work, or alerts the supervisor.
    pub(crate) fn call(self: &Arc<Self>) {
        self.call_because(None);
    }

    pub(crate) fn call_because(self: &Arc<Self>, reason: Option<DecisionReason>) {
        match self.crew.call() {
            Call::Woken => {}
            Call::NoWorker => self.alert(),
            Call::Start => {
                let count = self.crew.count();
                let reason = match reason {
                    Some(reason) => reason,
                    _ if count.threads <= 1 => DecisionReason::FirstUse,
                    _ if count.blocked > 0 => DecisionReason::Compensation,
                    None => DecisionReason::Demand,
                };
                self.start_general(reason);
            }
        }
    }

    fn push_timer(self: &Arc<Self>, item: Item) {
        self.timers.push(item);
        self.ensure_timer_worker();
        self.sweep_if_closed();
    }

    pub(crate) fn set_deadline(self: &Arc<Self>, at: Instant, action: Action) -> Key {
        let key = self.timers.insert(at, action);
        self.ensure_timer_worker();
        self.sweep_if_closed();
        key
    }

    fn ensure_timer_worker(self: &Arc<Self>) {
        if self.seeded.is_some() {
            return;
        }
        let none = || {
            self.timer_workers.compare_exchange(0, 1, Ordering::SeqCst, Ordering::SeqCst).is_ok()
        };
        if self.timer_workers.load(Ordering::SeqCst) == 0 && none() {
            self.start_timer(DecisionReason::FirstUse);
        }
        self.supervise_if_watching();
        self.watch_timers();
    }

    /// Wakes the supervisor if every timer worker is busy: a timer may be late.
    pub(crate) fn watch_timers(self: &Arc<Self>) {
        if self.timers_unwatched() {
            self.alert();
        }
    }

    fn push_affinity(self: &Arc<Self>, queue: &Arc<AffinityQueue>, item: Item) {
        if queue.push(item) {
            fence(Ordering::SeqCst);
            self.alert();
        }
        self.sweep_if_closed();
    }

    /// The closing thread may have missed an item pushed meanwhile.
    fn sweep_if_closed(self: &Arc<Self>) {
        if self.is_closed() {
            self.sweep();
        }
    }
}
