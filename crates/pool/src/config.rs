//! How a pool is made: limits, names, stacks, and who is told of what.

use crate::error::Error;
use crate::limit::Limit;
use crate::log::{Entry, Log, LogLevel, Observer};
use crate::pool::Pool;
use crate::readiness::Readiness;
use crate::rules::BLOCKED_LIMIT;
use crate::shared::Shared;
use crate::threads::Source;
use crate::watchdog::StuckTask;
use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::{self, Builder, JoinHandle};
use std::time::Duration;

/// Address space of a worker's stack. Only the pages that are touched are resident: an idle
/// worker's share is measured by `bench`, program `cores` (17 KiB, thread and all), so this bounds
/// the depth of recursion, not memory.
pub const DEFAULT_STACK: usize = 2 << 20;

/// What the watchdog takes for stuck.
pub const DEFAULT_STUCK_AFTER: Duration = Duration::from_secs(10);

/// Who is told of stuck tasks.
type OnStuck = Box<dyn Fn(&StuckTask) + Send + Sync>;

pub(crate) struct Settings {
    pub(crate) name: String,
    pub(crate) cores: usize,
    pub(crate) hard_limit: usize,
    pub(crate) blocked_limit: usize,
    pub(crate) stack_size: usize,
    pub(crate) stuck_after: Option<Duration>,
    pub(crate) on_stuck: Option<OnStuck>,
    pub(crate) source: Source,
    pub(crate) readiness: Option<Arc<dyn Readiness>>,
}

/// Makes a [`Pool`]. Nothing starts before the pool is used, unless initial workers are asked for.
#[must_use]
pub struct PoolBuilder {
    settings: Settings,
    limit: Limit,
    initial: usize,
    level: LogLevel,
    observer: Option<Observer>,
    seed: Option<u64>,
}

impl Default for PoolBuilder {
    fn default() -> Self {
        let settings = Settings {
            name: "pool".to_owned(),
            cores: thread::available_parallelism().map_or(1, NonZero::get),
            hard_limit: 0,
            blocked_limit: BLOCKED_LIMIT,
            stack_size: DEFAULT_STACK,
            stuck_after: Some(DEFAULT_STUCK_AFTER),
            on_stuck: None,
            source: Box::new(|builder: Builder, body| builder.spawn(body)),
            readiness: None,
        };
        Self {
            settings,
            limit: Limit::Default,
            initial: 0,
            level: LogLevel::Decisions,
            observer: None,
            seed: None,
        }
    }
}

impl PoolBuilder {
    /// Threads are called `name-general-0` and so on.
    pub fn name(mut self, name: &str) -> Self {
        self.settings.name = name.to_owned();
        self
    }

    /// The soft limit, instead of the number of cores the process may use; at least 1.
    pub fn cores(mut self, cores: usize) -> Self {
        self.settings.cores = cores.max(1);
        self
    }

    /// The hard limit: how many workers may be outside declared waits.
    pub fn limit(mut self, limit: Limit) -> Self {
        self.limit = limit;
        self
    }

    /// How many more may be inside declared waits; [`BLOCKED_LIMIT`] unless set.
    pub fn blocked_limit(mut self, threads: usize) -> Self {
        self.settings.blocked_limit = threads;
        self
    }

    /// General workers that start at once, with the supervisor, instead of one at the first use.
    pub fn initial_workers(mut self, workers: usize) -> Self {
        self.initial = workers;
        self
    }

    /// Bytes of stack for each thread; [`DEFAULT_STACK`] unless set.
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.settings.stack_size = bytes;
        self
    }

    /// Tasks that hold a worker for longer are reported once; None switches the watchdog off.
    pub fn stuck_after(mut self, time: Option<Duration>) -> Self {
        self.settings.stuck_after = time;
        self
    }

    /// Gets the watchdog's reports; called by the supervisor, so it should be short.
    pub fn on_stuck(mut self, tell: impl Fn(&StuckTask) + Send + Sync + 'static) -> Self {
        self.settings.on_stuck = Some(Box::new(tell));
        self
    }

    /// Gets every entry of the log when it is made, on the thread that makes it;
    /// [`Handle::log`](crate::Handle::log) has the last ones.
    pub fn observer(
        mut self,
        level: LogLevel,
        tell: impl Fn(&Entry) + Send + Sync + 'static,
    ) -> Self {
        self.level = level;
        self.observer = Some(Box::new(tell));
        self
    }

    /// Creates the threads, instead of `Builder::spawn`: to set priorities or pin them, or to
    /// refuse them in a test.
    pub fn thread_source<F>(mut self, source: F) -> Self
    where
        F: Fn(Builder, Box<dyn FnOnce() + Send>) -> io::Result<JoinHandle<()>>
            + Send
            + Sync
            + 'static,
    {
        self.settings.source = Box::new(source);
        self
    }

    /// Who knows when files and sockets are ready, for [`Handle::ready`](crate::Handle::ready).
    pub fn readiness(mut self, source: Arc<dyn Readiness>) -> Self {
        self.settings.readiness = Some(source);
        self
    }

    /// No threads, no clock: the owner's thread runs the tasks while it waits for one or in
    /// [`Pool::run_until_idle`], in an order drawn from the seed.
    pub fn deterministic(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// The pool.
    ///
    /// # Errors
    /// [`Error::InitialAboveLimit`].
    pub fn build(mut self) -> Result<Pool, Error> {
        let limit = self.limit.resolve(self.settings.cores);
        if self.initial > limit {
            return Err(Error::InitialAboveLimit(self.initial, limit));
        }
        self.settings.hard_limit = limit;
        let shared = Shared::new(self.settings, Log::new(self.level, self.observer), self.seed);
        shared.start_initial(self.initial);
        Ok(Pool::of(shared))
    }

    /// What `build` gives when there is nothing that could fail.
    pub(crate) fn build_default() -> Pool {
        let mut builder = Self::default();
        builder.settings.hard_limit = builder.limit.resolve(builder.settings.cores);
        Pool::of(Shared::new(builder.settings, Log::new(builder.level, None), None))
    }
}
