//! The interface of a pool.

use crate::error::Error;
use crate::home::Home;
use crate::log::DecisionEntry;
use crate::ordered::{Affinity, Serial};
use crate::readiness::{Interest, ReadyWait, Token};
use crate::rules::WorkerState;
use crate::shared::Shared;
use crate::task::{Spawner, Task};
use crate::timer::{Sleep, Timer};
use crate::usage::{PoolUsage, QueueUsage};
use crate::{WorkerKind, context};
use std::future::Future;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// Access to a pool: cloneable, sendable. It does not keep the pool open: after the shutdown tasks
/// are refused as [`Cancelled`](crate::TaskError::Cancelled).
#[derive(Clone)]
pub struct Handle {
    pub(crate) shared: Arc<Shared>,
}

impl Handle {
    /// The pool whose task the calling thread runs, if any.
    #[must_use]
    pub fn current() -> Option<Self> {
        context::current().map(|shared| Self { shared })
    }

    /// The general queue.
    #[must_use]
    pub fn spawner(&self) -> Spawner<'_> {
        Spawner { shared: &self.shared, home: Home::General, name: None }
    }

    /// The timer queue: short, time-sensitive tasks that must not wait for general ones.
    #[must_use]
    pub fn timer_queue(&self) -> Spawner<'_> {
        Spawner { shared: &self.shared, home: Home::Timer, name: None }
    }

    /// An affinity queue: its items run in order on one thread, unless that thread is stuck. See
    /// [`Affinity`].
    #[must_use]
    pub fn affinity(&self) -> Affinity {
        Affinity::new(&self.shared)
    }

    /// A queue whose items always run in order, one at a time. See [`Serial`].
    #[must_use]
    #[track_caller]
    pub fn serial(&self) -> Serial {
        Serial::new(&self.shared)
    }

    /// Runs a closure on the general queue.
    ///
    /// ```
    /// let pool = riverhawk_pool::Pool::new();
    /// let task = pool.spawn(|| 6 * 7);
    /// assert_eq!(task.wait()?, 42);
    /// # Ok::<(), riverhawk_pool::TaskError>(())
    /// ```
    #[track_caller]
    pub fn spawn<T, F>(&self, body: F) -> Task<T>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        self.spawner().spawn(body)
    }

    /// Runs a closure without a result, at the lowest cost. A panic is counted and logged.
    #[track_caller]
    pub fn run<F: FnOnce() + Send + 'static>(&self, body: F) {
        self.spawner().run(body);
    }

    /// Runs a future on the general queue. It holds no worker while it waits.
    ///
    /// ```
    /// let pool = riverhawk_pool::Pool::new();
    /// let handle = pool.handle();
    /// let task = pool.spawn_future(async move {
    ///     handle.sleep(std::time::Duration::from_millis(1)).await;
    ///     "late"
    /// });
    /// assert_eq!(task.wait()?, "late");
    /// # Ok::<(), riverhawk_pool::TaskError>(())
    /// ```
    #[track_caller]
    pub fn spawn_future<F>(&self, future: F) -> Task<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.spawner().spawn_future(future)
    }

    /// Ready after a time.
    #[must_use = "a future does nothing unless awaited"]
    pub fn sleep(&self, time: Duration) -> Sleep {
        let at = self.shared.clock.now().checked_add(time);
        Sleep { shared: Arc::clone(&self.shared), at, key: None }
    }

    /// Ready at a moment of the pool's clock.
    #[must_use = "a future does nothing unless awaited"]
    pub fn sleep_until(&self, at: Instant) -> Sleep {
        Sleep { shared: Arc::clone(&self.shared), at: Some(at), key: None }
    }

    /// Runs a callback once, after this time, on the timer queue. It should be short: callbacks
    /// share one worker, and another is added only when a timer is late by a tick. A panic is
    /// counted and logged.
    #[track_caller]
    pub fn after(&self, time: Duration, callback: impl FnOnce() + Send + 'static) -> Timer {
        let mut callback = Some(callback);
        Timer::start(&self.shared, time, None, move || {
            if let Some(callback) = callback.take() {
                callback();
            }
        })
    }

    /// Runs a callback at this interval (1 ms at least), first after one interval, until cancelled.
    /// It never overlaps itself: firings missed while it runs are skipped, and the phase is kept.
    ///
    /// ```
    /// use std::sync::mpsc;
    /// use std::time::Duration;
    ///
    /// let pool = riverhawk_pool::Pool::new();
    /// let (send, receive) = mpsc::channel();
    /// let timer = pool.every(Duration::from_millis(2), move || drop(send.send("tick")));
    /// assert_eq!(receive.recv(), Ok("tick"));
    /// assert!(timer.cancel());
    /// ```
    #[track_caller]
    pub fn every(&self, interval: Duration, callback: impl FnMut() + Send + 'static) -> Timer {
        Timer::start(&self.shared, interval, Some(interval), callback)
    }

    /// Ready when what the token stands for is ready, by the pool's readiness source.
    ///
    /// # Errors
    /// [`Error::NoReadiness`] if the pool has no source.
    pub fn ready(&self, token: Token, interest: Interest) -> Result<ReadyWait, Error> {
        let source = self.shared.settings.readiness.clone().ok_or(Error::NoReadiness)?;
        Ok(ReadyWait::new(source, token, interest))
    }

    /// Blocks on a future. On the owner's thread of a deterministic pool this runs the tasks.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        crate::block::block_on_for(Some(&self.shared), future)
    }

    /// Waits until every task is over, suspended ones included, so a task must not call it. Timers
    /// yet to fire are not tasks.
    pub fn wait_idle(&self) {
        let mut pause = Duration::from_micros(50);
        loop {
            if self.shared.seeded.is_some()
                && self.unfinished() > 0
                && crate::driver::step(&self.shared)
            {
                continue;
            }
            if self.unfinished() == 0 {
                return;
            }
            crate::block::blocking(|| std::thread::sleep(pause));
            self.shared.retry_threads();
            pause = (pause * 2).min(Duration::from_millis(2));
        }
    }

    fn unfinished(&self) -> u64 {
        let (over, _, submitted) = self.shared.progress();
        submitted.saturating_sub(over)
    }

    /// The last decisions, oldest first.
    #[must_use]
    pub fn log(&self) -> Vec<DecisionEntry> {
        self.shared.log.entries()
    }

    /// The names, or places of origin, of the suspended tasks.
    #[must_use]
    pub fn suspended(&self) -> Vec<String> {
        self.shared.registry.resting()
    }

    /// Allows this many general workers, up to the hard limit, for tasks about to be submitted. The
    /// supervisor takes back unused ones.
    pub fn reserve(&self, workers: usize) {
        self.shared.crew.demand(workers);
    }

    /// Starts a general worker unless there is one; false if refused, when work would wait until
    /// the system grants a thread.
    #[must_use]
    pub fn ensure_worker(&self) -> bool {
        if self.shared.seeded.is_none() && self.usage().general.workers == 0 {
            self.shared.call();
        }
        self.shared.seeded.is_some() || self.usage().general.workers > 0
    }

    /// The soft limit.
    #[must_use]
    pub fn cores(&self) -> usize {
        self.shared.settings.cores
    }

    /// The hard limit.
    #[must_use]
    pub fn hard_limit(&self) -> usize {
        self.shared.settings.hard_limit
    }

    /// The counters.
    #[must_use]
    pub fn usage(&self) -> PoolUsage {
        let shared = &self.shared;
        let mut queues = [QueueUsage::default(); 3];
        {
            let slots = shared.slots.read().unwrap_or_else(PoisonError::into_inner);
            for slot in slots.iter() {
                let queue = &mut queues[slot.kind as usize];
                queue.workers += 1;
                queue.idle += usize::from(slot.state() == WorkerState::Idle);
                queue.blocked += usize::from(slot.state() == WorkerState::Blocked);
                queue.completed += slot.completed.load(Ordering::Acquire);
            }
            for kind in WorkerKind::ALL {
                queues[kind as usize].completed += shared.counters.completed(kind);
            }
        }
        let [mut general, mut timer, mut affinity] = queues;
        general.queued = shared.general_queued()
            + shared.seeded.as_ref().map_or(0, crate::seeded::Seeded::queued);
        timer.queued = shared.timers.count().0;
        affinity.queued = {
            let queues = shared.affinity.lock().unwrap_or_else(PoisonError::into_inner);
            queues.iter().map(|queue| queue.load().0).sum()
        };
        let suspended = shared.registry.count_resting();
        for (queue, kind) in
            [&mut general, &mut timer, &mut affinity].into_iter().zip(WorkerKind::ALL)
        {
            queue.submitted = shared.counters.submitted(kind);
        }
        PoolUsage {
            supervisor: shared.is_supervised(),
            general,
            timer,
            affinity,
            suspended,
            cancelled: shared.counters.cancelled.load(Ordering::SeqCst),
            refused: shared.counters.refused.load(Ordering::SeqCst),
            panicked: shared.counters.panicked.load(Ordering::SeqCst),
            scoped: shared.counters.scoped.load(Ordering::SeqCst),
        }
    }
}

impl std::fmt::Debug for Handle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handle").field("usage", &self.usage()).finish_non_exhaustive()
    }
}
