//! Putting a task on a queue.

use super::Task;
use super::future::FutureTask;
use crate::error::TaskError;
use crate::home::Home;
use crate::item::{Item, Label, Named, Once, Plain, Turn};
use crate::promise::promise;
use crate::shared::Shared;
use std::future::Future;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Arc;

/// A queue, and a name for its tasks. From [`Handle::spawner`](crate::Handle::spawner),
/// [`Handle::timer_queue`](crate::Handle::timer_queue) or an [`Affinity`](crate::Affinity).
#[derive(Clone)]
pub struct Spawner<'a> {
    pub(crate) shared: &'a Arc<Shared>,
    pub(crate) home: Home,
    pub(crate) name: Option<Arc<str>>,
}

impl Spawner<'_> {
    /// Names the tasks, for the watchdog.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        self.name = Some(name.into());
        self
    }

    /// A closure with a result.
    #[track_caller]
    pub fn spawn<T, F>(&self, body: F) -> Task<T>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let (resolver, promise) = promise();
        self.submit(move || {
            resolver.resolve(catch_unwind(AssertUnwindSafe(body)).map_err(TaskError::Panicked));
            Turn::Finished
        });
        Task::of(promise, self.shared)
    }

    /// A closure without a result. A panic is counted and logged.
    #[track_caller]
    pub fn run<F: FnOnce() + Send + 'static>(&self, body: F) {
        self.submit(move || match catch_unwind(AssertUnwindSafe(body)) {
            Ok(()) => Turn::Finished,
            Err(_) => Turn::Panicked,
        });
    }

    #[track_caller]
    fn submit<F: FnOnce() -> Turn + Send + 'static>(&self, body: F) {
        let spawned_at = Location::caller();
        let once: Box<dyn Once> = match &self.name {
            None => Box::new(Plain { body, spawned_at }),
            Some(name) => Box::new(Named { body, name: Arc::clone(name), spawned_at }),
        };
        self.shared.submit(Item::Once(once), &self.home);
    }

    /// A future. It frees its worker whenever it waits, and returns to the same queue.
    #[track_caller]
    pub fn spawn_future<F>(&self, future: F) -> Task<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        let (resolver, promise) = promise();
        let label = Label { name: self.name.clone(), spawned_at: Location::caller() };
        let task = FutureTask::new(self.shared, self.home.clone(), label, future, resolver);
        self.shared.submit(Item::Again(Arc::new(task)), &self.home);
        Task::of(promise, self.shared)
    }
}
