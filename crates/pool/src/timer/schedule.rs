//! Callbacks at times, once or repeated.

use super::queue::{Action, Fire, Key};
use crate::WorkerKind;
use crate::error::panic_message;
use crate::item::Turn;
use crate::log::Event;
use crate::shared::Shared;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const MIN_INTERVAL: Duration = Duration::from_millis(1);

type Callback = Box<dyn FnMut() + Send>;

/// A started callback. Dropping it does not stop the callback.
pub struct Timer {
    job: Arc<Job>,
}

/// On the timer queue at most once, and never while it runs.
struct Job {
    shared: Arc<Shared>,
    spawned_at: &'static Location<'static>,
    interval: Option<Duration>,
    over: AtomicBool,
    key: Mutex<Option<Key>>,
    callback: Mutex<Option<Callback>>,
}

impl Timer {
    /// Sets the first firing; none beyond the clock's end.
    #[track_caller]
    pub(crate) fn start(
        shared: &Arc<Shared>,
        mut delay: Duration,
        mut interval: Option<Duration>,
        callback: impl FnMut() + Send + 'static,
    ) -> Timer {
        if let Some(short) = interval.filter(|&interval| interval < MIN_INTERVAL) {
            shared.note(Event::IntervalRaised(short));
            interval = Some(MIN_INTERVAL);
            delay = delay.max(MIN_INTERVAL);
        }
        let job = Arc::new(Job {
            shared: Arc::clone(shared),
            spawned_at: Location::caller(),
            interval,
            over: AtomicBool::new(false),
            key: Mutex::new(None),
            callback: Mutex::new(Some(Box::new(callback))),
        });
        match shared.clock.now().checked_add(delay) {
            Some(at) if shared.is_open() => job.set(at),
            _ => job.end(),
        }
        Timer { job }
    }

    /// Stops further firings; a running one is finished. False if none was left.
    pub fn cancel(&self) -> bool {
        let key = {
            let mut key = self.job.key.lock().unwrap_or_else(PoisonError::into_inner);
            if self.job.over.swap(true, Ordering::SeqCst) {
                return false;
            }
            key.take()
        };
        if let Some(key) = key {
            self.job.shared.timers.remove(key);
        }
        self.job.end();
        true
    }

    /// Whether it may fire again.
    #[must_use]
    pub fn is_active(&self) -> bool {
        !self.job.over.load(Ordering::SeqCst)
    }
}

impl Job {
    fn set(self: &Arc<Self>, at: Instant) {
        let mut key = self.key.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.over.load(Ordering::SeqCst) {
            *key = Some(self.shared.set_deadline(at, Action::Fire(Arc::clone(self) as _)));
            return;
        }
        drop(key);
        // Cancelled while the callback ran, when it could not be dropped.
        self.end();
    }
}

impl Fire for Job {
    fn fire(self: Arc<Self>) -> Turn {
        let due = self.key.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut callback = self.callback.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(body) = callback.as_mut().filter(|_| !self.over.load(Ordering::SeqCst)) else {
            return Turn::Continues;
        };
        self.shared.counters.submit(WorkerKind::Timer);
        let turn = match catch_unwind(AssertUnwindSafe(body)) {
            Ok(()) => Turn::Finished,
            Err(payload) => {
                let message = panic_message(payload.as_ref()).unwrap_or("no message").to_owned();
                self.shared.note(Event::Panicked(message));
                Turn::Panicked
            }
        };
        drop(callback);
        let now = self.shared.clock.now();
        let due = due.map_or(now, |key| key.0);
        let next = self.interval.and_then(|interval| next_in_phase(due, interval, now));
        match next.filter(|_| self.shared.is_open()) {
            Some(next) => self.set(next),
            None => self.end(),
        }
        turn
    }

    fn end(&self) {
        self.over.store(true, Ordering::SeqCst);
        // While it runs it is dropped afterwards.
        let callback = self.callback.try_lock().ok().and_then(|mut callback| callback.take());
        // What the callback holds may panic when dropped.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(callback)));
    }

    fn spawned_at(&self) -> &'static Location<'static> {
        self.spawned_at
    }
}

/// The first multiple of `interval` after `due` and not before `now`; None beyond the clock's end.
fn next_in_phase(due: Instant, interval: Duration, now: Instant) -> Option<Instant> {
    let next = due.checked_add(interval)?;
    if next >= now {
        return Some(next);
    }
    let late = now.duration_since(due).as_nanos() % interval.as_nanos().max(1);
    let wait = if late == 0 { 0 } else { interval.as_nanos() - late };
    now.checked_add(Duration::from_nanos(u64::try_from(wait).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn firings_that_were_missed_are_left_out_and_the_phase_is_kept() {
        let due = Instant::now();
        let ms = Duration::from_millis;
        assert_eq!(next_in_phase(due, ms(10), due + ms(3)), Some(due + ms(10)));
        assert_eq!(next_in_phase(due, ms(10), due + ms(10)), Some(due + ms(10)));
        assert_eq!(next_in_phase(due, ms(10), due + ms(34)), Some(due + ms(40)));
        assert_eq!(next_in_phase(due, ms(10), due + ms(40)), Some(due + ms(40)));
    }
}
