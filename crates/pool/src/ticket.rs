//! At most one entry on the general queue per scope, and always one when there is work.
//!
//! A closure is added before a ticket is issued, and a ticket is taken before closures are read. So
//! taking a ticket sees closures added while it waited.

use crate::sync::{AtomicBool, Ordering, fence};

pub(crate) struct Ticket {
    waits: AtomicBool,
}

impl Ticket {
    pub(crate) fn new() -> Self {
        Self { waits: AtomicBool::new(false) }
    }

    /// True if the caller must queue one.
    pub(crate) fn issue(&self) -> bool {
        fence(Ordering::SeqCst);
        !self.waits.swap(true, Ordering::SeqCst)
    }

    pub(crate) fn take(&self) {
        self.waits.store(false, Ordering::SeqCst);
        fence(Ordering::SeqCst);
    }
}
