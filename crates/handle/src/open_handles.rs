//! Open handles by number, all closed at the end of the process.

use crate::error::{Error, Name};
use crate::handle::{Handle, Inner};
use crate::registry::{self, Shared};
use std::sync::Arc;

pub(crate) fn find(id: u64) -> Option<Handle> {
    registry::find(id).and_then(handle_of)
}

fn handle_of(shared: Arc<Shared>) -> Option<Handle> {
    shared.downcast::<Inner>().ok().map(Handle)
}

/// Closes every open handle, the newest first as awk does, waits for their processes, and flushes
/// the standard streams last. Gives all failures, including those of dropped handles. For the end
/// of `main`.
///
/// ```no_run
/// // At the end of `main`:
/// let failures = riverhawk_handle::close_all();
/// failures.iter().for_each(|failure| eprintln!("my program: {failure}"));
/// std::process::exit(if failures.is_empty() { 0 } else { 2 });
/// ```
pub fn close_all() -> Vec<Error> {
    let mut failures = registry::take_unheard();
    let mut standard = Vec::new();
    // Closing one may drop another.
    let mut below = u64::MAX;
    while let Some(handle) = registry::youngest_below(below).and_then(handle_of) {
        below = handle.0.id;
        match handle.name() {
            Name::Stdin => {}
            Name::Stdout | Name::Stderr => standard.push(handle),
            _ => failures.extend(handle.close().err()),
        }
    }
    failures.extend(standard.iter().filter_map(|handle| handle.flush().err()));
    failures.append(&mut registry::take_unheard());
    failures
}
