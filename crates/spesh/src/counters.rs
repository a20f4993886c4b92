//! Counters of the specialiser's work.

use std::sync::atomic::{AtomicU64, Ordering};

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What the specialiser has done, and what it holds.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Counters {
            $($(#[$doc])* pub $name: u64,)*
        }

        #[derive(Debug, Default)]
        pub(crate) struct Tally {
            $(pub(crate) $name: Count,)*
        }

        impl Tally {
            pub(crate) fn read(&self) -> Counters {
                Counters { $($name: self.$name.read(),)* }
            }
        }
    };
}

counters! {
    /// Buffers processed.
    buffers,
    /// Entries in them.
    entries,
    /// Observed specialisations planned.
    planned_observed,
    /// Derived specialisations planned.
    planned_derived,
    /// Certain specialisations planned.
    planned_certain,
    /// Specialisations produced.
    produced,
    /// Those that the producer refused.
    refused,
    /// Those left out because of the limit.
    left_out,
    /// Threads that log.
    threads,
    /// Frames that are registered and live.
    frames,
    /// Frames of which statistics are kept.
    frames_with_statistics,
    /// Frames on simulated stacks.
    simulated_frames,
    /// Worker threads that were started: none or one.
    workers,
}

/// Relaxed order suffices: no other memory depends on a counter.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    pub(crate) fn subtract(&self, less: u64) {
        self.0.fetch_sub(less, Ordering::Relaxed);
    }

    pub(crate) fn set(&self, now: u64) {
        self.0.store(now, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
