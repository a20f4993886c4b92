//! Counters of tasks and workers.

use crate::WorkerKind;
use crossbeam_utils::CachePadded;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counters of one kind of queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueUsage {
    /// Threads that serve it.
    pub workers: usize,
    /// Idle threads among them.
    pub idle: usize,
    /// Threads in a declared blocking wait among them.
    pub blocked: usize,
    /// Items that wait.
    pub queued: usize,
    /// Tasks submitted so far; a firing of a timer counts as one.
    pub submitted: u64,
    /// Tasks its workers finished. A moved affinity task is submitted there and completed here.
    pub completed: u64,
}

/// The state of a pool. `submitted - completed - cancelled` over all queues is what waits, runs or
/// is suspended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolUsage {
    /// Whether the supervisor runs: the pool was used.
    pub supervisor: bool,
    /// The general queue.
    pub general: QueueUsage,
    /// The timer queue.
    pub timer: QueueUsage,
    /// All affinity queues together.
    pub affinity: QueueUsage,
    /// Tasks that await something.
    pub suspended: usize,
    /// Tasks dropped by a shutdown.
    pub cancelled: u64,
    /// Tasks refused during the shutdown; not in `submitted`.
    pub refused: u64,
    /// Tasks without a handle, and timers, that panicked.
    pub panicked: u64,
    /// Closures of scopes and parallel iteration; not in `submitted`.
    pub scoped: u64,
}

impl PoolUsage {
    /// Tasks submitted so far.
    #[must_use]
    pub fn submitted(&self) -> u64 {
        self.general.submitted + self.timer.submitted + self.affinity.submitted
    }

    /// Tasks finished so far.
    #[must_use]
    pub fn completed(&self) -> u64 {
        self.general.completed + self.timer.completed + self.affinity.completed
    }

    /// Tasks that wait, run or are suspended.
    #[must_use]
    pub fn unfinished(&self) -> u64 {
        self.submitted().saturating_sub(self.completed() + self.cancelled)
    }

    /// Worker threads of all kinds.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.general.workers + self.timer.workers + self.affinity.workers
    }
}

impl fmt::Display for PoolUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let queues = [self.general, self.timer, self.affinity];
        for (kind, queue) in WorkerKind::ALL.into_iter().zip(queues) {
            writeln!(
                f,
                "{kind}: {} workers ({} idle, {} waiting), {} tasks given, {} finished, {} queued",
                queue.workers,
                queue.idle,
                queue.blocked,
                queue.submitted,
                queue.completed,
                queue.queued
            )?;
        }
        write!(
            f,
            "{} tasks suspended, {} cancelled, {} refused, {} panicked",
            self.suspended, self.cancelled, self.refused, self.panicked
        )
    }
}

/// Counted where it happens; the rest is read from the workers.
#[derive(Default)]
pub(crate) struct Counters {
    submitted: [CachePadded<AtomicU64>; 3],
    /// By workers that ended, and by the owner's thread in deterministic mode.
    completed: [CachePadded<AtomicU64>; 3],
    pub(crate) cancelled: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) panicked: AtomicU64,
    pub(crate) scoped: AtomicU64,
}

impl Counters {
    pub(crate) fn submit(&self, kind: WorkerKind) {
        self.submitted[kind as usize].fetch_add(1, Ordering::SeqCst);
    }

    pub(crate) fn submitted(&self, kind: WorkerKind) -> u64 {
        self.submitted[kind as usize].load(Ordering::SeqCst)
    }

    pub(crate) fn complete(&self, kind: WorkerKind, count: u64) {
        self.completed[kind as usize].fetch_add(count, Ordering::SeqCst);
    }

    pub(crate) fn completed(&self, kind: WorkerKind) -> u64 {
        self.completed[kind as usize].load(Ordering::SeqCst)
    }
}
