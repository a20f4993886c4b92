//! The locks and atomics the protocols are written in: the standard ones, or loom's when the models
//! are checked.
//!
//! Only the modules that `models.rs` checks (parker, crew, turn state, affinity queue, ticket) go
//! through here.

#[cfg(loom)]
pub(crate) use loom::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicIsize, AtomicU8, AtomicUsize, Ordering, fence},
};
#[cfg(not(loom))]
pub(crate) use std::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicIsize, AtomicU8, AtomicUsize, Ordering, fence},
};

/// Locks, also when a thread panicked while it held the lock: no invariant of this crate is open
/// across foreign code.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Waits on a condition variable, with the same view of poisoning as [`lock`].
pub(crate) fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condition.wait(guard).unwrap_or_else(std::sync::PoisonError::into_inner)
}
