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

    #[inline(always)]
    pub fn take_step(&mut self) -> Fallible<()> {
        if self.steps == 0 {
            return Err(self.no_steps());
        }
        self.steps -= 1;
        Ok(())
    }

    /// A record of the record loop, which is a step.
    #[inline(always)]
    pub fn take_record(&mut self) -> Fallible<()> {
        self.take_step()?;
        self.take_other_record()
    }

    /// A record of the main input that is read elsewhere.
    #[inline(always)]
    pub fn take_other_record(&mut self) -> Fallible<()> {
        if self.records == 0 {
            return Err(self.no_records());
        }
        self.records -= 1;
        Ok(())
    }

    /// Whether so many records of the record loop may be taken.
    pub fn allows(&self, records: u64) -> bool {
        records <= self.steps.min(self.records)
    }

    /// Counts so many records of the record loop.
    pub fn take_records(&mut self, count: u64) {
        self.steps -= count;
        self.records -= count;
    }

    #[cold]
    #[inline(never)]
    fn no_steps(&self) -> Fault {
        Fault::limit(RunLimit::Steps(self.max_steps))
    }

    #[cold]
    #[inline(never)]
    fn no_records(&self) -> Fault {
        Fault::limit(RunLimit::Records(self.max_records))
    }
}
