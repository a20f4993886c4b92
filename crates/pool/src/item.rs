//! What the queues hold.

use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Arc;

/// For the watchdog.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) spawned_at: &'static Location<'static>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    Finished,
    /// By a panic that no handle reports.
    Panicked,
    /// The task will run again, or it was the pool's own work (a scope's ticket, a serial source's
    /// turn).
    Continues,
}

/// A closure. Dropping it unrun cancels it.
pub(crate) trait Once: Send {
    fn run(self: Box<Self>) -> Turn;
    fn name(&self) -> Option<&Arc<str>>;
    fn spawned_at(&self) -> &'static Location<'static>;
}

pub(crate) trait Again: Send + Sync {
    fn turn(self: Arc<Self>) -> Turn;
    /// Drops its content. True if this cancelled a task.
    fn cancel(&self) -> bool;
    fn label(&self) -> &Label;
    fn is_resting(&self) -> bool;
}

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

    pub(crate) fn cancel(self) -> bool {
        match self {
            Self::Once(once) => {
                // What the closure holds may panic when dropped.
                let _ = catch_unwind(AssertUnwindSafe(|| drop(once)));
                true
            }
            Self::Again(again) => again.cancel(),
        }
    }
}

/// Unnamed, to save space: the closure and one pointer.
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
