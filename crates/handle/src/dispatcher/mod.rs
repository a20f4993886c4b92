//! The thread that waits for readiness, ends of children, and signals. It is started on demand.
//!
//! It runs no user code: it wakes a waker, collects a child, or counts a signal; wakers put work on
//! the pool's queues. Each watch is for one event and owns a duplicate of the descriptor.
//!
//! `mio` rather than `polling`: registering needs no unsafe code and a watch costs half
//! (`examples/dispatch_speed.rs`).

#[cfg_attr(unix, path = "events.rs")]
#[cfg_attr(not(unix), path = "no_events.rs")]
mod events;
mod ready;
#[cfg_attr(unix, path = "signals.rs")]
#[cfg_attr(not(unix), path = "no_signals.rs")]
mod signals;

pub use events::Dispatcher;
pub(crate) use events::Watch;
pub use ready::Ready;
pub use signals::Signals;
