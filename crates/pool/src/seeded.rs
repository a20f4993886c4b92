//! Deterministic mode: no threads and no clock. The owner's thread runs everything in an order
//! drawn from a seed; time moves to the next deadline when nothing else is left.

use crate::affinity::AffinityQueue;
use crate::item::Item;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

struct State {
    random: u64,
    ready: Vec<Item>,
    affinity: Vec<Arc<AffinityQueue>>,
}

/// An item and its affinity queue, if any.
pub(crate) type Drawn = (Option<Arc<AffinityQueue>>, Item);

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

    pub(crate) fn draw(&self, count: usize) -> usize {
        draw(&mut self.lock().random, count)
    }

    /// Draws from ready tasks, queues, and the first of the due timers (the inner `None`). None if
    /// there is nothing.
    pub(crate) fn pick(&self, due_timers: usize) -> Option<Option<Drawn>> {
        let mut state = self.lock();
        let open: Vec<_> = state
            .affinity
            .iter()
            .filter(|queue| matches!(queue.load(), (1.., false)))
            .cloned()
            .collect();
        let count = state.ready.len() + open.len() + due_timers.min(1);
        if count == 0 {
            return None;
        }
        let drawn = draw(&mut state.random, count);
        if drawn < state.ready.len() {
            return Some(Some((None, state.ready.remove(drawn))));
        }
        let drawn = drawn - state.ready.len();
        drop(state);
        let next =
            open.get(drawn).and_then(|queue| Some((Some(Arc::clone(queue)), queue.try_next()?)));
        Some(next)
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
