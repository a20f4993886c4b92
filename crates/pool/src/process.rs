//! The pool that the crates of a process share, made on first use, so that one supervisor sees all
//! threads. It is never drained: what is queued when the process exits is not run. A forked process,
//! which has no thread of its parent's but the caller's, makes its own.
//!
//! ```
//! use riverhawk_pool::process;
//!
//! assert_eq!(process::handle().spawn(|| 6 * 7).wait()?, 42);
//! # Ok::<(), riverhawk_pool::TaskError>(())
//! ```

use crate::config::PoolBuilder;
use crate::handle::Handle;
use crate::pool::{Pool, Shutdown};
use crate::system::process_number;
use std::sync::{Mutex, MutexGuard, PoisonError};

struct Process {
    builder: Option<PoolBuilder>,
    pool: Option<Pool>,
    /// The process that made the pool.
    id: u32,
}

static PROCESS: Mutex<Process> = Mutex::new(Process { builder: None, pool: None, id: 0 });

fn lock() -> MutexGuard<'static, Process> {
    let mut process = PROCESS.lock().unwrap_or_else(PoisonError::into_inner);
    let id = process_number();
    if process.id != id {
        // Dropping it would wait for threads that are not here.
        std::mem::forget(process.pool.take());
        process.id = id;
    }
    process
}

/// Sets how the pool is made. False, without effect, once it exists.
pub fn configure(builder: PoolBuilder) -> bool {
    let mut process = lock();
    let is_first = process.pool.is_none();
    if is_first {
        process.builder = Some(builder);
    }
    is_first
}

/// The process's pool. This starts no thread. Stuck tasks are reported only if
/// [configured](configure), since tasks may wait for input.
#[must_use]
pub fn handle() -> Handle {
    let mut process = lock();
    let builder = process.builder.take();
    let make = || builder.unwrap_or_else(|| Pool::builder().stuck_after(None)).build();
    process.pool.get_or_insert_with(make).handle()
}

/// Ends the pool if it is idle; the next [`handle`] makes another. For a process about to `fork`,
/// which copies only the calling thread. True if there is no pool now.
pub fn end_if_idle() -> bool {
    let mut process = lock();
    let is_idle = process.pool.as_ref().is_none_or(|pool| pool.usage().unfinished() == 0);
    if is_idle && let Some(pool) = process.pool.take() {
        // Refused only to the pool's own tasks, and then the pool is not idle.
        let _ = pool.shutdown(Shutdown::Discard);
    }
    is_idle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_one_pool_until_it_is_idle_and_ended() {
        assert!(configure(Pool::builder().name("first").cores(3).stuck_after(None)));
        let (one, other) = (handle(), handle());
        assert_eq!((one.cores(), other.cores()), (3, 3));
        assert!(!configure(Pool::builder()), "it is there");
        let (go, wait) = crate::promise();
        let task = one.spawn(move || wait.wait());
        assert!(!end_if_idle());
        go.resolve(1);
        assert_eq!(task.wait().ok(), Some(Ok(1)));
        while !end_if_idle() {
            std::thread::yield_now();
        }
        assert!(one.spawn(|| ()).wait().is_err(), "ended");
        assert!(handle().spawn(|| ()).wait().is_ok(), "another");
    }
}
