//! At most one entry on the general queue for a scope with any number of closures, and none missing
//! when there is work.
//!
//! A closure is added before a ticket is issued; a ticket is marked as taken before closures are
//! looked for. So a closure that was added while a ticket waited is seen when that ticket is taken.

use crate::sync::{AtomicBool, Ordering, fence};

pub(crate) struct Ticket {
    waits: AtomicBool,
}

impl Ticket {
    pub(crate) fn new() -> Self {
        Self { waits: AtomicBool::new(false) }
    }

    /// True if there is none on the queue and the caller must put one there.
    pub(crate) fn issue(&self) -> bool {
        fence(Ordering::SeqCst);
        !self.waits.swap(true, Ordering::SeqCst)
    }

    /// The ticket has left the queue.
    pub(crate) fn take(&self) {
        self.waits.store(false, Ordering::SeqCst);
        fence(Ordering::SeqCst);
    }
}
