//! Tasks and their handles.

mod future;
mod spawner;

pub use spawner::Spawner;

use crate::block::block_on_for;
use crate::error::TaskError;
use crate::promise::Promise;
use crate::shared::Shared;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// A running task. Await it or [`wait`](Self::wait) for it; dropping it lets the task go on.
#[must_use = "a panic is only seen by waiting for the task; use `run` for a task without a result"]
pub struct Task<T> {
    promise: Promise<Result<T, TaskError>>,
    shared: Arc<Shared>,
}

impl<T> Task<T> {
    pub(crate) fn of(promise: Promise<Result<T, TaskError>>, shared: &Arc<Shared>) -> Self {
        Self { promise, shared: Arc::clone(shared) }
    }

    /// Blocks until the task is over; a declared wait.
    ///
    /// # Errors
    /// [`TaskError::Panicked`] with the panic's payload; [`TaskError::Cancelled`] if the pool was
    /// shut down.
    pub fn wait(self) -> Result<T, TaskError> {
        let shared = Arc::clone(&self.shared);
        block_on_for(Some(&shared), self)
    }

    /// Whether waiting would return at once.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.promise.is_settled()
    }
}

impl<T> Future for Task<T> {
    type Output = Result<T, TaskError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.promise)
            .poll(context)
            .map(|kept| kept.unwrap_or(Err(TaskError::Cancelled)))
    }
}
