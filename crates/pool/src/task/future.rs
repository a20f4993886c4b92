//! A future as a task: run until it waits, queued again when woken. The waker is the task.

use crate::error::TaskError;
use crate::home::Home;
use crate::item::{Again, Item, Label, Turn};
use crate::promise::Resolver;
use crate::registry::Seat;
use crate::shared::Shared;
use crate::turn_state::TurnState;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

/// Taken when the task is over.
struct Core<F: Future> {
    future: Pin<Box<F>>,
    resolver: Resolver<Result<F::Output, TaskError>>,
    /// Its registry entry, once suspended.
    seat: Option<Seat>,
}

pub(super) struct FutureTask<F: Future> {
    shared: Arc<Shared>,
    home: Home,
    label: Label,
    state: TurnState,
    /// Locked during a turn; `state` allows one at a time, so it is never contended.
    core: Mutex<Option<Core<F>>>,
}

impl<F> FutureTask<F>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    pub(super) fn new(
        shared: &Arc<Shared>,
        home: Home,
        label: Label,
        future: F,
        resolver: Resolver<Result<F::Output, TaskError>>,
    ) -> Self {
        Self {
            shared: Arc::clone(shared),
            home,
            label,
            state: TurnState::queued(),
            core: Mutex::new(Some(Core { future: Box::pin(future), resolver, seat: None })),
        }
    }

    /// Drops the future, which may take long and panic, and resolves the result.
    fn end(&self, core: Core<F>, outcome: Result<F::Output, TaskError>) {
        let Core { future, resolver, seat } = core;
        if let Some(seat) = seat {
            self.shared.registry.leave(seat);
        }
        let outcome = match catch_unwind(AssertUnwindSafe(|| drop(future))) {
            Ok(()) => outcome,
            Err(payload) => Err(TaskError::Panicked(payload)),
        };
        resolver.resolve(outcome);
    }
}

impl<F> Again for FutureTask<F>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    fn turn(self: Arc<Self>) -> Turn {
        if !self.state.begin() {
            return Turn::Continues;
        }
        let waker = Waker::from(Arc::clone(&self));
        let mut context = Context::from_waker(&waker);
        let mut slot = self.core.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(core) = slot.as_mut() else { return Turn::Continues };
        let outcome = match catch_unwind(AssertUnwindSafe(|| {
            core.future.as_mut().poll(&mut context)
        })) {
            Ok(Poll::Ready(value)) => Ok(value),
            Err(payload) => Err(TaskError::Panicked(payload)),
            Ok(Poll::Pending) => {
                if core.seat.is_none() {
                    core.seat = self.shared.registry.enter(Arc::clone(&self) as Arc<dyn Again>);
                }
                let may_wait = core.seat.is_some();
                drop(slot);
                if self.state.suspend() {
                    self.shared.push(Item::Again(Arc::clone(&self) as Arc<dyn Again>), &self.home);
                } else if !may_wait || !self.state.is_live() {
                    // The pool was shut down during this turn.
                    if self.cancel() {
                        self.shared.counters.cancelled.fetch_add(1, Ordering::SeqCst);
                    }
                }
                return Turn::Continues;
            }
        };
        let core = slot.take();
        drop(slot);
        // Cancelled in its last turn: counted then, but the result is valid.
        let turn = if self.state.finish() { Turn::Finished } else { Turn::Continues };
        if let Some(core) = core {
            self.end(core, outcome);
        }
        turn
    }

    fn cancel(&self) -> bool {
        let first = self.state.finish();
        // A running turn finds the changed state at its end, and does this itself.
        if let Ok(mut slot) = self.core.try_lock()
            && let Some(core) = slot.take()
        {
            drop(slot);
            self.end(core, Err(TaskError::Cancelled));
        }
        first
    }

    fn label(&self) -> &Label {
        &self.label
    }

    fn is_resting(&self) -> bool {
        self.state.is_resting()
    }
}

impl<F> Wake for FutureTask<F>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    fn wake(self: Arc<Self>) {
        if self.state.wake() {
            let home = self.home.clone();
            Arc::clone(&self.shared).push(Item::Again(self), &home);
        }
    }

    fn wake_by_ref(self: &Arc<Self>) {
        Arc::clone(self).wake();
    }
}
