//! What the queues hold: something that is run once, or something that comes back.

use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Arc;

/// Where a task comes from, for the watchdog.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) spawned_at: &'static Location<'static>,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The task is finished.
    Finished,
    /// The task is finished, by a panic that no handle reports.
    Panicked,
    /// The task will come back, or this was no task but the pool's own work (a scope's ticket, a
    /// serial source's turn).
    Continues,
}

/// A closure. Dropped without being run, it is cancelled, and its handle says so.
pub(crate) trait Once: Send {
    fn run(self: Box<Self>) -> Turn;
    fn name(&self) -> Option<&Arc<str>>;
    fn spawned_at(&self) -> &'static Location<'static>;
}

/// Something that may be queued again and again: a future, a scope, a serial source.
pub(crate) trait Again: Send + Sync {
    fn turn(self: Arc<Self>) -> Turn;
    /// It will not be run again, and what it holds is dropped. True if a task was cancelled by
    /// this.
    fn cancel(&self) -> bool;
    fn label(&self) -> &Label;
    /// It waits for a wake.
    fn is_resting(&self) -> bool;
}

/// An entry of a queue.
pub(crate) enum Item {
    Once(Box<dyn Once>),
    Again(Arc<dyn Again>),
}

impl Item {
    pub(crate) fn name(&self) -> Option<&Arc<str>> {
        match self {
            Self::Once(once) => once.name(),
            Self::Again(again) => again.label().name.as_ref(),
        }
    }

    pub(crate) fn spawned_at(&self) -> &'static Location<'static> {
        match self {
            Self::Once(once) => once.spawned_at(),
            Self::Again(again) => again.label().spawned_at,
        }
    }

    pub(crate) fn run(self) -> Turn {
        match self {
            Self::Once(once) => once.run(),
            Self::Again(again) => again.turn(),
        }
    }

    /// Drops the item unrun; true if it was a task.
    pub(crate) fn cancel(self) -> bool {
        match self {
            Self::Once(once) => {
                // What the closure holds may panic as it is dropped.
                let _ = catch_unwind(AssertUnwindSafe(|| drop(once)));
                true
            }
            Self::Again(again) => again.cancel(),
        }
    }
}

/// The closure of an unnamed task: no larger than the closure and one pointer.
pub(crate) struct Plain<F> {
    pub(crate) body: F,
    pub(crate) spawned_at: &'static Location<'static>,
}

impl<F: FnOnce() -> Turn + Send> Once for Plain<F> {
    fn run(self: Box<Self>) -> Turn {
        (self.body)()
    }

    fn name(&self) -> Option<&Arc<str>> {
        None
    }

    fn spawned_at(&self) -> &'static Location<'static> {
        self.spawned_at
    }
}

/// The closure of a named task.
pub(crate) struct Named<F> {
    pub(crate) body: F,
    pub(crate) name: Arc<str>,
    pub(crate) spawned_at: &'static Location<'static>,
}

impl<F: FnOnce() -> Turn + Send> Once for Named<F> {
    fn run(self: Box<Self>) -> Turn {
        (self.body)()
    }

    fn name(&self) -> Option<&Arc<str>> {
        Some(&self.name)
    }

    fn spawned_at(&self) -> &'static Location<'static> {
        self.spawned_at
    }
}
