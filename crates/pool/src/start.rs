//! Starting threads. When the system refuses one, the queue keeps its work and it is tried again
//! after a second.

use crate::WorkerKind;
use crate::affinity::AffinityQueue;
use crate::item::Item;
use crate::log::Event;
use crate::rules::{self, DecisionReason, WorkerId, WorkerState};
use crate::shared::Shared;
use crate::slot::Slot;
use crossbeam_deque::Worker as Local;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

impl Shared {
    pub(crate) fn is_supervised(&self) -> bool {
        self.threads.supervised.load(Ordering::SeqCst)
    }

    /// Without a watchdog the supervisor starts only when something waits.
    pub(crate) fn supervise_if_watching(self: &Arc<Self>) {
        if self.settings.stuck_after.is_some() {
            self.ensure_supervisor();
        }
    }

    pub(crate) fn alert(self: &Arc<Self>) {
        self.ensure_supervisor();
        self.alarm.ring();
    }

    pub(crate) fn ensure_supervisor(self: &Arc<Self>) {
        let threads = &self.threads;
        if threads.supervised.load(Ordering::Relaxed) || self.seeded.is_some() || self.is_closed() {
            return;
        }
        if threads.were_refused() && !threads.may_retry(self.settings.thresholds.retry_after) {
            return;
        }
        if threads.supervised.swap(true, Ordering::SeqCst) {
            return;
        }
        let shared = Arc::clone(self);
        let run = self.roles.supervisor;
        let name = format!("{}-supervisor", self.settings.name);
        match threads.spawn(&self.settings, name, Box::new(move || run(&shared))) {
            Ok(()) => self.note(Event::SupervisorStarted),
            Err(error) => {
                threads.supervised.store(false, Ordering::SeqCst);
                threads.refuse();
                self.note(Event::ThreadRefused(None, error.to_string()));
            }
        }
    }

    /// Called by the supervisor, or by waiting threads if the supervisor was refused too.
    pub(crate) fn retry_threads(self: &Arc<Self>) {
        if !self.threads.were_refused()
            || !self.threads.may_retry(self.settings.thresholds.retry_after)
            || self.is_closed()
        {
            return;
        }
        self.threads.has_refused.store(false, Ordering::SeqCst);
        self.crew.allow_starts();
        self.ensure_supervisor();
        if self.has_general_work() {
            self.call();
        }
        if self.timers.count() != (0, 0)
            && self.timer_workers.compare_exchange(0, 1, Ordering::SeqCst, Ordering::SeqCst).is_ok()
        {
            self.start_timer(DecisionReason::FirstUse);
        }
        let orphans = std::mem::take(
            &mut *self.threads.orphans.lock().unwrap_or_else(PoisonError::into_inner),
        );
        for queue in orphans {
            let outcome = self.start_affinity(Arc::clone(&queue), DecisionReason::FirstUse);
            if outcome.is_err() {
                self.threads.orphans.lock().unwrap_or_else(PoisonError::into_inner).push(queue);
            }
            let (Ok(event) | Err(event)) = outcome;
            self.note(event);
        }
    }

    fn start(
        self: &Arc<Self>,
        slot: &Arc<Slot>,
        reason: DecisionReason,
        body: impl FnOnce(&Arc<Self>, &Arc<Slot>) + Send + 'static,
    ) -> Result<Event, Event> {
        let kind = slot.kind;
        let count = {
            let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
            slots.push(Arc::clone(slot));
            slots.iter().filter(|slot| slot.kind == kind).count()
        };
        let name = format!("{}-{kind}-{}", self.settings.name, slot.id.0);
        let (shared, mine) = (Arc::clone(self), Arc::clone(slot));
        match self.threads.spawn(&self.settings, name, Box::new(move || body(&shared, &mine))) {
            Ok(()) => Ok(Event::WorkerStarted(kind, reason, count)),
            Err(error) => {
                self.remove_slot(slot);
                self.threads.refuse();
                Err(Event::ThreadRefused(Some(kind), error.to_string()))
            }
        }
    }

    fn next_worker(&self) -> WorkerId {
        WorkerId(self.threads.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Starts the general worker that the crew has counted. From the second on a supervisor must
    /// retire them.
    pub(crate) fn start_general(self: &Arc<Self>, reason: DecisionReason) {
        if reason != DecisionReason::FirstUse {
            self.ensure_supervisor();
        }
        let local = Local::<Item>::new_fifo();
        let slot = Arc::new(Slot::new(
            self.next_worker(),
            WorkerKind::General,
            Some(local.stealer()),
            None,
        ));
        let run = self.roles.general;
        match self.start(&slot, reason, move |shared, slot| run(shared, slot, &local)) {
            Ok(event) => self.note(event),
            Err(event) => {
                self.crew.start_refused();
                self.note(event);
            }
        }
    }

    pub(crate) fn start_timer(self: &Arc<Self>, reason: DecisionReason) {
        let slot = Arc::new(Slot::new(self.next_worker(), WorkerKind::Timer, None, None));
        let (Ok(event) | Err(event)) = self.start(&slot, reason, self.roles.timer);
        self.note(event);
    }

    fn start_affinity(
        self: &Arc<Self>,
        queue: Arc<AffinityQueue>,
        reason: DecisionReason,
    ) -> Result<Event, Event> {
        let slot = Arc::new(Slot::new(
            self.next_worker(),
            WorkerKind::Affinity,
            None,
            Some(Arc::clone(&queue)),
        ));
        let run = self.roles.affinity;
        self.start(&slot, reason, move |shared, slot| run(shared, slot, &queue))
    }

    pub(crate) fn choose_affinity(self: &Arc<Self>) -> Arc<AffinityQueue> {
        if let Some(seeded) = &self.seeded {
            return seeded.new_affinity();
        }
        // Locked while a worker starts, so that two requests do not both start one.
        let mut queues = self.affinity.lock().unwrap_or_else(PoisonError::into_inner);
        let loads: Vec<_> = queues.iter().map(|queue| queue.load()).collect();
        let may_start =
            self.count_unblocked() < self.settings.hard_limit && !self.threads.were_refused();
        let chosen = rules::choose_affinity(&loads, &self.settings.thresholds);
        let at_limit = || if may_start { None } else { rules::shortest_queue(&loads) };
        if let Some(chosen) = chosen.or_else(at_limit) {
            return Arc::clone(&queues[chosen]);
        }
        let queue = Arc::new(AffinityQueue::new());
        let reason =
            if queues.is_empty() { DecisionReason::FirstUse } else { DecisionReason::Ladder };
        let outcome = self.start_affinity(Arc::clone(&queue), reason);
        let chosen = match queues.iter().min_by_key(|queue| queue.load().0) {
            Some(shortest) if outcome.is_err() => Arc::clone(shortest),
            _ => {
                if outcome.is_err() {
                    self.threads
                        .orphans
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(Arc::clone(&queue));
                }
                queues.push(Arc::clone(&queue));
                queue
            }
        };
        drop(queues);
        let (Ok(event) | Err(event)) = outcome;
        self.note(event);
        self.supervise_if_watching();
        chosen
    }

    fn count_unblocked(&self) -> usize {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        slots.iter().filter(|slot| slot.state() != WorkerState::Blocked).count()
    }
}
