//! Reports of stuck tasks.

use crate::WorkerKind;
use crate::rules::WorkerState;
use crate::slot::Slot;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A task that has held its worker for longer than
/// [`PoolBuilder::stuck_after`](crate::PoolBuilder::stuck_after).
#[derive(Clone, Debug)]
pub struct StuckTask {
    /// Its name, if it was given one.
    pub name: Option<Arc<str>>,
    /// `file:line:column` where it, or its timer, was started.
    pub spawned_at: Option<String>,
    /// The kind of the worker it holds.
    pub kind: WorkerKind,
    /// For how long.
    pub time: Duration,
    /// It is in a declared blocking wait, so another worker has taken its place.
    pub waiting: bool,
}

impl StuckTask {
    pub(crate) fn of(slot: &Slot, time: Duration) -> Self {
        let (name, place) = slot.current();
        Self {
            name,
            spawned_at: place.map(ToString::to_string),
            kind: slot.kind,
            time,
            waiting: slot.state() == WorkerState::Blocked,
        }
    }
}

impl fmt::Display for StuckTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "task '{name}'")?,
            None => f.write_str("task without a name")?,
        }
        if let Some(place) = &self.spawned_at {
            write!(f, " from {place}")?;
        }
        let what = if self.waiting { "waits" } else { "has not come back" };
        write!(f, " {what} for {:.1} s in a {} worker", self.time.as_secs_f64(), self.kind)
    }
}
