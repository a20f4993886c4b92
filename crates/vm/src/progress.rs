//! Tells an embedder how far the main input has been read, on the thread of the run.

use crate::host::panic_message;
use riverhawk_awkio::fault::{Fallible, Fault};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How much of the main input has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes, after decompression. They include what is read ahead of the records.
    pub bytes: u64,
    /// NR.
    pub records: u64,
}

type Callback = dyn FnMut(Progress) + Send;

/// A callback, and how often it is called.
#[derive(Clone)]
pub struct ProgressCallback {
    /// The least time between two calls.
    every: Duration,
    callback: Arc<Mutex<Callback>>,
}

impl ProgressCallback {
    /// Calls when more has been read and this time has passed.
    pub fn new(
        every: Duration,
        callback: impl FnMut(Progress) + Send + 'static,
    ) -> ProgressCallback {
        ProgressCallback { every, callback: Arc::new(Mutex::new(callback)) }
    }
}

impl fmt::Debug for ProgressCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgressCallback").field("every", &self.every).finish_non_exhaustive()
    }
}

/// What a run has read, and the callback for it.
#[derive(Default)]
pub(crate) struct ReadMeter {
    /// Other threads may add to it and read it.
    pub bytes: Option<Arc<AtomicU64>>,
    /// And when it was last called; without a clock it is called for each block.
    callback: Option<(ProgressCallback, Option<Instant>)>,
}

impl ReadMeter {
    pub fn set_callback(&mut self, callback: Option<ProgressCallback>) {
        self.callback = callback.map(|callback| (callback, riverhawk_system::now()));
    }

    /// After a block has been read, of 256 KiB as a rule.
    pub fn add(&self, count: usize) {
        if let Some(bytes) = &self.bytes {
            bytes.fetch_add(count as u64, Ordering::Relaxed);
        }
    }

    /// # Errors
    /// The callback panics.
    #[inline]
    pub fn report(&mut self, records: f64) -> Fallible<()> {
        match &mut self.callback {
            None => Ok(()),
            Some((callback, Some(last))) if last.elapsed() < callback.every => Ok(()),
            Some((callback, last)) => {
                *last = riverhawk_system::now();
                let bytes = self.bytes.as_ref().map_or(0, |bytes| bytes.load(Ordering::Relaxed));
                let mut call = callback.callback.lock().unwrap_or_else(PoisonError::into_inner);
                let progress = Progress { bytes, records: records as u64 };
                catch_unwind(AssertUnwindSafe(|| call(progress))).map_err(|panic| {
                    let message = panic_message(&*panic);
                    Fault::new(format!("the progress callback panicked: {message}"))
                })
            }
        }
    }
}
