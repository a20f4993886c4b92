//! Counts down the steps, records and calls that a limited program may still use.

use crate::config::Limits;
use crate::frames::MAX_CALLS;
use riverhawk_awkio::fault::{Fallible, Fault, RunLimit};

pub(crate) struct Budget {
    /// Machine code counts here too.
    pub steps: u64,
    records: u64,
    max_steps: u64,
    max_records: u64,
    pub max_calls: usize,
}

impl Budget {
    pub fn new(limits: &Limits) -> Budget {
        let (max_steps, max_records) =
            (limits.max_steps.unwrap_or(u64::MAX), limits.max_records.unwrap_or(u64::MAX));
        Budget {
            steps: max_steps,
            records: max_records,
            max_steps,
            max_records,
            max_calls: limits.max_call_depth.unwrap_or(MAX_CALLS).min(MAX_CALLS),
        }
    }

    #[inline]
    pub fn count_step(&mut self) -> Fallible<()> {
        count(&mut self.steps, RunLimit::Steps(self.max_steps))
    }

    #[inline]
    pub fn count_record(&mut self) -> Fallible<()> {
        count(&mut self.records, RunLimit::Records(self.max_records))
    }
}

fn count(left: &mut u64, limit: RunLimit) -> Fallible<()> {
    match left.checked_sub(1) {
        Some(fewer) => {
            *left = fewer;
            Ok(())
        }
        None => Err(Fault::limit(limit)),
    }
}
