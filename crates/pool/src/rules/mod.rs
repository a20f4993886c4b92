//! Every rule by which the pool decides about threads, as pure functions over readings, and every
//! threshold in one table.
//!
//! | rule | when | then |
//! |---|---|---|
//! | first use | a queue is used that has no worker | one worker of that kind, even at the hard limit |
//! | empty queue | nothing waits | nothing |
//! | idle worker | a worker of that kind is idle | nothing |
//! | trigger | nothing finished since the last tick, or more waits than there are workers, or more than [`STALLED_TICKS`] x cores ticks without a completion in all | look further; else nothing |
//! | hard limit | workers of all kinds that are not in a declared wait have reached it | nothing, logged once |
//! | below cores | fewer workers of all kinds are at work than there are cores | add |
//! | low utilisation | the process used less than [`LOW_UTILISATION`] of the cores, mean of [`SAMPLES`] samples | add |
//! | no progress | on average more than [`STALLED_TICKS`] ticks without a completion, and for [`SAMPLES`] ticks fewer workers were runnable than there are cores | add |
//! | cores busy | otherwise | nothing |
//! | declared demand | a scope or parallel iteration has work | permits up to the number of cores at once |
//! | compensation | a worker enters a declared wait while work waits, or work arrives later | another takes its permit at once |
//! | unused permits | more permits than cores, and not all in use | back to the number in use or the cores |
//! | too many runnable | more permits than cores while utilisation is at least [`HIGH_UTILISATION`], or more workers runnable than cores for [`SAMPLES`] ticks | one permit fewer |
//! | late timer | a due timer waited a whole tick, every timer worker busy, fewer of them than cores | add a timer worker |
//! | affinity ladder | a source asks for a queue: idle worker, or shortest queue up to the threshold of [`AFFINITY_LADDER`] | take it; else another worker below the hard limit |
//! | stuck affinity worker | more than [`AFFINITY_STALLED_TICKS`] ticks without a completion | one item moves to the general queue per tick |
//! | refusal | the system refuses a thread | none is tried for [`RETRY_AFTER`] |
//! | retirement | for [`RETIRE_AFTER`] more idle general workers than permits and cores can use | they end |
//!
//! Where this departs from its model: CPU time and wall time are [`Duration`]s, so the two cannot
//! differ in unit (the mistake that made utilisation read 1e-7 of its value upstream and the
//! deadlock rule fire always); the soft limit counts only workers that are at work; the no-progress
//! rule needs evidence that a core is free, so that tasks which only compute never get more threads
//! than cores, however long they take.

mod affinity;
mod judge;
mod queues;
mod utilisation;

pub use affinity::choose_affinity;
pub use judge::{Judge, Step, View, WorkerId, WorkerState, WorkerView};
pub use queues::{Machine, Queue, Reason, Verdict, general, timer};
pub use utilisation::{Reading, Utilisation, utilisation};

use std::time::Duration;

/// The supervisor's tick while work waits.
pub const TICK: Duration = Duration::from_millis(10);
/// Its longest tick when nothing waits; the tick doubles up to it.
pub const IDLE_TICK: Duration = Duration::from_millis(500);
/// Samples of utilisation that are averaged, because one alone is noise.
pub const SAMPLES: usize = 5;
/// Below this share of all cores the process is taken to be blocked.
pub const LOW_UTILISATION: f64 = 0.02;
/// From this share on, workers beyond the cores only take time from each other.
pub const HIGH_UTILISATION: f64 = 0.90;
/// Average ticks without a completion per worker that mean "no progress".
pub const STALLED_TICKS: u64 = 20;
/// Ticks without a completion after which an affinity worker is stuck.
pub const AFFINITY_STALLED_TICKS: u64 = 10;
/// Items that may wait on the shortest affinity queue before another worker starts, by number of
/// workers.
pub const AFFINITY_LADDER: [usize; 6] = [1, 5, 10, 20, 50, 100];
/// How long no thread is tried after the system refused one: 100 ticks.
pub const RETRY_AFTER: Duration = Duration::from_secs(1);
/// How long an idle worker beyond the cores is kept.
pub const RETIRE_AFTER: Duration = Duration::from_secs(10);
/// A sample over a longer time than this says that the process was stopped or asleep, not that it
/// was idle.
pub const LONGEST_SAMPLE: Duration = Duration::from_millis(250);
/// The default hard limit is at least this ...
pub const MIN_HARD_LIMIT: usize = 64;
/// ... and at least this many per core.
pub const HARD_LIMIT_PER_CORE: usize = 8;
/// How many threads may be in declared blocking waits beside the hard limit.
pub const BLOCKED_LIMIT: usize = 2048;

/// The hard limit when nobody sets one: max(64, 8 x cores).
#[must_use]
pub fn default_hard_limit(cores: usize) -> usize {
    MIN_HARD_LIMIT.max(cores.saturating_mul(HARD_LIMIT_PER_CORE))
}

/// How long the supervisor sleeps next: a tick while work waits, else twice as long as before up to
/// [`IDLE_TICK`].
#[must_use]
pub fn next_period(previous: Duration, work_waits: bool) -> Duration {
    if work_waits { TICK } else { previous.saturating_mul(2).clamp(TICK, IDLE_TICK) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hard_limit_is_64_until_eight_times_the_cores_is_more() {
        assert_eq!(default_hard_limit(2), 64);
        assert_eq!(default_hard_limit(8), 64);
        assert_eq!(default_hard_limit(32), 256);
        assert_eq!(default_hard_limit(usize::MAX), usize::MAX);
    }

    #[test]
    fn supervisor_backs_off_to_half_a_second_and_is_back_at_once() {
        let mut period = TICK;
        let mut slept = Vec::new();
        for _ in 0..8 {
            period = next_period(period, false);
            slept.push(period.as_millis());
        }
        assert_eq!(slept, [20, 40, 80, 160, 320, 500, 500, 500]);
        assert_eq!(next_period(period, true), TICK);
    }
}
