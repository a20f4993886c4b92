//! The log of the pool's decisions: the last ones, for an observer, or on standard error.

use crate::rules::DecisionReason;
use crate::{StuckTask, WorkerKind};
use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Something the pool did or noticed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// The pool's first use.
    SupervisorStarted,
    /// A thread was started; this many of its kind are alive.
    WorkerStarted(WorkerKind, DecisionReason, usize),
    /// This many general workers may now work.
    TargetRaised(usize, DecisionReason),
    /// Only this many may now work.
    TargetLowered(usize),
    /// Work waits at the hard limit.
    LimitReached(usize),
    /// The system refused a thread; retried in a second.
    ThreadRefused(Option<WorkerKind>, String),
    /// A stuck affinity worker's item moved to the general queue.
    ItemMoved,
    /// This many resting workers ended.
    Retired(usize),
    /// A task takes too long.
    Stuck(StuckTask),
    /// A task without a handle, or a timer, panicked.
    Panicked(String),
    /// An interval was raised to 1 ms; the one requested.
    IntervalRaised(Duration),
    /// This many tasks were left unfinished.
    Cancelled(u64),
    /// A tick, with the mean share of the cores in use; only with [`LogLevel::Ticks`].
    Tick(Option<f64>),
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SupervisorStarted => f.write_str("supervisor started"),
            Self::WorkerStarted(kind, reason, count) => {
                write!(f, "{kind} worker {count} started: {reason}")
            }
            Self::TargetRaised(target, reason) => {
                write!(f, "up to {target} general workers: {reason}")
            }
            Self::TargetLowered(target) => {
                write!(f, "only {target} general workers: more are of no use")
            }
            Self::LimitReached(limit) => {
                write!(f, "work waits, but the limit of {limit} workers is reached")
            }
            Self::ThreadRefused(Some(kind), error) => {
                write!(f, "{kind} worker refused by the system: {error}")
            }
            Self::ThreadRefused(None, error) => {
                write!(f, "supervisor refused by the system: {error}")
            }
            Self::ItemMoved => {
                f.write_str("item of a stuck affinity worker moved to the general queue")
            }
            Self::Retired(count) => write!(f, "{count} idle workers sent away"),
            Self::Stuck(task) => write!(f, "{task}"),
            Self::Panicked(message) => write!(f, "task panicked: {message}"),
            Self::IntervalRaised(asked) => {
                write!(f, "interval of {asked:?} raised to the minimum of 1 ms")
            }
            Self::Cancelled(count) => write!(f, "{count} tasks cancelled by the shutdown"),
            Self::Tick(Some(share)) => {
                write!(f, "tick: {:.1} % of the cores in use", share * 100.0)
            }
            Self::Tick(None) => f.write_str("tick: use of the cores not measured yet"),
        }
    }
}

/// An event and its time since the pool was built.
#[derive(Clone, Debug)]
pub struct DecisionEntry {
    /// Time since the pool was built.
    pub at: Duration,
    /// The event.
    pub event: Event,
}

impl fmt::Display for DecisionEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[pool {:9.3}] {}", self.at.as_secs_f64(), self.event)
    }
}

/// What is logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Decisions.
    #[default]
    Decisions,
    /// Decisions and ticks.
    Ticks,
}

/// Called on the thread of the event, so it should be short.
pub(crate) type Observer = Box<dyn Fn(&DecisionEntry) + Send + Sync>;

const KEPT: usize = 256;

pub(crate) struct Log {
    entries: Mutex<VecDeque<DecisionEntry>>,
    level: LogLevel,
    observer: Option<Observer>,
}

impl Log {
    pub(crate) fn new(level: LogLevel, observer: Option<Observer>) -> Self {
        Self { entries: Mutex::new(VecDeque::new()), level, observer }
    }

    pub(crate) fn wants_ticks(&self) -> bool {
        self.level >= LogLevel::Ticks
    }

    pub(crate) fn add(&self, at: Duration, event: Event) {
        let entry = DecisionEntry { at, event };
        if let Some(observer) = &self.observer {
            // A panic must not end the supervisor or a worker.
            let _ = catch_unwind(AssertUnwindSafe(|| observer(&entry)));
        }
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() == KEPT {
            entries.pop_front();
        }
        entries.push_back(entry);
    }

    pub(crate) fn entries(&self) -> Vec<DecisionEntry> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
