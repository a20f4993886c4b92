//! How a pool is made.

use crate::log::{DecisionEntry, LogLevel, Observer};
use crate::readiness::Readiness;
use crate::settings::Settings;
use crate::thresholds::PoolThresholds;
use crate::watchdog::StuckTask;
use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Address space of a worker's stack. Only touched pages are resident (an idle worker takes 17 KiB:
/// `bench`, program `cores`), so this bounds recursion, not memory.
pub const DEFAULT_STACK: usize = 2 << 20;

/// Time after which a task counts as stuck.
pub const DEFAULT_STUCK_AFTER: Duration = Duration::from_secs(10);

/// Makes a [`Pool`](crate::Pool). Nothing starts before the pool is used.
#[must_use]
pub struct PoolBuilder {
    pub(crate) settings: Settings,
    pub(crate) cores: Option<usize>,
    pub(crate) max_workers: Option<usize>,
    pub(crate) level: LogLevel,
    pub(crate) observer: Option<Observer>,
    pub(crate) seed: Option<u64>,
}

impl Default for PoolBuilder {
    fn default() -> Self {
        let settings = Settings {
            name: "pool".to_owned(),
            cores: 0,
            hard_limit: 0,
            thresholds: PoolThresholds::default(),
            stack_size: DEFAULT_STACK,
            stuck_after: Some(DEFAULT_STUCK_AFTER),
            on_stuck: None,
            source: Box::new(|builder: Builder, body| builder.spawn(body)),
            readiness: None,
        };
        Self {
            settings,
            cores: None,
            max_workers: None,
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

    /// The soft limit, at least 1; by default the cores the process may use.
    pub fn cores(mut self, cores: usize) -> Self {
        self.cores = Some(cores.max(1));
        self
    }

    /// The hard limit: the maximum of workers outside declared waits. By default that of the
    /// [`PoolThresholds`].
    pub fn max_workers(mut self, workers: usize) -> Self {
        self.max_workers = Some(workers.max(1));
        self
    }

    /// Every number that decides about threads.
    pub fn thresholds(mut self, thresholds: PoolThresholds) -> Self {
        self.settings.thresholds = thresholds;
        self
    }

    /// Bytes of stack per thread; by default [`DEFAULT_STACK`].
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.settings.stack_size = bytes;
        self
    }

    /// Tasks that hold a worker for longer are reported once; None switches this off.
    pub fn stuck_after(mut self, time: Option<Duration>) -> Self {
        self.settings.stuck_after = time;
        self
    }

    /// Gets the reports of stuck tasks, on the supervisor's thread, so it should be short.
    pub fn on_stuck(mut self, tell: impl Fn(&StuckTask) + Send + Sync + 'static) -> Self {
        self.settings.on_stuck = Some(Box::new(tell));
        self
    }

    /// Gets every log entry, on the thread that makes it; [`Handle::log`](crate::Handle::log) has
    /// the last ones.
    pub fn observer(
        mut self,
        level: LogLevel,
        tell: impl Fn(&DecisionEntry) + Send + Sync + 'static,
    ) -> Self {
        self.level = level;
        self.observer = Some(Box::new(tell));
        self
    }

    /// Creates the threads, instead of `Builder::spawn`: to set priorities, pin, or refuse them in
    /// tests.
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

    /// The source of readiness for [`Handle::ready`](crate::Handle::ready).
    pub fn readiness(mut self, source: Arc<dyn Readiness>) -> Self {
        self.settings.readiness = Some(source);
        self
    }

    /// No threads, no clock: the owner's thread runs the tasks while it waits or in
    /// [`Pool::run_until_idle`](crate::Pool::run_until_idle), in an order drawn from the seed.
    pub fn deterministic(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }
}
