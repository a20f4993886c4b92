//! When a task that is run again and again may be queued: once per wake-up, never while it runs.
//!
//! `Resting -> Queued` by a wake; `Queued -> Running` by the worker; a wake meanwhile makes it
//! `RunningWoken`, and the worker queues it again when the turn ends. So an item is on at most one
//! queue, and a wake is never lost.

use crate::sync::{AtomicU8, Ordering};

const RESTING: u8 = 0;
const QUEUED: u8 = 1;
const RUNNING: u8 = 2;
const RUNNING_WOKEN: u8 = 3;
const OVER: u8 = 4;

/// The state of one task.
pub(crate) struct TurnState(AtomicU8);

impl TurnState {
    /// A task that is about to be queued for the first time.
    pub(crate) fn queued() -> Self {
        Self(AtomicU8::new(QUEUED))
    }

    /// A task that waits for its first wake.
    pub(crate) fn resting() -> Self {
        Self(AtomicU8::new(RESTING))
    }

    /// True if the caller must queue the task. It writes even where nothing changes, so that the
    /// turn that begins next sees what was done before the wake (a load alone would order
    /// nothing, as the model showed).
    pub(crate) fn wake(&self) -> bool {
        let next = |state| match state {
            RESTING | QUEUED => Some(QUEUED),
            RUNNING | RUNNING_WOKEN => Some(RUNNING_WOKEN),
            _ => None,
        };
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next) == Ok(RESTING)
    }

    /// A turn begins; false if the task is over.
    pub(crate) fn begin(&self) -> bool {
        self.0.compare_exchange(QUEUED, RUNNING, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }

    /// The turn has ended and the task waits; true if it was woken meanwhile and the caller must
    /// queue it again.
    pub(crate) fn suspend(&self) -> bool {
        let next = |state| match state {
            RUNNING => Some(RESTING),
            RUNNING_WOKEN => Some(QUEUED),
            _ => None,
        };
        self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next) == Ok(RUNNING_WOKEN)
    }

    /// The task is over, finished or cancelled; true for the first call.
    pub(crate) fn finish(&self) -> bool {
        self.0.swap(OVER, Ordering::SeqCst) != OVER
    }

    /// It is not over.
    pub(crate) fn is_live(&self) -> bool {
        self.0.load(Ordering::SeqCst) != OVER
    }

    /// It waits for a wake.
    pub(crate) fn is_resting(&self) -> bool {
        self.0.load(Ordering::SeqCst) == RESTING
    }
}
