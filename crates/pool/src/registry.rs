//! The tasks that were ever suspended, for the shutdown and for counts.

use crate::item::Again;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) type Seat = usize;

#[derive(Default)]
struct Seats {
    seats: Vec<Option<Arc<dyn Again>>>,
    free: Vec<Seat>,
    closed: bool,
}

/// A task enters when first suspended and leaves when over.
#[derive(Default)]
pub(crate) struct Registry(Mutex<Seats>);

impl Registry {
    fn lock(&self) -> MutexGuard<'_, Seats> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// None once closed: the task must be cancelled.
    pub(crate) fn enter(&self, task: Arc<dyn Again>) -> Option<Seat> {
        let mut seats = self.lock();
        if seats.closed {
            return None;
        }
        let seat = seats.free.pop().unwrap_or(seats.seats.len());
        if seat == seats.seats.len() {
            seats.seats.push(None);
        }
        seats.seats[seat] = Some(task);
        Some(seat)
    }

    pub(crate) fn leave(&self, seat: Seat) {
        let mut seats = self.lock();
        if let Some(task) = seats.seats.get_mut(seat).and_then(Option::take) {
            seats.free.push(seat);
            // Unlock first: this may drop the task, and what it holds may call this.
            drop(seats);
            drop(task);
        }
    }

    pub(crate) fn count_resting(&self) -> usize {
        self.lock().seats.iter().flatten().filter(|task| task.is_resting()).count()
    }

    /// Names or origins of the suspended tasks.
    pub(crate) fn resting(&self) -> Vec<String> {
        let name = |task: &Arc<dyn Again>| {
            let label = task.label();
            label.name.as_ref().map_or_else(|| label.spawned_at.to_string(), ToString::to_string)
        };
        self.lock().seats.iter().flatten().filter(|task| task.is_resting()).map(name).collect()
    }

    pub(crate) fn close(&self) -> Vec<Arc<dyn Again>> {
        let mut seats = self.lock();
        seats.closed = true;
        seats.free.clear();
        std::mem::take(&mut seats.seats).into_iter().flatten().collect()
    }
}
