//! At most one entry on the general queue per scope, and always one when there is work: closures
//! are added before a ticket is issued, and read after it is taken.

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
