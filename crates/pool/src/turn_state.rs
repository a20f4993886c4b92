//! When a repeated task may be queued: `Resting -> Queued` by a wake, `Queued -> Running` by the
//! worker. A wake meanwhile makes it `RunningWoken`, and the worker queues it again after the turn.
//! So an item is on at most one queue, and no wake is lost.

use crate::sync::{AtomicU8, Ordering};

const RESTING: u8 = 0;
const QUEUED: u8 = 1;
const RUNNING: u8 = 2;
const RUNNING_WOKEN: u8 = 3;
const OVER: u8 = 4;

pub(crate) struct TurnState(AtomicU8);

impl TurnState {
    pub(crate) fn queued() -> Self {
        Self(AtomicU8::new(QUEUED))
    }

    /// True if the caller must queue the task. It writes even without a change, so that the next
    /// turn sees what was done before the wake.
    pub(crate) fn wake(&self) -> bool {
        let next = |state| match state {
            RESTING | QUEUED => Some(QUEUED),
            RUNNING | RUNNING_WOKEN => Some(RUNNING_WOKEN),
            _ => None,
        };
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next) == Ok(RESTING)
    }

    pub(crate) fn begin(&self) -> bool {
        self.0.compare_exchange(QUEUED, RUNNING, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    /// Ends a turn; true if woken meanwhile: the caller must queue it again.
    pub(crate) fn suspend(&self) -> bool {
        let next = |state| match state {
            RUNNING => Some(RESTING),
            RUNNING_WOKEN => Some(QUEUED),
            _ => None,
        };
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next) == Ok(RUNNING_WOKEN)
    }

    pub(crate) fn finish(&self) -> bool {
        self.0.swap(OVER, Ordering::SeqCst) != OVER
    }

    pub(crate) fn is_live(&self) -> bool {
        self.0.load(Ordering::SeqCst) != OVER
    }

    pub(crate) fn is_resting(&self) -> bool {
        self.0.load(Ordering::SeqCst) == RESTING
    }
}
