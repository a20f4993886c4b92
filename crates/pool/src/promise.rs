//! A value that comes later.

use crate::block::block_on;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::{error, fmt};

enum State<T> {
    /// The waiter's waker.
    Pending(Option<Waker>),
    Kept(T),
    /// The resolver was dropped, or the value taken.
    Broken,
}

struct Cell<T>(Mutex<State<T>>);

impl<T> Cell<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settle(&self, outcome: State<T>) {
        let mut state = self.lock();
        if let State::Pending(waker) = &mut *state {
            let waker = waker.take();
            *state = outcome;
            drop(state);
            if let Some(waker) = waker {
                waker.wake();
            }
        }
    }
}

/// A promise and its resolver.
///
/// ```
/// let (resolver, promise) = riverhawk_pool::promise();
/// std::thread::spawn(move || resolver.resolve(42));
/// assert_eq!(promise.wait(), Ok(42));
/// ```
pub fn promise<T>() -> (Resolver<T>, Promise<T>) {
    let cell = Arc::new(Cell(Mutex::new(State::Pending(None))));
    (Resolver(Arc::clone(&cell)), Promise(cell))
}

/// Resolves a promise; dropping it breaks the promise.
pub struct Resolver<T>(Arc<Cell<T>>);

impl<T> Resolver<T> {
    /// Sets the value and wakes the waiter.
    pub fn resolve(self, value: T) {
        self.0.settle(State::Kept(value));
    }
}

impl<T> Drop for Resolver<T> {
    fn drop(&mut self) {
        self.0.settle(State::Broken);
    }
}

/// The resolver was dropped, or the value taken already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the promise was broken")
    }
}

impl error::Error for Broken {}

/// A value to come. Awaiting suspends the task; [`wait`](Self::wait) blocks the thread.
#[must_use = "a promise does nothing unless waited for"]
pub struct Promise<T>(Arc<Cell<T>>);

impl<T> Promise<T> {
    /// Blocks until the promise is resolved or broken; a declared wait.
    ///
    /// # Errors
    /// [`Broken`] if the resolver was dropped.
    pub fn wait(self) -> Result<T, Broken> {
        block_on(self)
    }

    /// Whether waiting would return at once.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        !matches!(*self.0.lock(), State::Pending(_))
    }
}

impl<T> Future for Promise<T> {
    type Output = Result<T, Broken>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = self.0.lock();
        if let State::Pending(waker) = &mut *state {
            let old = waker.replace(context.waker().clone());
            drop(state);
            drop(old);
            return Poll::Pending;
        }
        match std::mem::replace(&mut *state, State::Broken) {
            State::Kept(value) => Poll::Ready(Ok(value)),
            State::Pending(_) | State::Broken => Poll::Ready(Err(Broken)),
        }
    }
}
