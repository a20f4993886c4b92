//! The supervisor's sleep.

use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// The supervisor's sleep and wake-up.
#[derive(Default)]
pub(crate) struct Alarm {
    /// It sleeps longer than a tick.
    dozing: AtomicBool,
    rung: Mutex<bool>,
    bell: Condvar,
}

impl Alarm {
    /// Work waits. One load while the supervisor is awake; the caller has fenced since its push.
    pub(crate) fn ring(&self) {
        if self.dozing.load(Ordering::SeqCst) && self.dozing.swap(false, Ordering::SeqCst) {
            self.wake();
        }
    }

    pub(crate) fn wake(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.bell.notify_one();
    }

    /// Sleeps; true if woken early. Calls `waits` once the sleeper is visible.
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
