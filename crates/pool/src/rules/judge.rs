//! One tick of the supervisor as a function of readings and memory. It reads no clock and touches
//! no thread, so tests can give it any history.

use super::queues::{self, Cores, DecisionReason, Queue, Verdict};
use super::utilisation::{Reading, Utilisation};
use crate::WorkerKind;
use crate::thresholds::PoolThresholds;
use std::collections::HashMap;
use std::time::Duration;

/// Identifies a worker; never reused in a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct WorkerId(pub(crate) u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorkerState {
    Idle,
    Working,
    Blocked,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkerView {
    pub(crate) id: WorkerId,
    pub(crate) kind: WorkerKind,
    pub(crate) state: WorkerState,
    /// Completed turns (runs of a task until it finished or was suspended).
    pub(crate) turns: u64,
    pub(crate) queued: usize,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    pub(crate) queued: usize,
    pub(crate) due: usize,
    /// General workers that rest and have a permit, or are about to work.
    pub(crate) idle: usize,
    pub(crate) parked: usize,
    pub(crate) target: usize,
    pub(crate) active: usize,
    pub(crate) guests: usize,
    /// The soft limit.
    pub(crate) cores: usize,
    /// The hard limit.
    pub(crate) hard_limit: usize,
    pub(crate) runnable: Option<usize>,
    pub(crate) workers: Vec<WorkerView>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// One general permit more.
    AddGeneral(DecisionReason),
    AddTimer(DecisionReason),
    /// Work waits at the hard limit; reported once until the queue is empty.
    AtHardLimit,
    LowerTarget(usize),
    MoveItem(WorkerId),
    Retire(usize),
    Stuck(WorkerId, Duration),
}

#[derive(Clone, Copy)]
struct Seen {
    turns: u64,
    stalled: u64,
    since: Duration,
    reported: bool,
}

#[derive(Default)]
pub(crate) struct Judge {
    thresholds: PoolThresholds,
    stuck_after: Option<Duration>,
    utilisation: Utilisation,
    seen: HashMap<WorkerId, Seen>,
    spare_ticks: usize,
    crowded_ticks: usize,
    surplus_since: Option<Duration>,
    limit_said: bool,
}

impl Judge {
    pub(crate) fn new(thresholds: PoolThresholds, stuck_after: Option<Duration>) -> Self {
        Self { thresholds, stuck_after, ..Self::default() }
    }

    pub(crate) fn utilisation(&self) -> Option<f64> {
        self.utilisation.mean(&self.thresholds)
    }

    /// New work ended a long sleep: earlier readings do not count.
    pub(crate) fn woken(&mut self) {
        self.utilisation.restart();
        self.spare_ticks = 0;
        self.crowded_ticks = 0;
    }

    pub(crate) fn tick(&mut self, wall: Duration, cpu: Option<Duration>, view: &View) -> Vec<Step> {
        if let Some(cpu) = cpu {
            self.utilisation.take(Reading { wall, cpu }, view.cores, &self.thresholds);
        }
        self.count_runnable(view);
        let mut steps = Vec::new();
        let (general, timer) = self.watch(wall, view, &mut steps);
        let working =
            view.workers.iter().filter(|worker| worker.state == WorkerState::Working).count();
        let working = working + view.guests;
        let machine = Cores {
            cores: view.cores,
            hard_limit: view.hard_limit,
            working,
            utilisation: self.utilisation.mean(&self.thresholds),
            spare_core: view.runnable.map(|_| self.spare_ticks >= self.thresholds.samples),
        };
        match queues::general(&general, &machine, &self.thresholds) {
            Verdict::Add(reason) => steps.push(Step::AddGeneral(reason)),
            Verdict::Leave(DecisionReason::HardLimit) if !self.limit_said => {
                self.limit_said = true;
                steps.push(Step::AtHardLimit);
            }
            Verdict::Leave(DecisionReason::NothingQueued) => self.limit_said = false,
            Verdict::Leave(_) => steps.extend(self.too_many_runnable(view)),
        }
        if let Verdict::Add(reason) = queues::timer(&timer, &machine) {
            steps.push(Step::AddTimer(reason));
        }
        if view.queued == 0 && view.target > view.cores && view.active < view.target {
            steps.push(Step::LowerTarget(view.active.max(view.cores)));
        }
        steps.extend(self.retire(wall, view));
        steps
    }

    fn watch(&mut self, wall: Duration, view: &View, steps: &mut Vec<Step>) -> (Queue, Queue) {
        let mut general = Queue { queued: view.queued, idle: view.idle, ..Queue::default() };
        let mut timer = Queue { queued: view.due, ..Queue::default() };
        self.seen.retain(|id, _| view.workers.iter().any(|worker| worker.id == *id));
        for worker in &view.workers {
            let fresh = Seen { turns: worker.turns, stalled: 0, since: wall, reported: false };
            let seen = self.seen.entry(worker.id).or_insert(fresh);
            let finished = worker.turns.saturating_sub(seen.turns);
            if finished > 0 || worker.state == WorkerState::Idle {
                *seen = fresh;
            } else {
                seen.stalled += 1;
            }
            let queue = match worker.kind {
                WorkerKind::General => &mut general,
                WorkerKind::Timer => &mut timer,
                WorkerKind::Affinity => {
                    if seen.stalled > self.thresholds.affinity_stalled_ticks && worker.queued > 0 {
                        steps.push(Step::MoveItem(worker.id));
                    }
                    &mut Queue::default()
                }
            };
            queue.finished += finished;
            match worker.state {
                WorkerState::Working => {
                    queue.workers += 1;
                    queue.stalled_ticks += seen.stalled;
                }
                WorkerState::Idle if worker.kind == WorkerKind::Timer => queue.idle += 1,
                WorkerState::Idle | WorkerState::Blocked => {}
            }
            if let Some(limit) = self.stuck_after
                && worker.state != WorkerState::Idle
                && !seen.reported
                && wall.saturating_sub(seen.since) >= limit
            {
                seen.reported = true;
                steps.push(Step::Stuck(worker.id, seen.since));
            }
        }
        (general, timer)
    }

    fn count_runnable(&mut self, view: &View) {
        let Some(runnable) = view.runnable else {
            (self.spare_ticks, self.crowded_ticks) = (0, 0);
            return;
        };
        self.spare_ticks = if runnable < view.cores { self.spare_ticks + 1 } else { 0 };
        self.crowded_ticks = if runnable > view.cores { self.crowded_ticks + 1 } else { 0 };
    }

    fn too_many_runnable(&self, view: &View) -> Option<Step> {
        let busy = self
            .utilisation
            .mean(&self.thresholds)
            .is_some_and(|share| share >= self.thresholds.high_utilisation);
        let crowded = self.crowded_ticks >= self.thresholds.samples;
        (view.target > view.cores && (busy || crowded)).then(|| Step::LowerTarget(view.target - 1))
    }

    fn retire(&mut self, wall: Duration, view: &View) -> Option<Step> {
        let usable = view.target.max(view.cores).saturating_sub(view.active);
        let surplus = view.parked.saturating_sub(usable);
        if surplus == 0 {
            self.surplus_since = None;
            return None;
        }
        let since = *self.surplus_since.get_or_insert(wall);
        if wall.saturating_sub(since) < self.thresholds.retire_after {
            return None;
        }
        self.surplus_since = None;
        Some(Step::Retire(surplus))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn busy(general: u64) -> View {
        let worker = |id| WorkerView {
            id: WorkerId(id),
            kind: WorkerKind::General,
            state: WorkerState::Working,
            turns: 0,
            queued: 0,
        };
        View {
            queued: 1,
            target: general as usize,
            active: general as usize,
            cores: 2,
            hard_limit: 64,
            workers: (0..general).map(worker).collect(),
            ..View::default()
        }
    }

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn run(
        judge: &mut Judge,
        ticks: u64,
        share: f64,
        mut view: impl FnMut(u64) -> View,
    ) -> Vec<(u64, Step)> {
        let cpu = |tick: u64| Duration::from_secs_f64(tick as f64 * 0.02 * share);
        (0..ticks)
            .flat_map(|tick| {
                let steps = judge.tick(ms(tick * 10), Some(cpu(tick)), &view(tick));
                steps.into_iter().map(move |step| (tick, step)).collect::<Vec<_>>()
            })
            .collect()
    }

    /// A process that computes gets no more threads, however many ticks pass.
    #[test]
    fn busy_process_gets_no_thread_beyond_the_cores() {
        assert_eq!(run(&mut Judge::default(), 5000, 0.99, |_| busy(2)), []);
    }

    #[test]
    fn below_the_cores_a_worker_is_added_at_the_first_tick() {
        let steps = run(&mut Judge::default(), 1, 0.5, |_| busy(1));
        assert_eq!(steps, [(0, Step::AddGeneral(DecisionReason::BelowCores))]);
    }

    #[test]
    fn blocked_process_gets_one_thread_a_tick_once_five_samples_agree() {
        let steps = run(&mut Judge::default(), 8, 0.0, |_| busy(2));
        let add = Step::AddGeneral(DecisionReason::LowUtilisation);
        assert_eq!(steps, [(5, add), (6, add), (7, add)]);
    }

    #[test]
    fn idle_time_before_the_work_came_does_not_look_like_a_deadlock() {
        let mut judge = Judge::default();
        run(&mut judge, 20, 0.0, |_| View { queued: 0, ..busy(2) });
        judge.woken();
        assert_eq!(run(&mut judge, 200, 0.9, |_| busy(2)), []);
    }

    #[test]
    fn hard_limit_is_said_once_until_the_queue_is_empty() {
        let mut judge = Judge::default();
        let full = |_| View { hard_limit: 2, ..busy(2) };
        assert_eq!(run(&mut judge, 50, 0.0, full), [(0, Step::AtHardLimit)]);
        assert_eq!(run(&mut judge, 1, 0.0, |_| View { queued: 0, ..full(0) }), []);
        assert_eq!(run(&mut judge, 50, 0.0, full), [(0, Step::AtHardLimit)]);
    }

    #[test]
    fn stuck_affinity_worker_gives_one_item_per_tick_after_ten_ticks() {
        let view = |_| {
            let mut view = View { queued: 0, ..busy(1) };
            view.workers[0].kind = WorkerKind::Affinity;
            view.workers[0].queued = 7;
            view
        };
        let steps = run(&mut Judge::default(), 14, 0.5, view);
        let moved = Step::MoveItem(WorkerId(0));
        assert_eq!(steps, [(10, moved), (11, moved), (12, moved), (13, moved)]);
    }

    #[test]
    fn affinity_worker_that_finishes_something_keeps_its_items() {
        let view = |tick: u64| {
            let mut view = View { queued: 0, ..busy(1) };
            view.workers[0].kind = WorkerKind::Affinity;
            view.workers[0].queued = 7;
            view.workers[0].turns = tick / 5;
            view
        };
        assert_eq!(run(&mut Judge::default(), 100, 0.5, view), []);
    }

    #[test]
    fn watchdog_reports_a_turn_once_and_the_next_turn_again() {
        let mut judge = Judge::new(PoolThresholds::default(), Some(ms(50)));
        let view = |tick: u64| {
            let mut view = View { queued: 0, ..busy(1) };
            view.workers[0].turns = tick / 20;
            view
        };
        let stuck = |at| Step::Stuck(WorkerId(0), ms(at));
        assert_eq!(run(&mut judge, 40, 0.5, view), [(5, stuck(0)), (25, stuck(200))]);
    }

    #[test]
    fn permits_of_a_past_deadlock_are_given_back() {
        let idle = View { queued: 0, target: 40, active: 1, parked: 39, idle: 39, ..busy(1) };
        assert_eq!(
            run(&mut Judge::default(), 1, 0.5, |_| idle.clone()),
            [(0, Step::LowerTarget(2))]
        );
        let computing = |_| View { target: 40, ..busy(40) };
        let steps = run(&mut Judge::default(), 7, 0.95, computing);
        assert_eq!(steps, [(5, Step::LowerTarget(39)), (6, Step::LowerTarget(39))]);
    }

    #[test]
    fn more_runnable_workers_than_cores_lose_permits_though_others_use_the_machine() {
        let view = |_| View { target: 4, runnable: Some(4), ..busy(4) };
        let steps = run(&mut Judge::default(), 5, 0.3, view);
        assert_eq!(steps, [(4, Step::LowerTarget(3))]);
    }

    #[test]
    fn one_spins_one_is_blocked_and_after_twenty_ticks_another_comes() {
        let view = |_| View { runnable: Some(1), ..busy(2) };
        let steps = run(&mut Judge::default(), 22, 0.5, view);
        let add = Step::AddGeneral(DecisionReason::NoProgress);
        assert_eq!(steps, [(20, add), (21, add)]);
    }

    #[test]
    fn surplus_workers_retire_after_ten_seconds_of_rest() {
        let view = View { queued: 0, target: 2, active: 0, parked: 30, ..busy(0) };
        let mut judge = Judge::default();
        assert_eq!(judge.tick(ms(0), None, &view), []);
        assert_eq!(judge.tick(ms(9_999), None, &view), []);
        assert_eq!(judge.tick(ms(10_000), None, &view), [Step::Retire(28)]);
    }

    #[test]
    fn late_timer_gets_a_second_worker() {
        let mut view = busy(2);
        view.queued = 0;
        view.due = 1;
        view.workers[1].kind = WorkerKind::Timer;
        assert_eq!(
            Judge::default().tick(ms(0), None, &view),
            [Step::AddTimer(DecisionReason::LateTimer)]
        );
    }
}
