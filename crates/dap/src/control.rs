//! What the loop over messages and the run's thread share.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use riverhawk_engine::Cancel;

use crate::breakpoints::Breakpoints;
use crate::protocol::Request;

#[derive(Default)]
pub(crate) struct Control {
    breakpoints: Mutex<Breakpoints>,
    wants_pause: AtomicBool,
    wants_end: AtomicBool,
    /// Ends a run that waits for something.
    pub cancel: Cancel,
    mailbox: Mutex<Mailbox>,
    changed: Condvar,
}

/// Requests for a run that stands still.
#[derive(Default)]
struct Mailbox {
    is_open: bool,
    requests: VecDeque<Request>,
}

impl Control {
    /// Locked only for moments: evaluating a condition may last.
    pub(crate) fn breakpoints(&self) -> MutexGuard<'_, Breakpoints> {
        self.breakpoints.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn pause(&self) {
        self.wants_pause.store(true, Ordering::Relaxed);
    }

    /// Whether a pause is wanted; it is not any more.
    pub(crate) fn takes_pause(&self) -> bool {
        self.wants_pause.load(Ordering::Relaxed) && self.wants_pause.swap(false, Ordering::Relaxed)
    }

    /// Ends the run, whatever it does.
    pub(crate) fn end(&self) {
        let mailbox = self.mailbox();
        self.wants_end.store(true, Ordering::Relaxed);
        drop(mailbox);
        self.changed.notify_all();
        self.cancel.cancel();
    }

    pub(crate) fn is_ending(&self) -> bool {
        self.wants_end.load(Ordering::Relaxed)
    }

    /// The run stands still from now on.
    pub(crate) fn open(&self) {
        self.mailbox().is_open = true;
    }

    /// The run goes on. Gives the requests that came too late.
    pub(crate) fn close(&self) -> VecDeque<Request> {
        let mut mailbox = self.mailbox();
        mailbox.is_open = false;
        std::mem::take(&mut mailbox.requests)
    }

    /// Gives a request to a run that stands still, or back.
    pub(crate) fn deliver(&self, request: Request) -> Result<(), Request> {
        let mut mailbox = self.mailbox();
        if !mailbox.is_open {
            return Err(request);
        }
        mailbox.requests.push_back(request);
        drop(mailbox);
        self.changed.notify_all();
        Ok(())
    }

    /// The next request; none if the run is to end.
    pub(crate) fn next(&self) -> Option<Request> {
        let mut mailbox = self.mailbox();
        loop {
            if self.is_ending() {
                return None;
            }
            if let Some(request) = mailbox.requests.pop_front() {
                return Some(request);
            }
            mailbox = self.changed.wait(mailbox).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn mailbox(&self) -> MutexGuard<'_, Mailbox> {
        self.mailbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
