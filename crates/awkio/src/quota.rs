//! `--max-output`: the limit for all outputs of a program together.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Debug)]
pub(super) struct Quota {
    limit: u64,
    left: Arc<AtomicU64>,
}

#[derive(Debug)]
pub(super) struct TooMuchOutput(u64);

impl fmt::Display for TooMuchOutput {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the limit of {} bytes for all output is reached", self.0)
    }
}

impl std::error::Error for TooMuchOutput {}

impl Quota {
    pub(super) fn new(limit: u64) -> Quota {
        Quota { limit, left: Arc::new(AtomicU64::new(limit)) }
    }

    pub(super) fn take(&self, bytes: usize) -> usize {
        let left = self.left.load(Ordering::Relaxed);
        let taken = left.min(bytes as u64);
        self.left.store(left - taken, Ordering::Relaxed);
        taken as usize
    }

    pub(super) fn take_all(&self, bytes: usize) -> bool {
        let fits = self.left.load(Ordering::Relaxed) >= bytes as u64;
        if fits {
            self.take(bytes);
        }
        fits
    }

    pub(super) fn give_back(&self, bytes: usize) {
        self.left.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(super) fn error(&self) -> std::io::Error {
        std::io::Error::other(TooMuchOutput(self.limit))
    }
}
