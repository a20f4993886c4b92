//! The process's utilisation: CPU time over wall time over cores, mean of the last samples.

use crate::thresholds::PoolThresholds;
use std::collections::VecDeque;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// Since any fixed moment.
    pub(crate) wall: Duration,
    pub(crate) cpu: Duration,
}

/// 1.0 is all of `cores`. None for an empty period or no cores.
fn utilisation(cpu: Duration, wall: Duration, cores: usize) -> Option<f64> {
    if wall.is_zero() || cores == 0 {
        return None;
    }
    Some(cpu.as_secs_f64() / wall.as_secs_f64() / cores as f64)
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Utilisation {
    last: Option<Reading>,
    samples: VecDeque<f64>,
}

impl Utilisation {
    /// Adds a sample since the last reading. A reading at the same moment, or after a stop of the
    /// process, only sets a new base.
    pub(crate) fn take(&mut self, reading: Reading, cores: usize, thresholds: &PoolThresholds) {
        let Some(last) = self.last.replace(reading) else { return };
        let wall = reading.wall.saturating_sub(last.wall);
        if wall > thresholds.longest_sample {
            return;
        }
        if let Some(share) = utilisation(reading.cpu.saturating_sub(last.cpu), wall, cores) {
            self.samples.push_back(share);
            if self.samples.len() > thresholds.samples.max(1) {
                self.samples.pop_front();
            }
        }
    }

    /// Drops the samples: earlier idleness says nothing about new work.
    pub(crate) fn restart(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn mean(&self, thresholds: &PoolThresholds) -> Option<f64> {
        let count = self.samples.len();
        (count >= thresholds.samples.max(1))
            .then(|| self.samples.iter().sum::<f64>() / count as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(wall_ms: u64, cpu_ms: u64) -> Reading {
        Reading { wall: Duration::from_millis(wall_ms), cpu: Duration::from_millis(cpu_ms) }
    }

    /// A wrong unit of wall time would give 1e-9, and add workers to a busy process.
    #[test]
    fn two_busy_cores_of_two_read_as_all_of_them() {
        let mut use_of_cores = Utilisation::default();
        for tick in 0..=5 {
            use_of_cores.take(reading(tick * 10, tick * 20), 2, &PoolThresholds::default());
        }
        let mean = use_of_cores.mean(&PoolThresholds::default()).unwrap();
        assert!((mean - 1.0).abs() < 1e-9, "{mean}");
        assert!(mean > PoolThresholds::default().low_utilisation);
    }

    #[test]
    fn one_busy_core_of_four_reads_as_a_quarter() {
        assert_eq!(utilisation(Duration::from_secs(3), Duration::from_secs(3), 4), Some(0.25));
        assert_eq!(utilisation(Duration::from_micros(1), Duration::from_micros(1), 4), Some(0.25));
    }

    #[test]
    fn zero_period_is_no_sample_and_no_nan() {
        let mut use_of_cores = Utilisation::default();
        for tick in 0..=5 {
            use_of_cores.take(reading(tick * 10, tick * 10), 1, &PoolThresholds::default());
            use_of_cores.take(reading(tick * 10, tick * 10), 1, &PoolThresholds::default());
        }
        assert_eq!(use_of_cores.mean(&PoolThresholds::default()), Some(1.0));
        assert_eq!(utilisation(Duration::from_secs(1), Duration::ZERO, 4), None);
        assert_eq!(utilisation(Duration::from_secs(1), Duration::from_secs(1), 0), None);
    }

    #[test]
    fn nothing_is_said_before_five_samples() {
        let mut use_of_cores = Utilisation::default();
        for tick in 0..5 {
            use_of_cores.take(reading(tick * 10, 0), 1, &PoolThresholds::default());
            assert_eq!(use_of_cores.mean(&PoolThresholds::default()), None);
        }
        use_of_cores.take(reading(50, 0), 1, &PoolThresholds::default());
        assert_eq!(use_of_cores.mean(&PoolThresholds::default()), Some(0.0));
    }

    #[test]
    fn time_in_which_the_process_was_stopped_does_not_count_as_idle() {
        let mut use_of_cores = Utilisation::default();
        for tick in 0..=4 {
            use_of_cores.take(reading(tick * 10, tick * 10), 1, &PoolThresholds::default());
        }
        use_of_cores.take(reading(120_040, 40), 1, &PoolThresholds::default());
        use_of_cores.take(reading(120_050, 50), 1, &PoolThresholds::default());
        assert_eq!(use_of_cores.mean(&PoolThresholds::default()), Some(1.0));
    }

    #[test]
    fn clock_that_steps_back_is_harmless() {
        let mut use_of_cores = Utilisation::default();
        for wall in [50, 40, 30, 20, 10, 0, 10] {
            use_of_cores.take(reading(wall, wall), 1, &PoolThresholds::default());
        }
        assert_eq!(use_of_cores.mean(&PoolThresholds::default()), None);
    }

    #[test]
    fn restart_forgets_the_idle_time_before() {
        let mut use_of_cores = Utilisation::default();
        for tick in 0..10 {
            use_of_cores.take(reading(tick * 10, 0), 1, &PoolThresholds::default());
        }
        use_of_cores.restart();
        assert_eq!(use_of_cores.mean(&PoolThresholds::default()), None);
    }
}
