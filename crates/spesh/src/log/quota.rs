//! How many buffers of a thread may wait for the worker.

use crate::thresholds::{MAIN_QUOTA, OTHER_QUOTA, UNIT_BONUS};
use std::sync::atomic::{AtomicU32, Ordering};

/// Which thread logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadKind {
    /// The first thread, whose end the user waits for.
    Main,
    /// Any other.
    Other,
}

impl ThreadKind {
    /// The number of buffers that may wait.
    pub const fn quota(self) -> u32 {
        match self {
            ThreadKind::Main => MAIN_QUOTA,
            ThreadKind::Other => OTHER_QUOTA,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ThreadNo(pub(crate) u64);

/// A thread's quota: the thread takes, the worker gives back.
#[derive(Debug)]
pub(crate) struct Quota {
    whole: u32,
    left: AtomicU32,
    /// Bonus buffers being filled, or sent and not yet processed.
    bonus: AtomicU32,
}

impl Quota {
    pub(crate) fn new(kind: ThreadKind) -> Quota {
        Quota { whole: kind.quota(), left: AtomicU32::new(kind.quota()), bonus: AtomicU32::new(0) }
    }

    pub(crate) fn has_left(&self) -> bool {
        // Relaxed: the thread needs nothing else that the worker wrote.
        self.left.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn is_whole(&self) -> bool {
        // Relaxed: the worker's data is read under locks.
        self.left.load(Ordering::Relaxed) >= self.whole
    }

    pub(crate) fn take(&self) {
        // No underflow: only this thread takes.
        self.left.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn give_back(&self) {
        self.left.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn take_bonus(&self) -> bool {
        let granted = self.bonus.load(Ordering::Relaxed) < UNIT_BONUS;
        if granted {
            self.bonus.fetch_add(1, Ordering::Relaxed);
        }
        granted
    }

    /// Gives back a bonus buffer, which is outside the quota.
    pub(crate) fn give_back_bonus(&self) {
        self.bonus.fetch_sub(1, Ordering::Relaxed);
    }
}
