//! A thread pool with a supervisor, which finds out how many threads are of use.
//!
//! **What it is.** A [`Pool`] runs closures and futures on worker threads. It has three kinds of
//! queue: *general*; *timer*, with its own worker, so that a busy machine does not delay timers;
//! and *affinity*, one per worker, for items that must run in order ([`Affinity`], [`Serial`]). The
//! supervisor adds workers by rules over queue lengths, idle workers, cores and CPU time. Their
//! numbers are in [`PoolThresholds`]; `docs/pool.md` explains them.
//!
//! **What it is not.** It knows no files or sockets: a source of readiness plugs in as a
//! [`Readiness`]. A waiting worker runs no other tasks, so a task's locks and stack are its own. A
//! task cannot be killed.
//!
//! **Waits.** `await` on a [`Promise`], a [`Task`], a [`channel`](fn@channel), a [`Sleep`] or
//! [`ReadyWait`] suspends the task and frees the worker. Waits that block a thread are *declared*, this
//! crate's by themselves, others by [`blocking`], so that another worker takes the place. An
//! undeclared wait looks like work, until the supervisor sees that the process uses no CPU.
//!
//! **One for the process.** [`process::handle`] is the pool that a process's crates share.
//!
//! **How it ends.** [`Pool::shutdown`] drains or discards. Dropping a pool drains it.
//!
//! ```
//! use riverhawk_pool::{Pool, promise};
//! use std::time::Duration;
//!
//! let pool = Pool::new();
//! // A closure, a future that waits for it and for a timer, and a loop over borrowed data.
//! let (resolver, answer) = promise();
//! pool.run(move || resolver.resolve(40));
//! let handle = pool.handle();
//! let sum = pool.spawn_future(async move {
//!     handle.sleep(Duration::from_millis(1)).await;
//!     answer.await.unwrap_or(0) + 2
//! });
//! let numbers = [1, 2, 3, 4, 5, 6, 7];
//! let squares = pool.map_chunks(&numbers, 2, |chunk| chunk.iter().map(|n| n * n).sum::<i32>());
//! assert_eq!(squares, [5, 25, 61, 49]);
//! assert_eq!(sum.wait()?, 42);
//! # Ok::<(), riverhawk_pool::TaskError>(())
//! ```
//!
//! [`Handle::log`] has the last decisions, [`PoolBuilder::observer`] gets each, [`Handle::usage`]
//! counts, [`PoolBuilder::on_stuck`] reports tasks that do not return.
//! [`PoolBuilder::deterministic`] runs everything on the caller's thread in an order drawn from a
//! seed.

#![deny(unsafe_code)]
#![warn(unreachable_pub)]

mod affinity;
mod alarm;
mod block;
mod channel;
mod clock;
mod config;
mod context;
mod crew;
mod driver;
mod error;
mod handle;
mod home;
mod item;
mod log;
#[cfg(all(test, loom))]
mod models;
mod ordered;
mod park;
mod place;
mod pool;
pub mod process;
mod promise;
mod readiness;
mod registry;
mod rules;
mod scope;
mod seeded;
mod settings;
mod shared;
mod slot;
mod start;
mod submit;
mod supervisor;
mod sync;
mod system;
mod task;
mod threads;
mod thresholds;
mod ticket;
mod timer;
mod turn_state;
mod usage;
mod watchdog;
mod worker;

pub use block::{block_on, blocking};
pub use channel::{Closed, Receive, Receiver, Send, Sender, channel};
pub use config::{DEFAULT_STACK, DEFAULT_STUCK_AFTER, PoolBuilder};
pub use error::{Error, Payload, TaskError};
pub use handle::Handle;
pub use log::{DecisionEntry, Event, LogLevel};
pub use ordered::{Affinity, Serial};
pub use pool::{Pool, Shutdown, ShutdownReport};
pub use promise::{Broken, Promise, Resolver, promise};
pub use readiness::{Interest, Readiness, ReadyWait, Token};
pub use rules::DecisionReason;
pub use scope::Scope;
pub use task::{Spawner, Task};
pub use thresholds::PoolThresholds;
pub use timer::{Sleep, Timer};
pub use usage::{PoolUsage, QueueUsage};
pub use watchdog::StuckTask;

use std::fmt;

/// The kinds of queue and of worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkerKind {
    /// For work without a deadline or order.
    General,
    /// For what must happen at a time.
    Timer,
    /// For what must stay in order.
    Affinity,
}

impl WorkerKind {
    pub(crate) const ALL: [Self; 3] = [Self::General, Self::Timer, Self::Affinity];
}

impl fmt::Display for WorkerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::General => "general",
            Self::Timer => "timer",
            Self::Affinity => "affinity",
        })
    }
}
