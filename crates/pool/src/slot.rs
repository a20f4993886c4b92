//! A worker as others see it.

use crate::WorkerKind;
use crate::affinity::AffinityQueue;
use crate::item::Item;
use crate::park::Parker;
use crate::place::Place;
use crate::rules::{WorkerId, WorkerState};
use crossbeam_deque::Stealer;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A worker as the pool sees it, written by its thread alone.
pub(crate) struct Slot {
    pub(crate) id: WorkerId,
    pub(crate) kind: WorkerKind,
    /// Items taken and not begun; others may steal them.
    pub(crate) stealer: Option<Stealer<Item>>,
    pub(crate) queue: Option<Arc<AffinityQueue>>,
    state: AtomicU8,
    /// Inside a task; a worker looking for one is `Working` too.
    pub(crate) at_task: AtomicBool,
    pub(crate) turns: AtomicU64,
    pub(crate) completed: AtomicU64,
    pub(crate) thread: AtomicI32,
    pub(crate) place: Place,
    pub(crate) name: Mutex<Option<Arc<str>>>,
    pub(crate) parker: Arc<Parker>,
}

impl Slot {
    pub(crate) fn new(
        id: WorkerId,
        kind: WorkerKind,
        stealer: Option<Stealer<Item>>,
        queue: Option<Arc<AffinityQueue>>,
    ) -> Self {
        Self {
            id,
            kind,
            stealer,
            queue,
            // A starting thread counts as idle, so that no other is added meanwhile.
            state: AtomicU8::new(WorkerState::Idle as u8),
            at_task: AtomicBool::new(false),
            turns: AtomicU64::new(0),
            completed: AtomicU64::new(0),
            thread: AtomicI32::new(0),
            place: Place::new(),
            name: Mutex::new(None),
            parker: Arc::new(Parker::new()),
        }
    }

    pub(crate) fn state(&self) -> WorkerState {
        match self.state.load(Ordering::SeqCst) {
            state if state == WorkerState::Idle as u8 => WorkerState::Idle,
            state if state == WorkerState::Working as u8 => WorkerState::Working,
            _ => WorkerState::Blocked,
        }
    }

    pub(crate) fn set_state(&self, state: WorkerState) {
        self.state.store(state as u8, Ordering::SeqCst);
    }

    pub(crate) fn is_at_task(&self) -> bool {
        self.at_task.load(Ordering::Acquire)
    }

    /// Name and origin of the current or last task.
    pub(crate) fn current(
        &self,
    ) -> (Option<Arc<str>>, Option<&'static std::panic::Location<'static>>) {
        (self.name.lock().unwrap_or_else(PoisonError::into_inner).clone(), self.place.get())
    }
}
