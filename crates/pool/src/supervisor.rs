//! The supervisor: a thread that starts with the first use of the pool, looks at it every 10 ms
//! while work waits, every 500 ms when nothing does, and does what the rules say. It runs no task
//! and holds no lock while it sleeps.

use crate::log::Event;
use crate::rules::{Judge, Step, TICK, View, WorkerId, WorkerState, WorkerView, next_period};
use crate::shared::Shared;
use crate::watchdog::StuckTask;
use crate::worker::Slot;
use crate::{Kind, system};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How the supervisor is woken from a long sleep.
#[derive(Default)]
pub(crate) struct Alarm {
    /// It sleeps longer than a tick and wants to be woken.
    dozing: AtomicBool,
    rung: Mutex<bool>,
    bell: Condvar,
}

impl Alarm {
    /// Work waits. Costs one load while the supervisor is awake; the caller has fenced since it
    /// pushed.
    pub(crate) fn ring(&self) {
        if self.dozing.load(Ordering::SeqCst) && self.dozing.swap(false, Ordering::SeqCst) {
            self.wake();
        }
    }

    /// Wakes the supervisor whatever it does, at the end of the pool.
    pub(crate) fn wake(&self) {
        *self.rung.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.bell.notify_one();
    }

    /// Sleeps; true if woken before the time was over. `waits` is asked after the sleeper can be
    /// seen.
    fn sleep(&self, period: Duration, waits: impl Fn() -> bool) -> bool {
        let long = period > TICK;
        if long {
            self.dozing.store(true, Ordering::SeqCst);
            fence(Ordering::SeqCst);
            if waits() {
                self.dozing.store(false, Ordering::SeqCst);
                return true;
            }
        }
        let rung = self.rung.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut rung, _) = self
            .bell
            .wait_timeout_while(rung, period, |rung| !*rung)
            .unwrap_or_else(PoisonError::into_inner);
        self.dozing.store(false, Ordering::SeqCst);
        std::mem::take(&mut *rung) && long
    }
}

/// The supervisor's life.
pub(crate) fn run(shared: &Arc<Shared>) {
    let mut judge = Judge::new(shared.settings.stuck_after);
    let mut period = TICK;
    while !shared.is_closed() {
        if shared.alarm.sleep(period, || work_waits(shared)) {
            // Work has come: it gets a tick's time before anything is decided, and what was before
            // does not count.
            judge.woken();
            period = TICK;
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
        period = next_period(period, work_waits(shared));
    }
}

/// Something waits that a decision could help.
fn work_waits(shared: &Shared) -> bool {
    let behind = |slot: &Arc<Slot>| {
        slot.queue.as_ref().is_some_and(|queue| matches!(queue.load(), (1.., true)))
    };
    shared.has_general_work()
        || shared.timers_unwatched()
        || shared.slots.read().unwrap_or_else(PoisonError::into_inner).iter().any(behind)
}

/// The pool now.
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
        .filter(|worker| worker.kind == Kind::General && worker.state == WorkerState::Idle)
        .count();
    let working = || slots.iter().filter(|slot| slot.state() == WorkerState::Working);
    // Asking costs about 10 us a thread, so only when there is a choice to be made above the number
    // of cores.
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
                // It was counted as submitted when it came; it only changes queues.
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
