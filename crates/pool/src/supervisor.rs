//! The supervisor's thread: started by the first use, it looks every 10 ms while work waits, else
//! every 500 ms, and applies the rules. It runs no task and sleeps without locks.

use crate::log::Event;
use crate::rules::{Judge, Step, View, WorkerId, WorkerState, WorkerView};
use crate::shared::Shared;
use crate::slot::Slot;
use crate::watchdog::StuckTask;
use crate::{WorkerKind, system};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

pub(crate) fn run(shared: &Arc<Shared>) {
    let thresholds = &shared.settings.thresholds;
    let mut judge = Judge::new(thresholds.clone(), shared.settings.stuck_after);
    let mut period = thresholds.tick;
    while !shared.is_closed() {
        if shared.alarm.sleep(period, thresholds.tick, || work_waits(shared)) {
            // New work gets a tick's time before any decision, and earlier readings do not count.
            judge.woken();
            period = thresholds.tick;
            continue;
        }
        if shared.is_closed() {
            break;
        }
        shared.retry_threads();
        let view = view(shared);
        let steps = judge.tick(shared.clock.elapsed(), system::process_cpu_time(), &view);
        if shared.log.wants_ticks() {
            shared.note(Event::Tick(judge.utilisation()));
        }
        for step in steps {
            apply(shared, &view, step);
        }
        period = if work_waits(shared) { thresholds.tick } else { thresholds.idle_period(period) };
    }
}

fn work_waits(shared: &Shared) -> bool {
    let behind = |slot: &Arc<Slot>| {
        slot.queue.as_ref().is_some_and(|queue| matches!(queue.load(), (1.., true)))
    };
    shared.has_general_work()
        || shared.timers_unwatched()
        || shared.slots.read().unwrap_or_else(PoisonError::into_inner).iter().any(behind)
}

fn view(shared: &Shared) -> View {
    let crew = shared.crew.count();
    let queued = shared.general_queued();
    let slots = shared.slots.read().unwrap_or_else(PoisonError::into_inner);
    let workers: Vec<WorkerView> = slots
        .iter()
        .map(|slot| WorkerView {
            id: slot.id,
            kind: slot.kind,
            state: slot.state(),
            turns: slot.turns.load(Ordering::Acquire),
            queued: slot.queue.as_ref().map_or(0, |queue| queue.load().0),
        })
        .collect();
    let general_idle = workers
        .iter()
        .filter(|worker| worker.kind == WorkerKind::General && worker.state == WorkerState::Idle)
        .count();
    let working = || slots.iter().filter(|slot| slot.state() == WorkerState::Working);
    // Reading the states is slow, so only when there is a decision above the number of cores.
    let ask = queued > 0 && working().count() >= shared.settings.cores;
    View {
        queued,
        due: shared.timers.count_due(shared.clock.now()),
        idle: general_idle.saturating_sub(crew.idle)
            + crew.idle.min(crew.target.saturating_sub(crew.active)),
        parked: crew.idle,
        target: crew.target,
        active: crew.active,
        guests: crew.guests,
        cores: shared.settings.cores,
        hard_limit: shared.settings.hard_limit,
        runnable: ask
            .then(|| {
                system::count_runnable(working().map(|slot| slot.thread.load(Ordering::Relaxed)))
            })
            .flatten(),
        workers,
    }
}

fn apply(shared: &Arc<Shared>, view: &View, step: Step) {
    match step {
        Step::AddGeneral(reason) => {
            let target = view.target.max(view.active + 1);
            if target > view.target {
                shared.crew.set_target(target);
                shared.note(Event::TargetRaised(target, reason));
            }
            shared.call_because(Some(reason));
        }
        Step::AddTimer(reason) => {
            shared.timer_workers.fetch_add(1, Ordering::SeqCst);
            shared.start_timer(reason);
        }
        Step::AtHardLimit => shared.note(Event::LimitReached(view.hard_limit)),
        Step::LowerTarget(target) => {
            shared.crew.set_target(target);
            shared.note(Event::TargetLowered(target));
        }
        Step::MoveItem(worker) => {
            if let Some(item) =
                find(shared, worker).and_then(|slot| slot.queue.as_ref()?.take_waiting())
            {
                shared.note(Event::ItemMoved);
                // Already counted as submitted; it only changes queues.
                shared.push_general(item);
            }
        }
        Step::Retire(count) => {
            let count = shared.crew.retire(count);
            if count > 0 {
                shared.note(Event::Retired(count));
            }
        }
        Step::Stuck(worker, since) => {
            if let Some(slot) = find(shared, worker) {
                let task = StuckTask::of(&slot, shared.clock.elapsed().saturating_sub(since));
                if let Some(tell) = &shared.settings.on_stuck {
                    let _ = catch_unwind(AssertUnwindSafe(|| tell(&task)));
                }
                shared.note(Event::Stuck(task));
            }
        }
    }
}

fn find(shared: &Shared, worker: WorkerId) -> Option<Arc<Slot>> {
    let slots = shared.slots.read().unwrap_or_else(PoisonError::into_inner);
    slots.iter().find(|slot| slot.id == worker).cloned()
}
