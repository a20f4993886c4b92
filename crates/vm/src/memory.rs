//! Memory that has run out: the question, asked wherever a program makes something larger, and the
//! answer that names who holds most.

mod holders;

use riverhawk_awkio::cancel;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_memory::{self as memory, AccountInUse};

/// Checked before a result is seen: what there was no memory for is empty.
#[inline(always)]
pub(crate) fn check() -> Fallible<()> {
    if memory::ran_out() { Err(Fault::memory()) } else { Ok(()) }
}

/// For loops inside an operation, whose unfinished results are not seen.
pub(crate) fn is_stopped() -> bool {
    let is_stopped = cancel::is_stopped();
    if is_stopped {
        memory::run_out(0);
    }
    is_stopped
}

/// The same items, until the run is to end.
pub(crate) fn until_stopped<T>(items: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    let in_time = |(at, _): &(usize, T)| at % ASKED_EVERY != 0 || !is_stopped();
    items.enumerate().take_while(in_time).map(|(_, item)| item)
}

/// Items between two questions whether the run is to end.
const ASKED_EVERY: usize = 1024;

/// Opens an account for a run of the calling thread, which holds so many bytes at most.
///
/// # Errors
/// The process's allocator is not `riverhawk_memory::Checked`, which alone counts them.
pub(crate) fn open_account(limit: Option<usize>) -> Result<AccountInUse, &'static str> {
    memory::open_account(limit)
        .map_err(|_| "a memory limit needs the allocator riverhawk_memory::Checked, which counts what is held")
}
