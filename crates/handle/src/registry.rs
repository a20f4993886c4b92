//! Open handles by number, and unreported failures.

use crate::error::Error;
use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

pub(crate) type Shared = dyn Any + Send + Sync;

struct Open {
    handles: BTreeMap<u64, Weak<Shared>>,
    /// Failures of handles dropped without a close.
    unheard: Vec<Error>,
}

static OPEN: Mutex<Open> = Mutex::new(Open { handles: BTreeMap::new(), unheard: Vec::new() });

/// Never reused; 0 is not one.
static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// A bound for programs that keep dropping broken handles.
const MAX_UNHEARD: usize = 100;

fn open() -> MutexGuard<'static, Open> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn next_id() -> u64 {
    NEXT_ID.fetch_add(1, Ordering::Relaxed)
}

pub(crate) fn remember(id: u64, handle: Weak<Shared>) {
    open().handles.insert(id, handle);
}

pub(crate) fn forget(id: u64) {
    open().handles.remove(&id);
}

pub(crate) fn find(id: u64) -> Option<Arc<Shared>> {
    open().handles.get(&id).and_then(Weak::upgrade)
}

pub(crate) fn youngest_below(id: u64) -> Option<Arc<Shared>> {
    open().handles.range(..id).rev().find_map(|(_, weak)| weak.upgrade())
}

pub(crate) fn keep(error: Error) {
    let mut open = open();
    if open.unheard.len() < MAX_UNHEARD {
        open.unheard.push(error);
    }
}

pub(crate) fn take_unheard() -> Vec<Error> {
    std::mem::take(&mut open().unheard)
}

/// The number of open handles.
pub fn open_handles() -> usize {
    open().handles.len()
}
