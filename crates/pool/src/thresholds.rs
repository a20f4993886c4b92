//! Every number by which the pool decides about threads, in one table.

use std::time::Duration;

/// What decides about threads; [`PoolBuilder::thresholds`](crate::PoolBuilder::thresholds) sets it.
/// A *tick* is one look of the supervisor. Numbers without a reason are those of Rakudo's
/// `ThreadPoolScheduler`.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolThresholds {
    /// Time between two ticks while work waits: 10 ms.
    pub tick: Duration,
    /// Maximum time between ticks: 500 ms, reached by doubling. An idle pool then costs 0.012 % of
    /// a core (`docs/pool.md`).
    pub idle_tick: Duration,
    /// Samples of utilisation in the mean: 5, as one is noise.
    pub samples: usize,
    /// Longer samples are dropped, since the process was stopped or asleep: 250 ms.
    pub longest_sample: Duration,
    /// Share of all cores below which the process counts as blocked: 0.02.
    pub low_utilisation: f64,
    /// Share of all cores above which more workers only compete: 0.90.
    pub high_utilisation: f64,
    /// Average ticks without a completion per worker that mean "no progress": 20.
    pub stalled_ticks: u64,
    /// Ticks without a completion that mean an affinity worker is stuck: 10.
    pub affinity_stalled_ticks: u64,
    /// Items that may wait on the shortest affinity queue before a worker is added, by number of
    /// workers: 1, 5, 10, 20, 50, 100 and so on.
    pub affinity_ladder: [usize; 6],
    /// Time without attempts after a refused thread: 1 s.
    pub retry_after: Duration,
    /// Time an idle worker beyond the cores is kept: 10 s.
    pub retire_after: Duration,
    /// Workers outside declared waits that are always allowed: 64. With
    /// [`hard_limit_per_core`](Self::hard_limit_per_core) it makes the hard limit, unless
    /// [`PoolBuilder::max_workers`](crate::PoolBuilder::max_workers) sets that.
    pub min_hard_limit: usize,
    /// Workers outside declared waits allowed per core: 8.
    pub hard_limit_per_core: usize,
    /// Threads inside declared waits allowed beside the hard limit: 2,048.
    pub blocked_limit: usize,
}

impl PoolThresholds {
    pub(crate) fn hard_limit(&self, cores: usize) -> usize {
        self.min_hard_limit.max(cores.saturating_mul(self.hard_limit_per_core))
    }

    /// The time to the next tick while no work waits.
    pub(crate) fn idle_period(&self, previous: Duration) -> Duration {
        previous.saturating_mul(2).clamp(self.tick, self.idle_tick.max(self.tick))
    }
}

impl Default for PoolThresholds {
    fn default() -> Self {
        Self {
            tick: Duration::from_millis(10),
            idle_tick: Duration::from_millis(500),
            samples: 5,
            longest_sample: Duration::from_millis(250),
            low_utilisation: 0.02,
            high_utilisation: 0.90,
            stalled_ticks: 20,
            affinity_stalled_ticks: 10,
            affinity_ladder: [1, 5, 10, 20, 50, 100],
            retry_after: Duration::from_secs(1),
            retire_after: Duration::from_secs(10),
            min_hard_limit: 64,
            hard_limit_per_core: 8,
            blocked_limit: 2048,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hard_limit_is_64_until_eight_times_the_cores_is_more() {
        let limit = |cores| PoolThresholds::default().hard_limit(cores);
        assert_eq!([limit(2), limit(8), limit(32)], [64, 64, 256]);
        assert_eq!(limit(usize::MAX), usize::MAX);
    }

    #[test]
    fn supervisor_without_work_backs_off_to_half_a_second() {
        let thresholds = PoolThresholds::default();
        let mut period = thresholds.tick;
        let mut slept = Vec::new();
        for _ in 0..8 {
            period = thresholds.idle_period(period);
            slept.push(period.as_millis());
        }
        assert_eq!(slept, [20, 40, 80, 160, 320, 500, 500, 500]);
    }
}
