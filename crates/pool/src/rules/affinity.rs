//! The choice of an affinity worker.

use crate::thresholds::PoolThresholds;

/// Chooses among workers, given as (queue length, at work), for a new source: `Some(index)`, or
/// `None` to start another.
pub(crate) fn choose_affinity(
    workers: &[(usize, bool)],
    thresholds: &PoolThresholds,
) -> Option<usize> {
    if let Some(idle) = workers.iter().position(|&(queued, at_work)| queued == 0 && !at_work) {
        return Some(idle);
    }
    let shortest = shortest_queue(workers)?;
    let ladder = &thresholds.affinity_ladder;
    let threshold = ladder[(workers.len() - 1).min(ladder.len() - 1)];
    (workers[shortest].0 <= threshold).then_some(shortest)
}

/// The choice where no worker may be started.
pub(crate) fn shortest_queue(workers: &[(usize, bool)]) -> Option<usize> {
    (0..workers.len()).min_by_key(|&index| workers[index].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose_affinity(workers: &[(usize, bool)]) -> Option<usize> {
        super::choose_affinity(workers, &PoolThresholds::default())
    }

    #[test]
    fn ladder_is_1_5_10_20_50_and_then_100() {
        for (count, threshold) in
            [(1, 1), (2, 5), (3, 10), (4, 20), (5, 50), (6, 100), (7, 100), (40, 100)]
        {
            let at = vec![(threshold, true); count];
            assert_eq!(choose_affinity(&at), Some(0), "{count} workers, {threshold} queued");
            let above = vec![(threshold + 1, true); count];
            assert_eq!(choose_affinity(&above), None, "{count} workers, {} queued", threshold + 1);
            assert_eq!(shortest_queue(&above), Some(0), "no more threads: reuse");
        }
    }

    #[test]
    fn first_source_starts_the_first_worker() {
        assert_eq!(choose_affinity(&[]), None);
        assert_eq!(shortest_queue(&[]), None);
    }

    #[test]
    fn idle_worker_is_preferred_to_a_busy_one_with_an_empty_queue() {
        assert_eq!(choose_affinity(&[(0, true), (3, true), (0, false)]), Some(2));
    }

    #[test]
    fn shortest_queue_is_taken_while_it_is_short_enough() {
        assert_eq!(choose_affinity(&[(9, true), (4, true), (7, true)]), Some(1));
    }

    #[test]
    fn worker_with_waiting_items_is_not_idle_though_it_has_not_begun() {
        assert_eq!(choose_affinity(&[(2, false)]), None);
    }
}
