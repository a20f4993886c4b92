//! The system's monotonic clock, or in deterministic mode one that moves only when nothing is left
//! to do.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

pub(crate) struct Clock {
    start: Instant,
    /// None for real time.
    moved: Option<Mutex<Duration>>,
}

impl Clock {
    pub(crate) fn real() -> Self {
        Self { start: Instant::now(), moved: None }
    }

    pub(crate) fn stepped() -> Self {
        Self { start: Instant::now(), moved: Some(Mutex::new(Duration::ZERO)) }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match &self.moved {
            None => self.start.elapsed(),
            Some(moved) => *moved.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    pub(crate) fn now(&self) -> Instant {
        match self.moved {
            None => Instant::now(),
            Some(_) => self.start + self.elapsed(),
        }
    }

    pub(crate) fn step_to(&self, to: Instant) {
        if let Some(moved) = &self.moved {
            let mut moved = moved.lock().unwrap_or_else(PoisonError::into_inner);
            *moved = (*moved).max(to.saturating_duration_since(self.start));
        }
    }
}
