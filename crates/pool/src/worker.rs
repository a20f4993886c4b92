//! The threads that run tasks. Each serves only its own kind of queue, so that no timer waits for
//! general work; only the supervisor moves affinity items.

use crate::affinity::AffinityQueue;
use crate::item::{Item, Turn};
use crate::log::Event;
use crate::park::Word;
use crate::rules::WorkerState;
use crate::shared::Shared;
use crate::slot::Slot;
use crate::timer::{Action, Due};
use crate::{context, system};
use crossbeam_deque::{Steal, Worker as Local};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

/// Maximum taken from the general queue at once: taking stays cheap, order roughly kept.
const MAX_TAKEN: usize = 32;

fn run(slot: &Slot, item: Item, shared: &Shared) {
    let spawned_at = item.spawned_at();
    slot.place.set(spawned_at);
    let named = item.name().is_some();
    if named {
        *slot.name.lock().unwrap_or_else(PoisonError::into_inner) = item.name().cloned();
    }
    slot.at_task.store(true, Ordering::Release);
    let turn = item.run();
    slot.at_task.store(false, Ordering::Release);
    if turn == Turn::Panicked {
        shared.note(Event::Panicked(format!("task from {spawned_at}")));
    }
    count(slot, turn, shared);
    if named {
        *slot.name.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Only the worker writes its counters, so a load and a store suffice.
fn count(slot: &Slot, turn: Turn, shared: &Shared) {
    if turn == Turn::Panicked {
        shared.counters.panicked.fetch_add(1, Ordering::Relaxed);
    }
    if turn != Turn::Continues {
        slot.completed.store(slot.completed.load(Ordering::Relaxed) + 1, Ordering::Release);
    }
    slot.turns.store(slot.turns.load(Ordering::Relaxed) + 1, Ordering::Release);
}

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
            run(slot, item, shared);
            continue;
        }
        slot.set_state(WorkerState::Idle);
        if shared.crew.rest(&slot.parker, || shared.has_general_work()) == Word::Leave {
            break;
        }
        slot.set_state(WorkerState::Working);
    }
    while let Some(item) = local.pop() {
        shared.push_general(item);
    }
    shared.remove_slot(slot);
}

fn find(shared: &Arc<Shared>, slot: &Slot, local: &Local<Item>) -> Option<Item> {
    if let Some(item) = local.pop() {
        return Some(item);
    }
    loop {
        let most = (shared.general.len() / (2 * shared.settings.cores)).clamp(1, MAX_TAKEN);
        match shared.general.steal_batch_with_limit_and_pop(local, most) {
            Steal::Success(item) => {
                // Another worker may rest because these were taken, and the first may take long.
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

/// While it waits it is the pool's clock.
pub(crate) fn timer(shared: &Arc<Shared>, slot: &Arc<Slot>) {
    slot.thread.store(system::thread_number(), Ordering::Relaxed);
    let _context = context::enter_worker(shared, slot);
    while let Some(due) = shared.timers.next() {
        slot.set_state(WorkerState::Working);
        shared.watch_timers();
        match due {
            Due::Item(item) => run(slot, item, shared),
            Due::Action(Action::Fire(job)) => {
                slot.place.set(job.spawned_at());
                slot.at_task.store(true, Ordering::Release);
                let turn = job.fire();
                slot.at_task.store(false, Ordering::Release);
                count(slot, turn, shared);
            }
            Due::Action(Action::Wake(waker)) => {
                // A `Sleep` polled by hand may have any waker, which may panic.
                let _ = catch_unwind(AssertUnwindSafe(|| waker.wake()));
                shared.timers.woken();
                count(slot, Turn::Continues, shared);
            }
        }
        slot.set_state(WorkerState::Idle);
    }
    shared.remove_slot(slot);
}

pub(crate) fn affinity(shared: &Arc<Shared>, slot: &Arc<Slot>, queue: &AffinityQueue) {
    slot.thread.store(system::thread_number(), Ordering::Relaxed);
    let _context = context::enter_worker(shared, slot);
    while let Some((item, others_wait)) = queue.next() {
        slot.set_state(WorkerState::Working);
        if others_wait {
            shared.alert();
        }
        run(slot, item, shared);
        slot.set_state(WorkerState::Idle);
    }
    shared.remove_slot(slot);
}
