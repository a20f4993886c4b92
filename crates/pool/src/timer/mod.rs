//! Timers: the queue of deadlines with its own worker, callbacks, and the future that sleeps.

mod queue;
mod schedule;
mod sleep;

pub(crate) use queue::{Action, Due, Key, TimerQueue};
pub use schedule::Timer;
pub use sleep::Sleep;
