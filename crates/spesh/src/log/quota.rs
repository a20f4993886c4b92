//! How many buffers of a thread may be on their way to the worker.

use crate::thresholds::{MAIN_QUOTA, OTHER_QUOTA, UNIT_BONUS};
use std::sync::atomic::{AtomicU32, Ordering};

/// Which thread logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadKind {
    /// The program's first thread: it has the larger quota, since the user waits for what it runs.
    Main,
    /// Any other.
    Other,
}

impl ThreadKind {
    /// Buffers that may be on their way.
    pub const fn quota(self) -> u32 {
        match self {
            ThreadKind::Main => MAIN_QUOTA,
            ThreadKind::Other => OTHER_QUOTA,
        }
    }
}

/// The number of a logging thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ThreadNo(pub(crate) u64);

/// What a thread and the worker share: the thread takes, the worker gives back.
#[derive(Debug)]
pub(crate) struct Quota {
    /// Buffers that may be sent in all.
    whole: u32,
    /// Buffers that may still be sent.
    left: AtomicU32,
    /// Bonus buffers that are being filled, or sent and not yet dealt with.
    bonus: AtomicU32,
}

impl Quota {
    pub(crate) fn new(kind: ThreadKind) -> Quota {
        Quota { whole: kind.quota(), left: AtomicU32::new(kind.quota()), bonus: AtomicU32::new(0) }
    }

    /// Whether another buffer may be filled.
    pub(crate) fn has_left(&self) -> bool {
        // What else the worker did is nothing the thread relies on.
        self.left.load(Ordering::Relaxed) > 0
    }

    /// Whether all buffers that were sent have been dealt with, but for those granted on top.
    pub(crate) fn is_whole(&self) -> bool {
        // What the worker did before is read under locks of its own.
        self.left.load(Ordering::Relaxed) >= self.whole
    }

    /// A buffer was sent.
    pub(crate) fn take(&self) {
        // Only the thread takes, and only after it saw one left.
        self.left.fetch_sub(1, Ordering::Relaxed);
    }

    /// A buffer was dealt with.
    pub(crate) fn give_back(&self) {
        self.left.fetch_add(1, Ordering::Relaxed);
    }

    /// A bonus buffer is wanted; whether it is granted.
    pub(crate) fn take_bonus(&self) -> bool {
        let granted = self.bonus.load(Ordering::Relaxed) < UNIT_BONUS;
        if granted {
            self.bonus.fetch_add(1, Ordering::Relaxed);
        }
        granted
    }

    /// A bonus buffer was dealt with. It gives no quota back.
    pub(crate) fn give_back_bonus(&self) {
        self.bonus.fetch_sub(1, Ordering::Relaxed);
    }
}
