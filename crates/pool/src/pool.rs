//! The owner of a pool, and its end.

use crate::config::PoolBuilder;
use crate::driver::{self, Pick};
use crate::error::Error;
use crate::handle::Handle;
use crate::log::{Event, Log};
use crate::shared::{Roles, Shared};
use crate::{context, supervisor, worker};
use std::num::NonZero;
use std::ops::Deref;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread;
use std::time::Duration;

/// A pool and its threads, used through [`Handle`], to which it derefs.
///
/// **Dropping it** is [`shutdown`](Self::shutdown) with [`Shutdown::Drain`], so no queued work is
/// lost. If the system grants no threads, the dropping thread runs it.
#[derive(Debug)]
pub struct Pool {
    handle: Handle,
}

/// What happens to unfinished work when the pool ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// Finishes tasks that are queued, running or asleep on a timer of the pool, and all they
    /// submit. Tasks that await something else are cancelled. Timers stop.
    Drain,
    /// Finishes only what runs now; the rest is cancelled.
    Discard,
    /// As [`Shutdown::Discard`], without waiting for running tasks, which keep their threads until
    /// they return or the process ends.
    Abandon,
}

/// What the shutdown did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct ShutdownReport {
    /// Unfinished tasks.
    pub cancelled: u64,
    /// Timers that would have fired again.
    pub timers: usize,
    /// Workers left at their task; only after [`Shutdown::Abandon`].
    pub abandoned: usize,
}

impl Pool {
    /// A pool for this machine: soft limit the cores, hard limit max(64, 8 x cores). Starts no
    /// thread before it is used.
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        PoolBuilder::default().build()
    }

    /// A pool with other settings.
    pub fn builder() -> PoolBuilder {
        PoolBuilder::default()
    }

    /// A handle that can be sent anywhere.
    #[must_use]
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Deterministic mode: runs until nothing can run and no deadline is left; returns the number
    /// of steps. Does nothing in a pool with threads.
    pub fn run_until_idle(&self) -> u64 {
        let mut steps = 0;
        while driver::step(&self.handle.shared) {
            steps += 1;
        }
        steps
    }

    /// Ends the pool and its threads. Waits for running tasks, unless they are abandoned.
    ///
    /// ```
    /// use riverhawk_pool::{Pool, Shutdown};
    ///
    /// let pool = Pool::new();
    /// let (started, has_started) = std::sync::mpsc::channel();
    /// pool.run(move || {
    ///     started.send(()).ok();
    ///     std::thread::sleep(std::time::Duration::from_secs(3600));
    /// });
    /// has_started.recv()?;
    /// assert_eq!(pool.shutdown(Shutdown::Abandon)?.abandoned, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WithinWorker`] if one of the pool's own tasks calls this: it would wait for itself.
    /// The pool goes on.
    pub fn shutdown(self, how: Shutdown) -> Result<ShutdownReport, Error> {
        if context::is_of(&self.handle.shared) {
            return Err(Error::WithinWorker);
        }
        Ok(end(&self.handle.shared, how, how != Shutdown::Abandon))
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let shared = &self.handle.shared;
        if shared.is_closed() {
            return;
        }
        if context::is_of(shared) && shared.seeded.is_none() {
            // Dropped by one of its own tasks, which cannot wait for itself: use another thread.
            let shared = Arc::clone(shared);
            let name = format!("{}-shutdown", shared.settings.name);
            let source = &Arc::clone(&shared).settings.source;
            let finish = Arc::clone(&shared);
            let body = Box::new(move || {
                let _ = end(&finish, Shutdown::Drain, true);
            });
            if source(thread::Builder::new().name(name), body).is_err() {
                let _ = end(&shared, Shutdown::Discard, false);
            }
            return;
        }
        let _ = end(shared, Shutdown::Drain, true);
    }
}

impl Deref for Pool {
    type Target = Handle;

    fn deref(&self) -> &Handle {
        &self.handle
    }
}

impl PoolBuilder {
    /// The pool.
    #[must_use]
    pub fn build(mut self) -> Pool {
        let available = || thread::available_parallelism().map_or(1, NonZero::get);
        self.settings.cores = self.cores.unwrap_or_else(available);
        self.settings.hard_limit = self
            .max_workers
            .unwrap_or_else(|| self.settings.thresholds.hard_limit(self.settings.cores));
        let log = Log::new(self.level, self.observer);
        Pool { handle: Handle { shared: Shared::new(self.settings, ROLES, log, self.seed) } }
    }
}

const ROLES: Roles = Roles {
    general: worker::general,
    timer: worker::timer,
    affinity: worker::affinity,
    supervisor: supervisor::run,
};

fn end(shared: &Arc<Shared>, how: Shutdown, join: bool) -> ShutdownReport {
    if !shared.begin_draining() {
        return ShutdownReport::default();
    }
    let timers = shared.timers.drop_callbacks();
    let before = shared.counters.cancelled.load(Ordering::SeqCst);
    if how == Shutdown::Drain {
        drain(shared);
    }
    shared.set_closed();
    shared.sweep();
    let abandoned = if how == Shutdown::Abandon { shared.count_at_tasks() } else { 0 };
    // Workers end after their task; what those still submit is refused.
    shared.crew.close();
    shared.alarm.wake();
    cancel_suspended(shared);
    if join {
        shared.threads.join();
    }
    shared.sweep();
    cancel_suspended(shared);
    let cancelled = shared.counters.cancelled.load(Ordering::SeqCst).saturating_sub(before);
    if cancelled > 0 {
        shared.note(Event::Cancelled(cancelled));
    }
    ShutdownReport { cancelled, timers, abandoned }
}

/// Waits until every task is finished or awaits something outside the pool.
fn drain(shared: &Arc<Shared>) {
    let mut pause = Duration::from_micros(20);
    loop {
        if shared.seeded.is_some() && driver::step(shared) {
            continue;
        }
        if shared.has_no_threads()
            && let Some(pick) = pick(shared)
        {
            driver::perform(shared, pick);
            continue;
        }
        // A timer may wake a task during the count, which holds only if no task slept before it and
        // no deadline was set since.
        let before = shared.timers.none_asleep();
        let (over, resting, submitted) = shared.progress();
        if over + resting >= submitted && before.is_some() && shared.timers.none_asleep() == before
        {
            return;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(2));
        shared.retry_threads();
    }
}

fn pick(shared: &Shared) -> Option<Pick> {
    if let Some(item) = shared.take_general() {
        return Some(Pick::General(item));
    }
    if let Some(due) = shared.timers.poll(shared.clock.now()) {
        return Some(Pick::Timer(due));
    }
    let queues = shared.affinity.lock().unwrap_or_else(PoisonError::into_inner).clone();
    queues.into_iter().find_map(|queue| {
        let item = queue.try_next()?;
        Some(Pick::Affinity(queue, item))
    })
}

fn cancel_suspended(shared: &Shared) {
    let cancelled = shared.registry.close().iter().filter(|task| task.cancel()).count() as u64;
    shared.counters.cancelled.fetch_add(cancelled, Ordering::SeqCst);
}
