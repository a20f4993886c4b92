//! Parallel work on borrowed data: closures that finish before the call returns, and iteration over
//! slices.
//!
//! A scope has its own queue, and is one entry on the general queue, a *ticket*: the worker that
//! takes it queues the next if there is more to do, then runs closures for a while. So all free
//! workers join, a long scope does not starve others, and a blocking closure is compensated. The
//! caller works too, but runs no other tasks, since their locks and stacks are their own.

mod chunks;
mod erase;

use crate::context;
use crate::error::Payload;
use crate::handle::Handle;
use crate::item::{Again, Item, Label, Turn};
use crate::shared::Shared;
use crate::ticket::Ticket;
use crossbeam_deque::{Injector, Steal};
use crossbeam_utils::CachePadded;
use erase::{Body, erase};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};

/// Closures of one scope that a worker runs before it looks at the general queue again.
const CLOSURES_A_TURN: usize = 256;

/// The part that outlives the scope: late tickets find it empty.
struct Work {
    shared: Arc<Shared>,
    label: Label,
    queue: Injector<Body<'static>>,
    pending: CachePadded<AtomicUsize>,
    spawned: AtomicUsize,
    ticket: Ticket,
    owner: Thread,
    owner_waits: AtomicBool,
    panic: Mutex<Option<Payload>>,
}

impl Work {
    fn next(&self) -> Option<Body<'static>> {
        loop {
            match self.queue.steal() {
                Steal::Success(body) => return Some(body),
                Steal::Empty => return None,
                Steal::Retry => {}
            }
        }
    }

    fn run(&self, body: Body<'static>) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
            self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
        }
        // From here on nothing borrowed is touched.
        if self.pending.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.wake_owner();
        }
    }

    fn wake_owner(&self) {
        fence(Ordering::SeqCst);
        if self.owner_waits.load(Ordering::SeqCst) {
            self.owner.unpark();
        }
    }

    fn invite(self: &Arc<Self>) {
        if self.shared.seeded.is_none() && self.ticket.issue() {
            self.shared.crew.demand(self.shared.settings.cores);
            self.shared.push_general(Item::Again(Arc::clone(self) as Arc<dyn Again>));
        }
    }

    fn finish(&self) {
        let _guest = context::enter_guest(&self.shared);
        if let Some(seeded) = &self.shared.seeded {
            let mut bodies = Vec::new();
            loop {
                bodies.extend(std::iter::from_fn(|| self.next()));
                if bodies.is_empty() {
                    return;
                }
                let drawn = seeded.draw(bodies.len());
                self.run(bodies.remove(drawn));
            }
        }
        loop {
            while let Some(body) = self.next() {
                self.run(body);
            }
            if self.pending.load(Ordering::SeqCst) == 0 {
                return;
            }
            let _blocked = context::block();
            self.owner_waits.store(true, Ordering::SeqCst);
            fence(Ordering::SeqCst);
            while self.pending.load(Ordering::SeqCst) != 0 && self.queue.is_empty() {
                thread::park();
            }
            self.owner_waits.store(false, Ordering::SeqCst);
        }
    }
}

impl Again for Work {
    fn turn(self: Arc<Self>) -> Turn {
        self.ticket.take();
        let Some(first) = self.next() else { return Turn::Continues };
        if !self.queue.is_empty() {
            self.invite();
        }
        self.run(first);
        for _ in 1..CLOSURES_A_TURN {
            let Some(body) = self.next() else { return Turn::Continues };
            self.run(body);
        }
        self.invite();
        Turn::Continues
    }

    fn cancel(&self) -> bool {
        false
    }

    fn label(&self) -> &Label {
        &self.label
    }

    fn is_resting(&self) -> bool {
        false
    }
}

/// Where closures that borrow are spawned; from [`Handle::scope`].
pub struct Scope<'scope, 'env: 'scope> {
    work: Arc<Work>,
    // Both lifetimes invariant, as in `std::thread::Scope`: a closure must not outlive its type.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

impl<'scope> Scope<'scope, '_> {
    /// Runs a closure on the pool or the scope's own thread. It may borrow what outlives the scope.
    pub fn spawn<F: FnOnce() + Send + 'scope>(&'scope self, body: F) {
        self.work.pending.fetch_add(1, Ordering::SeqCst);
        self.work.spawned.fetch_add(1, Ordering::Relaxed);
        // SAFETY: it is counted, and `Handle::scope` returns only when the count is zero, within
        // `'scope`.
        #[allow(unsafe_code)]
        let body = unsafe { erase(Box::new(body) as Body<'scope>) };
        self.work.queue.push(body);
        self.work.invite();
        self.work.wake_owner();
    }
}

impl Handle {
    /// Runs `body`, which may spawn closures that borrow, and returns when all are finished. A
    /// panic resumes then: that of `body` first, else the first of a closure.
    ///
    /// ```
    /// let pool = riverhawk_pool::Pool::new();
    /// let words = vec!["one", "two", "three"];
    /// let mut lengths = vec![0; 3];
    /// pool.scope(|scope| {
    ///     for (word, length) in words.iter().zip(&mut lengths) {
    ///         scope.spawn(move || *length = word.len());
    ///     }
    /// });
    /// assert_eq!(lengths, [3, 3, 5]);
    /// ```
    #[track_caller]
    pub fn scope<'env, T>(
        &self,
        body: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
    ) -> T {
        let work = Arc::new(Work {
            shared: Arc::clone(&self.shared),
            label: Label { name: None, spawned_at: Location::caller() },
            queue: Injector::new(),
            pending: CachePadded::new(AtomicUsize::new(0)),
            spawned: AtomicUsize::new(0),
            ticket: Ticket::new(),
            owner: thread::current(),
            owner_waits: AtomicBool::new(false),
            panic: Mutex::new(None),
        });
        let scope = Scope { work, scope: PhantomData, env: PhantomData };
        let result = catch_unwind(AssertUnwindSafe(|| body(&scope)));
        scope.work.finish();
        let spawned = scope.work.spawned.load(Ordering::Relaxed) as u64;
        self.shared.counters.scoped.fetch_add(spawned, Ordering::SeqCst);
        let panic = scope.work.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (result, panic) {
            (Err(payload), _) | (Ok(_), Some(payload)) => resume_unwind(payload),
            (Ok(value), None) => value,
        }
    }
}
