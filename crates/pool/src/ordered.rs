//! Queues that keep order: affinity (one thread, unless it is stuck) and serial (always).

use crate::WorkerKind;
use crate::affinity::{AffinityQueue, SerialList};
use crate::context;
use crate::home::Home;
use crate::item::{Again, Item, Label, Turn};
use crate::shared::Shared;
use crate::task::{Spawner, Task};
use std::future::Future;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The queue of one affinity worker, for a source whose items would contend for its lock: they
/// start in order on one thread, each after the one before. Sources may share a worker.
///
/// When an item takes more than ten ticks (0.1 s), the supervisor moves one waiting item per tick
/// to the general queue, since the stuck one may wait for it. Moved items start in order but may
/// overlap; if that is wrong, use [`Serial`].
#[derive(Clone)]
pub struct Affinity {
    shared: Arc<Shared>,
    queue: Arc<AffinityQueue>,
}

impl Affinity {
    pub(crate) fn new(shared: &Arc<Shared>) -> Self {
        Self { shared: Arc::clone(shared), queue: shared.choose_affinity() }
    }

    /// The queue as a [`Spawner`], to name tasks.
    #[must_use]
    pub fn spawner(&self) -> Spawner<'_> {
        Spawner { shared: &self.shared, home: Home::Affinity(Arc::clone(&self.queue)), name: None }
    }

    /// A closure with a result.
    #[track_caller]
    pub fn spawn<T, F>(&self, body: F) -> Task<T>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        self.spawner().spawn(body)
    }

    /// A closure without a result.
    #[track_caller]
    pub fn run<F: FnOnce() + Send + 'static>(&self, body: F) {
        self.spawner().run(body);
    }

    /// A future. It frees the thread whenever it waits.
    #[track_caller]
    pub fn spawn_future<F>(&self, future: F) -> Task<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.spawner().spawn_future(future)
    }

    /// Whether two sources were given the same worker.
    #[must_use]
    pub fn shares_worker_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.queue, &other.queue)
    }
}

type Body = Box<dyn FnOnce() -> Turn + Send>;

/// A source whose items run strictly in order, on any worker. If its affinity worker is stuck in
/// something else its turn moves, with the order. An item must not wait for a later one.
#[derive(Clone)]
pub struct Serial {
    source: Arc<Source>,
}

struct Source {
    shared: Arc<Shared>,
    queue: Arc<AffinityQueue>,
    label: Label,
    list: SerialList<Body>,
}

impl Serial {
    #[track_caller]
    pub(crate) fn new(shared: &Arc<Shared>) -> Self {
        let source = Source {
            shared: Arc::clone(shared),
            queue: shared.choose_affinity(),
            label: Label { name: None, spawned_at: Location::caller() },
            list: SerialList::new(),
        };
        Self { source: Arc::new(source) }
    }

    /// A closure with a result.
    pub fn spawn<T, F>(&self, body: F) -> Task<T>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let (resolver, promise) = crate::promise();
        self.submit(Box::new(move || {
            resolver
                .resolve(catch_unwind(AssertUnwindSafe(body)).map_err(crate::TaskError::Panicked));
            Turn::Finished
        }));
        Task::of(promise, &self.source.shared)
    }

    /// A closure without a result.
    pub fn run<F: FnOnce() + Send + 'static>(&self, body: F) {
        self.submit(Box::new(move || match catch_unwind(AssertUnwindSafe(body)) {
            Ok(()) => Turn::Finished,
            Err(_) => Turn::Panicked,
        }));
    }

    fn submit(&self, body: Body) {
        let Source { shared, list, .. } = &*self.source;
        if !shared.accepts() {
            shared.counters.refused.fetch_add(1, Ordering::SeqCst);
            return;
        }
        shared.counters.submit(WorkerKind::Affinity);
        if list.push(body) {
            self.source.request_turn();
        }
    }
}

impl Source {
    fn request_turn(self: &Arc<Self>) {
        let item = Item::Again(Arc::clone(self) as Arc<dyn Again>);
        self.shared.push(item, &Home::Affinity(Arc::clone(&self.queue)));
    }
}

impl Again for Source {
    /// One item a turn, so that sources on one worker alternate.
    fn turn(self: Arc<Self>) -> Turn {
        let turn = self.list.next().map_or(Turn::Continues, |body| body());
        // Before another turn is requested, here or by a submitter: it waits for nothing, so no
        // supervisor is needed.
        context::leave_item(&self.queue);
        if self.list.end_turn() {
            self.request_turn();
        }
        turn
    }

    fn cancel(&self) -> bool {
        let bodies = self.list.take_all();
        // The source is no task; its items are.
        self.shared.counters.cancelled.fetch_add(bodies.len() as u64, Ordering::SeqCst);
        drop(bodies);
        false
    }

    fn label(&self) -> &Label {
        &self.label
    }

    fn is_resting(&self) -> bool {
        false
    }
}
