//! The supervisor's sleep, and how it is woken from it.

use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How the supervisor is woken from a long sleep.
#[derive(Default)]
pub(crate) struct Alarm {
    /// It sleeps longer than a tick and wants to be woken.
    dozing: AtomicBool,
    rung: Mutex<bool>,
    bell: Condvar,
}

impl Alarm {
    /// Work waits. Costs one load while the supervisor is awake; the caller has fenced since it
    /// pushed.
    pub(crate) fn ring(&self) {
        if self.dozing.load(Ordering::SeqCst) && self.dozing.swap(false, Ordering::SeqCst) {
            self.wake();
        }
    }

    /// Wakes the supervisor whatever it does, at the end of the pool.
    pub(crate) fn wake(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.bell.notify_one();
    }

    /// Sleeps; true if woken before the time was over. `waits` is asked after the sleeper can be
    /// seen.
    pub(crate) fn sleep(&self, period: Duration, tick: Duration, waits: impl Fn() -> bool) -> bool {
        let long = period > tick;
        if long {
            self.dozing.store(true, Ordering::SeqCst);
            fence(Ordering::SeqCst);
            if waits() {
                self.dozing.store(false, Ordering::SeqCst);
                return true;
            }
        }
        let rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut rung, _) = self
            .bell
            .wait_timeout_while(rung, period, |rung| !*rung)
            .unwrap_or_else(PoisonError::into_inner);
        self.dozing.store(false, Ordering::SeqCst);
        std::mem::take(&mut *rung) && long
    }
}
