//! Every open handle of the process, so that nothing is lost at exit and no failure goes unheard.

use crate::error::{Error, Name};
use crate::handle::{Handle, Inner};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};

struct Open {
    /// By number, which grows with time.
    handles: BTreeMap<u64, Weak<Inner>>,
    /// Failures of handles that were dropped without being closed.
    unheard: Vec<Error>,
}

static OPEN: Mutex<Open> = Mutex::new(Open { handles: BTreeMap::new(), unheard: Vec::new() });

/// Never read a second time; 0 is nobody's.
static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// How many failures are kept for [`close_all`]: a program that drops broken handles for ever does
/// not grow for ever.
const MAX_UNHEARD: usize = 100;

fn open() -> MutexGuard<'static, Open> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn next_id() -> u64 {
    NEXT_ID.fetch_add(1, Ordering::Relaxed)
}

pub(crate) fn remember(handle: &Handle) {
    open().handles.insert(handle.0.id, std::sync::Arc::downgrade(&handle.0));
}

pub(crate) fn forget(id: u64) {
    open().handles.remove(&id);
}

/// The open handle of that number.
pub(crate) fn find(id: u64) -> Option<Handle> {
    let found = open().handles.get(&id).and_then(Weak::upgrade);
    found.map(Handle)
}

/// Keeps a failure that nobody could be told of.
pub(crate) fn keep(error: Error) {
    let mut open = open();
    if open.unheard.len() < MAX_UNHEARD {
        open.unheard.push(error);
    }
}

/// Closes every handle that is still open, the youngest first as awk does, waits for their
/// processes, and flushes the standard streams last. Returns everything that failed, also in
/// handles that were dropped without being closed before. For the end of `main`.
///
/// ```no_run
/// // At the end of `main`:
/// let failures = riverhawk_handle::close_all();
/// failures.iter().for_each(|failure| eprintln!("my program: {failure}"));
/// std::process::exit(if failures.is_empty() { 0 } else { 2 });
/// ```
pub fn close_all() -> Vec<Error> {
    let mut failures = take_unheard();
    let mut standard = Vec::new();
    // One at a time: closing one may drop, and so forget, another.
    let mut below = u64::MAX;
    while let Some(handle) = youngest_below(below) {
        below = handle.0.id;
        match handle.name() {
            Name::Stdin => {}
            Name::Stdout | Name::Stderr => standard.push(handle),
            _ => failures.extend(handle.close().err()),
        }
    }
    failures.extend(standard.iter().filter_map(|handle| handle.flush().err()));
    failures.append(&mut take_unheard());
    failures
}

fn take_unheard() -> Vec<Error> {
    std::mem::take(&mut open().unheard)
}

fn youngest_below(id: u64) -> Option<Handle> {
    let open = open();
    let found = open.handles.range(..id).rev().find_map(|(_, weak)| weak.upgrade());
    drop(open);
    found.map(Handle)
}

/// How many handles are open.
pub fn open_handles() -> usize {
    open().handles.len()
}
