//! The threads of a pool.

use crate::affinity::AffinityQueue;
use crate::settings::Settings;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// The threads of one pool.
#[derive(Default)]
pub(crate) struct Threads {
    handles: Mutex<Vec<JoinHandle<()>>>,
    pub(crate) next: AtomicU64,
    /// Started or starting.
    pub(crate) supervised: AtomicBool,
    refused: Mutex<Option<Instant>>,
    pub(crate) has_refused: AtomicBool,
    /// Affinity queues whose worker could not be started.
    pub(crate) orphans: Mutex<Vec<Arc<AffinityQueue>>>,
}

impl Threads {
    pub(crate) fn spawn(
        &self,
        settings: &Settings,
        name: String,
        body: Box<dyn FnOnce() + Send>,
    ) -> io::Result<()> {
        let builder = Builder::new().name(name).stack_size(settings.stack_size);
        let handle = (settings.source)(builder, body)?;
        let mut handles = self.handles.lock().unwrap_or_else(PoisonError::into_inner);
        handles.retain(|handle| !handle.is_finished());
        handles.push(handle);
        Ok(())
    }

    pub(crate) fn refuse(&self) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.has_refused.store(true, Ordering::SeqCst);
    }

    pub(crate) fn were_refused(&self) -> bool {
        self.has_refused.load(Ordering::SeqCst)
    }

    pub(crate) fn may_retry(&self, retry_after: Duration) -> bool {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.is_none_or(|at| at.elapsed() >= retry_after)
    }

    /// Waits for all threads but the calling one.
    pub(crate) fn join(&self) {
        loop {
            let handle = self.handles.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(handle) = handle else { return };
            if handle.thread().id() != std::thread::current().id() {
                // Panics of tasks are caught where they run.
                let _ = handle.join();
            }
        }
    }
}
