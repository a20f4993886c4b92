//! Timers: the queue of deadlines with its own worker, schedules, and the future that sleeps.

mod queue;
mod schedule;
mod sleep;

pub(crate) use queue::{Action, Due, Key, TimerQueue};
pub(crate) use schedule::Job;
pub use schedule::{Schedule, Timer};
pub use sleep::Sleep;
