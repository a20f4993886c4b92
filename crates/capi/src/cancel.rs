//! The end of runs from other threads.

use crate::border::guarded;
use riverhawk::Cancel;

/// Ends runs from any thread. Freed with `rh_cancel_free`, at any time: runs keep what they need.
pub struct rh_cancel(pub(crate) Cancel);

/// A handle for `rh_run_cancel`. Freed with `rh_cancel_free`.
#[unsafe(no_mangle)]
pub extern "C" fn rh_cancel_new() -> Option<Box<rh_cancel>> {
    guarded(None, || Some(Box::new(rh_cancel(Cancel::new()))))
}

/// Ends all runs that were given the handle, and those that will be. From any thread, but not from a
/// handler of signals.
#[unsafe(no_mangle)]
pub extern "C" fn rh_cancel_cancel(cancel: Option<&rh_cancel>) {
    guarded((), || {
        if let Some(cancel) = cancel {
            cancel.0.cancel();
        }
    });
}

/// Frees a handle; null is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn rh_cancel_free(cancel: Option<Box<rh_cancel>>) {
    guarded((), || drop(cancel));
}
