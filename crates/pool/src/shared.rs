//! What handles, workers and the supervisor of one pool share.

use crate::WorkerKind;
use crate::affinity::AffinityQueue;
use crate::alarm::Alarm;
use crate::clock::Clock;
use crate::crew::Crew;
use crate::item::Item;
use crate::log::{Event, Log};
use crate::registry::Registry;
use crate::rules::WorkerState;
use crate::seeded::Seeded;
use crate::settings::Settings;
use crate::slot::Slot;
use crate::threads::Threads;
use crate::timer::{Action, TimerQueue};
use crate::usage::Counters;
use crossbeam_deque::{Injector, Steal, Worker as Local};
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Open,
    Draining,
    Closed,
}

#[derive(Clone, Copy)]
pub(crate) struct Roles {
    pub(crate) general: fn(&Arc<Shared>, &Arc<Slot>, &Local<Item>),
    pub(crate) timer: fn(&Arc<Shared>, &Arc<Slot>),
    pub(crate) affinity: fn(&Arc<Shared>, &Arc<Slot>, &AffinityQueue),
    pub(crate) supervisor: fn(&Arc<Shared>),
}

pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) roles: Roles,
    pub(crate) clock: Clock,
    pub(crate) log: Log,
    phase: AtomicU8,
    pub(crate) general: Injector<Item>,
    pub(crate) crew: Crew,
    pub(crate) timers: TimerQueue,
    /// Started or requested.
    pub(crate) timer_workers: AtomicUsize,
    pub(crate) affinity: Mutex<Vec<Arc<AffinityQueue>>>,
    pub(crate) slots: RwLock<Vec<Arc<Slot>>>,
    pub(crate) threads: Threads,
    pub(crate) alarm: Alarm,
    pub(crate) registry: Registry,
    pub(crate) counters: Counters,
    pub(crate) seeded: Option<Seeded>,
}

impl Shared {
    pub(crate) fn new(settings: Settings, roles: Roles, log: Log, seed: Option<u64>) -> Arc<Self> {
        Arc::new(Self {
            crew: Crew::new(settings.hard_limit, settings.thresholds.blocked_limit),
            clock: if seed.is_some() { Clock::stepped() } else { Clock::real() },
            settings,
            roles,
            log,
            phase: AtomicU8::new(Phase::Open as u8),
            general: Injector::new(),
            timers: TimerQueue::default(),
            timer_workers: AtomicUsize::new(0),
            affinity: Mutex::new(Vec::new()),
            slots: RwLock::new(Vec::new()),
            threads: Threads::default(),
            alarm: Alarm::default(),
            registry: Registry::default(),
            counters: Counters::default(),
            seeded: seed.map(Seeded::new),
        })
    }

    pub(crate) fn note(&self, event: Event) {
        self.log.add(self.clock.elapsed(), event);
    }

    pub(crate) fn phase(&self) -> Phase {
        match self.phase.load(Ordering::SeqCst) {
            phase if phase == Phase::Open as u8 => Phase::Open,
            phase if phase == Phase::Draining as u8 => Phase::Draining,
            _ => Phase::Closed,
        }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.phase() == Phase::Open
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.phase() == Phase::Closed
    }

    pub(crate) fn begin_draining(&self) -> bool {
        let (open, draining) = (Phase::Open as u8, Phase::Draining as u8);
        self.phase.compare_exchange(open, draining, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    pub(crate) fn set_closed(&self) {
        self.phase.store(Phase::Closed as u8, Ordering::SeqCst);
    }

    pub(crate) fn timers_unwatched(&self) -> bool {
        if self.timers.count() == (0, 0) {
            return false;
        }
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        !slots
            .iter()
            .any(|slot| slot.kind == WorkerKind::Timer && slot.state() == WorkerState::Idle)
    }

    /// Inexact, but after a fence it sees earlier pushes.
    pub(crate) fn has_general_work(&self) -> bool {
        if !self.general.is_empty() {
            return true;
        }
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        slots.iter().any(|slot| slot.stealer.as_ref().is_some_and(|stealer| !stealer.is_empty()))
    }

    pub(crate) fn general_queued(&self) -> usize {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let taken: usize = slots
            .iter()
            .filter_map(|slot| slot.stealer.as_ref())
            .map(|stealer| stealer.len())
            .sum();
        self.general.len() + taken
    }

    pub(crate) fn take_general(&self) -> Option<Item> {
        loop {
            match self.general.steal() {
                Steal::Success(item) => return Some(item),
                Steal::Retry => {}
                Steal::Empty => return None,
            }
        }
    }

    /// Takes back what workers have claimed and not begun.
    fn take_from_workers(&self) -> Vec<Item> {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let mut items = Vec::new();
        for stealer in slots.iter().filter_map(|slot| slot.stealer.as_ref()) {
            loop {
                match stealer.steal() {
                    Steal::Success(item) => items.push(item),
                    Steal::Retry => {}
                    Steal::Empty => break,
                }
            }
        }
        items
    }

    pub(crate) fn count_at_tasks(&self) -> usize {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        slots.iter().filter(|slot| slot.is_at_task()).count()
    }

    pub(crate) fn has_no_threads(&self) -> bool {
        self.threads.were_refused()
            && self.slots.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    pub(crate) fn sweep(self: &Arc<Self>) -> u64 {
        let mut items: Vec<_> = std::iter::from_fn(|| self.take_general()).collect();
        items.append(&mut self.take_from_workers());
        if let Some(seeded) = &self.seeded {
            items.append(&mut seeded.take_all());
        }
        let queues = self.affinity.lock().unwrap_or_else(PoisonError::into_inner).clone();
        items.extend(queues.iter().flat_map(|queue| queue.close()));
        let (timed, actions) = self.timers.close();
        items.extend(timed);
        for action in actions {
            match action {
                Action::Fire(job) => job.end(),
                // Its task is in the registry, which the shutdown empties too.
                Action::Wake(waker) => drop(waker),
            }
        }
        let mut cancelled = 0;
        for item in items {
            cancelled += u64::from(item.cancel());
        }
        self.counters.cancelled.fetch_add(cancelled, Ordering::SeqCst);
        cancelled
    }

    pub(crate) fn remove_slot(&self, slot: &Arc<Slot>) {
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|other| !Arc::ptr_eq(other, slot));
        self.counters.complete(slot.kind, slot.completed.load(Ordering::Acquire));
        drop(slots);
        if slot.kind == WorkerKind::Timer {
            self.timer_workers.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Tasks over, suspended, submitted: read in this order, so that the first two never exceed the
    /// third.
    pub(crate) fn progress(&self) -> (u64, u64, u64) {
        let over = self.finished();
        let resting = self.registry.count_resting() as u64;
        let submitted = WorkerKind::ALL.iter().map(|&kind| self.counters.submitted(kind)).sum();
        (over, resting, submitted)
    }

    fn finished(&self) -> u64 {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let mut finished: u64 =
            slots.iter().map(|slot| slot.completed.load(Ordering::Acquire)).sum();
        finished += WorkerKind::ALL.iter().map(|&kind| self.counters.completed(kind)).sum::<u64>();
        finished + self.counters.cancelled.load(Ordering::SeqCst)
    }
}
