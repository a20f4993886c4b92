//! Every rule by which the pool decides about threads, as pure functions over readings and the
//! [`PoolThresholds`](crate::PoolThresholds). `docs/pool.md` explains them, and where they differ
//! from Rakudo's.

mod affinity;
mod judge;
mod queues;
mod utilisation;

pub(crate) use affinity::{choose_affinity, shortest_queue};
pub(crate) use judge::{Judge, Step, View, WorkerId, WorkerState, WorkerView};
pub use queues::DecisionReason;
