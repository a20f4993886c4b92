//! Which pool the calling thread works for, and entry and exit of blocking waits.

use crate::WorkerKind;
use crate::affinity::AffinityQueue;
use crate::rules::WorkerState;
use crate::shared::Shared;
use crate::slot::Slot;
use std::cell::RefCell;
use std::sync::Arc;

#[derive(Clone)]
enum Role {
    Worker(Arc<Slot>),
    Guest { blocked: bool },
    Driver,
}

#[derive(Clone)]
struct Context {
    shared: Arc<Shared>,
    role: Role,
}

thread_local! {
    static CURRENT: RefCell<Option<Context>> = const { RefCell::new(None) };
}

pub(crate) struct Entered {
    before: Option<Context>,
    guest_of: Option<Arc<Shared>>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(self.before.take());
        if let Some(shared) = self.guest_of.take() {
            shared.crew.leave_guest();
        }
    }
}

fn enter(shared: &Arc<Shared>, role: Role) -> Entered {
    let before = CURRENT.replace(Some(Context { shared: Arc::clone(shared), role }));
    Entered { before, guest_of: None }
}

pub(crate) fn enter_worker(shared: &Arc<Shared>, slot: &Arc<Slot>) -> Entered {
    enter(shared, Role::Worker(Arc::clone(slot)))
}

pub(crate) fn enter_driver(shared: &Arc<Shared>) -> Entered {
    enter(shared, Role::Driver)
}

/// Takes a permit, unless the thread has one of that pool.
pub(crate) fn enter_guest(shared: &Arc<Shared>) -> Option<Entered> {
    if is_of(shared) {
        return None;
    }
    let mut entered = enter(shared, Role::Guest { blocked: false });
    shared.crew.enter_guest();
    entered.guest_of = Some(Arc::clone(shared));
    Some(entered)
}

pub(crate) fn is_of(shared: &Arc<Shared>) -> bool {
    CURRENT.with_borrow(|current| {
        current.as_ref().is_some_and(|context| Arc::ptr_eq(&context.shared, shared))
    })
}

pub(crate) fn current() -> Option<Arc<Shared>> {
    CURRENT.with_borrow(|current| current.as_ref().map(|context| Arc::clone(&context.shared)))
}

pub(crate) fn driven() -> Option<Arc<Shared>> {
    current().filter(|shared| shared.seeded.is_some())
}

/// If the calling thread is the worker of this queue, its item keeps nothing waiting any more.
pub(crate) fn leave_item(queue: &Arc<AffinityQueue>) {
    let is_mine = CURRENT.with_borrow(|current| match current {
        Some(Context { role: Role::Worker(slot), .. }) => {
            slot.queue.as_ref().is_some_and(|mine| Arc::ptr_eq(mine, queue))
        }
        _ => false,
    });
    if is_mine {
        queue.done();
    }
}

/// A blocking wait; dropping it takes the permit back.
pub(crate) struct Blocked(Option<Context>);

/// Declares a wait: another worker takes the place of the calling one. Nested waits count once.
pub(crate) fn block() -> Blocked {
    let entered = CURRENT.with_borrow_mut(|current| {
        let context = current.as_mut()?;
        match &mut context.role {
            Role::Driver => return None,
            Role::Guest { blocked } => {
                if std::mem::replace(blocked, true) {
                    return None;
                }
            }
            Role::Worker(slot) => {
                if slot.state() == WorkerState::Blocked {
                    return None;
                }
                slot.set_state(WorkerState::Blocked);
            }
        }
        Some(context.clone())
    });
    if let Some(Context { shared, role }) = &entered {
        match role {
            Role::Guest { .. } => shared.crew.leave_guest(),
            Role::Worker(slot) if slot.kind == WorkerKind::General => shared.crew.enter_blocked(),
            _ => {}
        }
        // `enter_blocked` fences before this reads the queue; `call` fences before it reads the
        // balance.
        if shared.has_general_work() {
            shared.call();
        }
    }
    Blocked(entered)
}

impl Drop for Blocked {
    fn drop(&mut self) {
        let Some(Context { shared, role }) = self.0.take() else { return };
        match role {
            Role::Worker(slot) => {
                if slot.kind == WorkerKind::General {
                    shared.crew.leave_blocked();
                }
                slot.set_state(WorkerState::Working);
            }
            Role::Guest { .. } => {
                shared.crew.enter_guest();
                CURRENT.with_borrow_mut(|current| {
                    if let Some(Context { role: Role::Guest { blocked }, .. }) = current {
                        *blocked = false;
                    }
                });
            }
            Role::Driver => {}
        }
    }
}
