//! When a candidate's guards have failed too often.

use crate::thresholds::{FAILURE_PERCENT, FAILURES};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// What to do after a guard failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateVerdict {
    /// Rare enough: go on.
    Keep,
    /// Too often: [withdraw](crate::RegisteredFrame::withdraw) it. Returned once.
    Withdraw,
}

/// Counts a candidate's entries and each guard's failures.
///
/// A guard that often fails makes the candidate slower than the interpreter. The first `FAILURES`
/// are ignored: after few entries a share says little.
#[derive(Debug)]
pub struct CandidateCounters {
    entries: AtomicU64,
    failures: Box<[AtomicU32]>,
    withdrawn: AtomicU32,
}

impl CandidateCounters {
    /// Counters for a candidate with this many guards.
    pub fn new(guards: usize) -> CandidateCounters {
        CandidateCounters {
            entries: AtomicU64::new(0),
            failures: (0..guards).map(|_| AtomicU32::new(0)).collect(),
            withdrawn: AtomicU32::new(0),
        }
    }

    /// Counts an entry.
    #[inline]
    pub fn enter(&self) {
        self.entries.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a long loop, which is entered only once, as more entries.
    pub fn credit(&self, entries: u64) {
        self.entries.fetch_add(entries, Ordering::Relaxed);
    }

    /// Counts a guard's failure.
    pub fn fail(&self, guard: usize) -> CandidateVerdict {
        let Some(failures) = self.failures.get(guard) else { return CandidateVerdict::Keep };
        let failures = failures.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let too_many = failures >= FAILURES
            && u64::from(failures) * 100
                > self.entries.load(Ordering::Relaxed) * u64::from(FAILURE_PERCENT);
        if too_many && self.withdrawn.swap(1, Ordering::Relaxed) == 0 {
            CandidateVerdict::Withdraw
        } else {
            CandidateVerdict::Keep
        }
    }

    /// How often it was entered.
    pub fn entries(&self) -> u64 {
        self.entries.load(Ordering::Relaxed)
    }

    /// How often each guard failed.
    pub fn failures(&self) -> impl Iterator<Item = u32> + '_ {
        self.failures.iter().map(|failures| failures.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failures_until_withdrawn(entries: u32, every: u32) -> Option<u32> {
        let counters = CandidateCounters::new(1);
        let mut failures = 0;
        for entry in 1..=entries {
            counters.enter();
            if entry % every == 0 {
                failures += 1;
                if counters.fail(0) == CandidateVerdict::Withdraw {
                    return Some(failures);
                }
            }
        }
        None
    }

    #[test]
    fn a_guard_that_always_fails_ends_its_candidate_after_sixteen_failures() {
        assert_eq!(failures_until_withdrawn(1_000_000, 1), Some(16));
    }

    #[test]
    fn a_guard_that_fails_once_in_a_hundred_is_kept() {
        assert_eq!(failures_until_withdrawn(1_000_000, 100), None);
        assert_eq!(failures_until_withdrawn(1_000_000, 99), Some(16));
    }

    #[test]
    fn guards_are_counted_apart() {
        let counters = CandidateCounters::new(2);
        for _ in 0..15 {
            assert_eq!(counters.fail(0), CandidateVerdict::Keep);
            assert_eq!(counters.fail(1), CandidateVerdict::Keep);
        }
        assert_eq!(counters.withdrawn.load(Ordering::Relaxed), 0);
        assert_eq!(counters.fail(1), CandidateVerdict::Withdraw);
        assert_eq!(counters.fail(1), CandidateVerdict::Keep, "said once");
        assert_eq!(counters.failures().collect::<Vec<_>>(), [15, 17]);
    }

    #[test]
    fn a_guard_that_is_not_there_cannot_fail() {
        assert_eq!(CandidateCounters::new(0).fail(3), CandidateVerdict::Keep);
    }
}
