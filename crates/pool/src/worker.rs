//! The threads that run tasks. A worker of each kind serves its own queue and takes nothing from
//! the others: general workers do not run timers, so a busy machine cannot make a timer wait behind
//! general work, and nobody but its own worker runs an affinity queue, except what the supervisor
//! moves.

use crate::affinity::AffinityQueue;
use crate::item::{Item, Turn};
use crate::log::Event;
use crate::park::{Parker, Word};
use crate::place::Place;
use crate::rules::{WorkerId, WorkerState};
use crate::shared::Shared;
use crate::timer::{Action, Due};
use crate::{Kind, context, system};
use crossbeam_deque::{Steal, Stealer, Worker as Local};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// At most so many items are taken from the general queue at once: enough to make its cost small
/// beside a task's, few enough that the queue's order is kept roughly.
const MAX_TAKEN: usize = 32;

/// What others may know of a worker. Written by the worker alone, except `state`'s way in and out
/// of a blocking wait, which is the same thread too.
pub(crate) struct Slot {
    pub(crate) id: WorkerId,
    pub(crate) kind: Kind,
    /// Items a general worker has taken from the queue and not begun; others may steal them.
    pub(crate) stealer: Option<Stealer<Item>>,
    /// The affinity worker's queue.
    pub(crate) queue: Option<Arc<AffinityQueue>>,
    state: AtomicU8,
    /// Whether it is inside a task; a worker that looks for one is `Working` too.
    at_task: AtomicBool,
    pub(crate) turns: AtomicU64,
    pub(crate) completed: AtomicU64,
    pub(crate) thread: AtomicI32,
    place: Place,
    name: Mutex<Option<Arc<str>>>,
    parker: Arc<Parker>,
}

impl Slot {
    pub(crate) fn new(
        id: WorkerId,
        kind: Kind,
        stealer: Option<Stealer<Item>>,
        queue: Option<Arc<AffinityQueue>>,
    ) -> Self {
        Self {
            id,
            kind,
            stealer,
            queue,
            // A thread that is about to start is on its way to the queue; nobody has to be added
            // meanwhile.
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

    /// Whether the worker has begun a task and not ended it.
    pub(crate) fn is_at_task(&self) -> bool {
        self.at_task.load(Ordering::Acquire)
    }

    /// What the worker is at, or was at last: the task's name and where it was spawned.
    pub(crate) fn current(
        &self,
    ) -> (Option<Arc<str>>, Option<&'static std::panic::Location<'static>>) {
        (self.name.lock().unwrap_or_else(PoisonError::into_inner).clone(), self.place.get())
    }

    /// Runs one item and counts it.
    fn run(&self, item: Item, shared: &Shared) {
        let spawned_at = item.spawned_at();
        self.place.set(spawned_at);
        let named = item.name().is_some();
        if named {
            *self.name.lock().unwrap_or_else(PoisonError::into_inner) = item.name().cloned();
        }
        self.at_task.store(true, Ordering::Release);
        let turn = item.run();
        self.at_task.store(false, Ordering::Release);
        if turn == Turn::Panicked {
            shared.note(Event::Panicked(format!("task from {spawned_at}")));
        }
        self.count(turn, shared);
        if named {
            *self.name.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    /// Only this worker writes its counters, so a load and a store will do.
    fn count(&self, turn: Turn, shared: &Shared) {
        if turn == Turn::Panicked {
            shared.counters.panicked.fetch_add(1, Ordering::Relaxed);
        }
        if turn != Turn::Continues {
            self.completed.store(self.completed.load(Ordering::Relaxed) + 1, Ordering::Release);
        }
        self.turns.store(self.turns.load(Ordering::Relaxed) + 1, Ordering::Release);
    }
}

/// A general worker's life.
pub(crate) fn general(shared: &Arc<Shared>, slot: &Arc<Slot>, local: &Local<Item>) {
    slot.thread.store(system::thread_number(), Ordering::Relaxed);
    let _context = context::enter_worker(shared, slot);
    slot.set_state(WorkerState::Working);
    loop {
        if shared.is_closed() {
            shared.crew.exit();
            break;
        }
        if !shared.crew.is_crowded()
            && let Some(item) = find(shared, slot, local)
        {
            slot.run(item, shared);
            continue;
        }
        slot.set_state(WorkerState::Idle);
        if shared.crew.rest(&slot.parker, || shared.has_general_work()) == Word::Leave {
            break;
        }
        slot.set_state(WorkerState::Working);
    }
    // Items it had taken and not begun go back.
    while let Some(item) = local.pop() {
        shared.push_general(item);
    }
    shared.remove_slot(slot);
}

/// The next item: of those taken before, of the queue, of what another worker has taken.
fn find(shared: &Arc<Shared>, slot: &Slot, local: &Local<Item>) -> Option<Item> {
    if let Some(item) = local.pop() {
        return Some(item);
    }
    loop {
        let most = (shared.general.len() / (2 * shared.settings.cores)).clamp(1, MAX_TAKEN);
        match shared.general.steal_batch_with_limit_and_pop(local, most) {
            Steal::Success(item) => {
                // Whoever saw an empty queue because these were taken may rest; this one may be
                // long in the first.
                if !local.is_empty() {
                    shared.call();
                }
                return Some(item);
            }
            Steal::Retry => {}
            Steal::Empty => break,
        }
    }
    let slots = shared.slots.read().unwrap_or_else(PoisonError::into_inner);
    for other in slots.iter().filter(|other| other.id != slot.id) {
        let Some(stealer) = &other.stealer else { continue };
        loop {
            match stealer.steal() {
                Steal::Success(item) => return Some(item),
                Steal::Retry => {}
                Steal::Empty => break,
            }
        }
    }
    None
}

/// A timer worker's life: it is the pool's clock while it waits.
pub(crate) fn timer(shared: &Arc<Shared>, slot: &Arc<Slot>) {
    slot.thread.store(system::thread_number(), Ordering::Relaxed);
    let _context = context::enter_worker(shared, slot);
    while let Some(due) = shared.timers.next() {
        slot.set_state(WorkerState::Working);
        shared.watch_timers();
        match due {
            Due::Item(item) => slot.run(item, shared),
            Due::Action(Action::Fire(job)) => {
                slot.place.set(job.spawned_at);
                slot.at_task.store(true, Ordering::Release);
                let turn = job.fire(shared);
                slot.at_task.store(false, Ordering::Release);
                slot.count(turn, shared);
            }
            Due::Action(Action::Wake(waker)) => {
                // Usually one of our tasks; but whoever polls a `Sleep` by hand brings a waker of
                // his own.
                let _ = catch_unwind(AssertUnwindSafe(|| waker.wake()));
                shared.timers.woken();
                slot.count(Turn::Continues, shared);
            }
        }
        slot.set_state(WorkerState::Idle);
    }
    shared.remove_slot(slot);
}

/// An affinity worker's life.
pub(crate) fn affinity(shared: &Arc<Shared>, slot: &Arc<Slot>, queue: &AffinityQueue) {
    slot.thread.store(system::thread_number(), Ordering::Relaxed);
    let _context = context::enter_worker(shared, slot);
    while let Some(item) = queue.next() {
        slot.set_state(WorkerState::Working);
        slot.run(item, shared);
        slot.set_state(WorkerState::Idle);
    }
    shared.remove_slot(slot);
}
