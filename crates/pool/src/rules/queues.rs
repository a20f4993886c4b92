//! The rules for one queue at one tick: whether to add a worker, and why.

use crate::thresholds::PoolThresholds;
use std::fmt;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Queue {
    pub(crate) queued: usize,
    /// Workers at work (neither idle nor in a declared wait).
    pub(crate) workers: usize,
    pub(crate) idle: usize,
    pub(crate) finished: u64,
    pub(crate) stalled_ticks: u64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cores {
    /// The soft limit.
    pub(crate) cores: usize,
    pub(crate) hard_limit: usize,
    pub(crate) working: usize,
    pub(crate) utilisation: Option<f64>,
    /// For several ticks fewer runnable workers than cores; None if unknown.
    pub(crate) spare_core: Option<bool>,
}

/// Why a worker was added or was not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionReason {
    /// The first worker of its kind.
    FirstUse,
    /// A scope or parallel iteration asked for all cores.
    Demand,
    /// Another worker is in a declared blocking wait.
    Compensation,
    /// Fewer workers than cores.
    BelowCores,
    /// The process hardly uses the CPU.
    LowUtilisation,
    /// No completion for long, and a core is free.
    NoProgress,
    /// A due timer waits, every timer worker is busy.
    LateTimer,
    /// Every affinity queue is longer than the ladder allows.
    Ladder,
    /// Nothing waits.
    NothingQueued,
    /// A worker is idle.
    IdleWorker,
    /// Work is being finished.
    Progressing,
    /// As many workers as allowed.
    HardLimit,
    /// As many at work as cores, computing.
    CoresBusy,
    /// As many at work as cores, utilisation unknown.
    NotMeasured,
}

impl fmt::Display for DecisionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FirstUse => "first use",
            Self::Demand => "declared demand",
            Self::Compensation => "compensation",
            Self::BelowCores => "below cores",
            Self::LowUtilisation => "low utilisation",
            Self::NoProgress => "no progress",
            Self::LateTimer => "late timer",
            Self::Ladder => "affinity ladder",
            Self::NothingQueued => "nothing queued",
            Self::IdleWorker => "idle worker",
            Self::Progressing => "progressing",
            Self::HardLimit => "hard limit",
            Self::CoresBusy => "cores busy",
            Self::NotMeasured => "utilisation not measured yet",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Add(DecisionReason),
    Leave(DecisionReason),
}

pub(crate) fn general(queue: &Queue, machine: &Cores, thresholds: &PoolThresholds) -> Verdict {
    if queue.queued == 0 {
        return Verdict::Leave(DecisionReason::NothingQueued);
    }
    if queue.idle > 0 {
        return Verdict::Leave(DecisionReason::IdleWorker);
    }
    let many_stalled =
        queue.stalled_ticks > thresholds.stalled_ticks.saturating_mul(machine.cores as u64);
    if queue.finished > 0 && queue.queued <= queue.workers && !many_stalled {
        return Verdict::Leave(DecisionReason::Progressing);
    }
    if machine.working >= machine.hard_limit {
        return Verdict::Leave(DecisionReason::HardLimit);
    }
    if machine.working < machine.cores {
        return Verdict::Add(DecisionReason::BelowCores);
    }
    match machine.utilisation {
        None => return Verdict::Leave(DecisionReason::NotMeasured),
        Some(share) if share < thresholds.low_utilisation => {
            return Verdict::Add(DecisionReason::LowUtilisation);
        }
        Some(_) => {}
    }
    let average = queue.stalled_ticks / (queue.workers as u64).max(1);
    if average > thresholds.stalled_ticks && machine.spare_core == Some(true) {
        return Verdict::Add(DecisionReason::NoProgress);
    }
    Verdict::Leave(DecisionReason::CoresBusy)
}

/// Timers come before throughput, so neither limit applies, only one timer worker per core.
pub(crate) fn timer(queue: &Queue, machine: &Cores) -> Verdict {
    if queue.queued == 0 {
        Verdict::Leave(DecisionReason::NothingQueued)
    } else if queue.idle > 0 {
        Verdict::Leave(DecisionReason::IdleWorker)
    } else if queue.finished > 0 {
        Verdict::Leave(DecisionReason::Progressing)
    } else if queue.workers > machine.cores {
        Verdict::Leave(DecisionReason::HardLimit)
    } else {
        Verdict::Add(DecisionReason::LateTimer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn general(queue: &Queue, machine: &Cores) -> Verdict {
        super::general(queue, machine, &PoolThresholds::default())
    }

    const BUSY: Queue = Queue { queued: 1, workers: 4, idle: 0, finished: 0, stalled_ticks: 4 };
    const MACHINE: Cores = Cores {
        cores: 4,
        hard_limit: 64,
        working: 4,
        utilisation: Some(1.0),
        spare_core: Some(false),
    };

    #[test]
    fn empty_queue_needs_no_worker() {
        assert_eq!(
            general(&Queue { queued: 0, ..BUSY }, &MACHINE),
            Verdict::Leave(DecisionReason::NothingQueued)
        );
    }

    #[test]
    fn idle_worker_will_do_it() {
        assert_eq!(
            general(&Queue { idle: 1, ..BUSY }, &MACHINE),
            Verdict::Leave(DecisionReason::IdleWorker)
        );
    }

    #[test]
    fn short_queue_that_moves_needs_no_worker() {
        let moving = Queue { queued: 4, finished: 1, ..BUSY };
        assert_eq!(
            general(&moving, &Cores { working: 1, ..MACHINE }),
            Verdict::Leave(DecisionReason::Progressing)
        );
    }

    #[test]
    fn queue_longer_than_the_workers_adds_up_to_the_cores() {
        let tiny = Queue { queued: 5, workers: 4, finished: 1000, ..BUSY };
        assert_eq!(
            general(&tiny, &Cores { working: 3, ..MACHINE }),
            Verdict::Add(DecisionReason::BelowCores)
        );
        assert_eq!(general(&tiny, &MACHINE), Verdict::Leave(DecisionReason::CoresBusy));
    }

    #[test]
    fn long_stall_of_some_workers_is_a_trigger_though_others_finish() {
        let stalled = Queue { finished: 1, stalled_ticks: 81, ..BUSY };
        assert_eq!(
            general(&stalled, &Cores { working: 3, ..MACHINE }),
            Verdict::Add(DecisionReason::BelowCores)
        );
        let not_yet = Queue { finished: 1, stalled_ticks: 80, ..BUSY };
        assert_eq!(
            general(&not_yet, &Cores { working: 3, ..MACHINE }),
            Verdict::Leave(DecisionReason::Progressing)
        );
    }

    #[test]
    fn two_percent_is_the_line_between_busy_and_blocked() {
        let used = |share| Cores { utilisation: Some(share), ..MACHINE };
        assert_eq!(general(&BUSY, &used(0.0199)), Verdict::Add(DecisionReason::LowUtilisation));
        assert_eq!(general(&BUSY, &used(0.02)), Verdict::Leave(DecisionReason::CoresBusy));
        assert_eq!(
            general(&BUSY, &Cores { utilisation: None, ..MACHINE }),
            Verdict::Leave(DecisionReason::NotMeasured)
        );
    }

    #[test]
    fn tasks_that_compute_for_an_hour_get_no_more_workers_than_cores() {
        let hour = Queue { stalled_ticks: 4 * 360_000, ..BUSY };
        assert_eq!(general(&hour, &MACHINE), Verdict::Leave(DecisionReason::CoresBusy));
        assert_eq!(
            general(&hour, &Cores { spare_core: None, ..MACHINE }),
            Verdict::Leave(DecisionReason::CoresBusy)
        );
    }

    #[test]
    fn one_spins_and_the_others_are_blocked_so_one_is_added_after_twenty_ticks_each() {
        let quarter = Cores { utilisation: Some(0.25), spare_core: Some(true), ..MACHINE };
        assert_eq!(
            general(&Queue { stalled_ticks: 84, ..BUSY }, &quarter),
            Verdict::Add(DecisionReason::NoProgress)
        );
        assert_eq!(
            general(&Queue { stalled_ticks: 83, ..BUSY }, &quarter),
            Verdict::Leave(DecisionReason::CoresBusy)
        );
    }

    #[test]
    fn hard_limit_holds_whatever_the_utilisation() {
        let full = Cores { working: 64, utilisation: Some(0.0), ..MACHINE };
        assert_eq!(general(&BUSY, &full), Verdict::Leave(DecisionReason::HardLimit));
    }

    #[test]
    fn late_timer_gets_a_worker_though_all_cores_are_busy() {
        let late = Queue { queued: 1, workers: 1, idle: 0, finished: 0, stalled_ticks: 1 };
        assert_eq!(
            timer(&late, &Cores { working: 64, ..MACHINE }),
            Verdict::Add(DecisionReason::LateTimer)
        );
        assert_eq!(
            timer(&Queue { finished: 1, ..late }, &MACHINE),
            Verdict::Leave(DecisionReason::Progressing)
        );
        assert_eq!(
            timer(&Queue { idle: 1, ..late }, &MACHINE),
            Verdict::Leave(DecisionReason::IdleWorker)
        );
        assert_eq!(
            timer(&Queue { workers: 5, ..late }, &MACHINE),
            Verdict::Leave(DecisionReason::HardLimit)
        );
    }
}
