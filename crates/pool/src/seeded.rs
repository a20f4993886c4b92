//! Deterministic mode: no threads and no clock. The owner's thread runs everything, in an order
//! drawn from a seed, and time moves to the next deadline when nothing else is left to do. The same
//! seed gives the same order, always.

use crate::affinity::AffinityQueue;
use crate::item::{Item, Turn};
use crate::shared::Shared;
use crate::timer::{Action, Due};
use crate::{Kind, context};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

struct State {
    random: u64,
    ready: Vec<Item>,
    affinity: Vec<Arc<AffinityQueue>>,
}

pub(crate) struct Seeded(Mutex<State>);

impl Seeded {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Mutex::new(State { random: seed, ready: Vec::new(), affinity: Vec::new() }))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, item: Item) {
        self.lock().ready.push(item);
    }

    pub(crate) fn take_all(&self) -> Vec<Item> {
        let mut state = self.lock();
        let queues = state.affinity.clone();
        let mut items = std::mem::take(&mut state.ready);
        drop(state);
        items.extend(queues.iter().flat_map(|queue| queue.close()));
        items
    }

    pub(crate) fn new_affinity(&self) -> Arc<AffinityQueue> {
        let queue = Arc::new(AffinityQueue::new());
        self.lock().affinity.push(Arc::clone(&queue));
        queue
    }

    /// A number below `count`, which is not 0.
    pub(crate) fn draw(&self, count: usize) -> usize {
        draw(&mut self.lock().random, count)
    }

    pub(crate) fn queued(&self) -> usize {
        self.lock().ready.len()
    }
}

/// splitmix64 (Steele, Lea, Flood 2014), reduced by remainder: the bias at these sizes is below
/// 2^-50.
fn draw(random: &mut u64, count: usize) -> usize {
    *random = random.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *random;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^= mixed >> 31;
    (mixed % count.max(1) as u64) as usize
}

/// What the next step runs.
pub(crate) enum Pick {
    General(Item),
    Affinity(Arc<AffinityQueue>, Item),
    Timer(Due),
}

/// Runs one item, drawn from everything that could run now; or moves the clock to the next
/// deadline. False if there is neither: what is left can only be woken from outside.
pub(crate) fn step(shared: &Arc<Shared>) -> bool {
    let Some(seeded) = &shared.seeded else { return false };
    let Some(pick) = pick(shared, seeded) else {
        let Some(next) = shared.timers.first() else { return false };
        shared.clock.step_to(next);
        return true;
    };
    perform(shared, pick);
    true
}

/// Runs what was picked on the calling thread, and counts it.
pub(crate) fn perform(shared: &Arc<Shared>, pick: Pick) {
    let _context = context::enter_driver(shared);
    match pick {
        Pick::General(item) => run(shared, Kind::General, item),
        Pick::Affinity(queue, item) => {
            run(shared, Kind::Affinity, item);
            queue.done();
        }
        Pick::Timer(Due::Item(item)) => run(shared, Kind::Timer, item),
        Pick::Timer(Due::Action(Action::Wake(waker))) => {
            waker.wake();
            shared.timers.woken();
        }
        Pick::Timer(Due::Action(Action::Fire(job))) => {
            let turn = job.fire(shared);
            count(shared, Kind::Timer, turn);
        }
    }
}

fn pick(shared: &Shared, seeded: &Seeded) -> Option<Pick> {
    let now = shared.clock.now();
    let due = shared.timers.count_due(now) > 0;
    let mut state = seeded.lock();
    let open: Vec<_> = state
        .affinity
        .iter()
        .filter(|queue| matches!(queue.load(), (1.., false)))
        .cloned()
        .collect();
    let count = state.ready.len() + open.len() + usize::from(due);
    if count == 0 {
        return None;
    }
    let drawn = draw(&mut state.random, count);
    if drawn < state.ready.len() {
        return Some(Pick::General(state.ready.remove(drawn)));
    }
    let drawn = drawn - state.ready.len();
    drop(state);
    match open.get(drawn) {
        Some(queue) => queue.try_next().map(|item| Pick::Affinity(Arc::clone(queue), item)),
        None => shared.timers.poll(now).map(Pick::Timer),
    }
}

fn run(shared: &Shared, kind: Kind, item: Item) {
    let turn = item.run();
    count(shared, kind, turn);
}

fn count(shared: &Shared, kind: Kind, turn: Turn) {
    if turn == Turn::Panicked {
        shared.counters.panicked.fetch_add(1, Ordering::Relaxed);
    }
    if turn != Turn::Continues {
        shared.counters.complete(kind, 1);
    }
}
