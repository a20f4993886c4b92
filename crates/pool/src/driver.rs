//! Runs tasks on the calling thread: in deterministic mode, or when a pool without threads ends.

use crate::affinity::AffinityQueue;
use crate::item::{Item, Turn};
use crate::shared::Shared;
use crate::timer::{Action, Due};
use crate::{WorkerKind, context};
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub(crate) enum Pick {
    General(Item),
    Affinity(Arc<AffinityQueue>, Item),
    Timer(Due),
}

/// Runs one item drawn from all that could run, or moves the clock to the next deadline. False if
/// only something outside can wake the rest.
pub(crate) fn step(shared: &Arc<Shared>) -> bool {
    let Some(seeded) = &shared.seeded else { return false };
    let now = shared.clock.now();
    let pick = match seeded.pick(shared.timers.count_due(now)) {
        Some(Some((None, item))) => Some(Pick::General(item)),
        Some(Some((Some(queue), item))) => Some(Pick::Affinity(queue, item)),
        Some(None) => shared.timers.poll(now).map(Pick::Timer),
        None => None,
    };
    let Some(pick) = pick else {
        let Some(next) = shared.timers.first() else { return false };
        shared.clock.step_to(next);
        return true;
    };
    perform(shared, pick);
    true
}

pub(crate) fn perform(shared: &Arc<Shared>, pick: Pick) {
    let _context = context::enter_driver(shared);
    match pick {
        Pick::General(item) => run(shared, WorkerKind::General, item),
        Pick::Affinity(queue, item) => {
            run(shared, WorkerKind::Affinity, item);
            queue.done();
        }
        Pick::Timer(Due::Item(item)) => run(shared, WorkerKind::Timer, item),
        Pick::Timer(Due::Action(Action::Wake(waker))) => {
            waker.wake();
            shared.timers.woken();
        }
        Pick::Timer(Due::Action(Action::Fire(job))) => {
            let turn = job.fire();
            count(shared, WorkerKind::Timer, turn);
        }
    }
}

fn run(shared: &Shared, kind: WorkerKind, item: Item) {
    let turn = item.run();
    count(shared, kind, turn);
}

fn count(shared: &Shared, kind: WorkerKind, turn: Turn) {
    if turn == Turn::Panicked {
        shared.counters.panicked.fetch_add(1, Ordering::Relaxed);
    }
    if turn != Turn::Continues {
        shared.counters.complete(kind, 1);
    }
}
