//! Checks for memory that has run out. Whatever makes something larger checks; the error names the
//! largest holders.

mod holders;

use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_memory::{self as memory, AccountInUse};

/// Checked before a result is used: values that there was no memory for are empty.
#[inline(always)]
pub(crate) fn check() -> Fallible<()> {
    if memory::ran_out() { Err(Fault::memory()) } else { Ok(()) }
}

/// The items, until memory has run out or the run must end. For loops inside an operation, whose
/// unfinished results are then not used.
pub(crate) fn while_memory_lasts<T>(items: impl Iterator<Item = T>) -> impl Iterator<Item = T> {
    items.take_while(|_| !memory::ran_out())
}

/// Opens an account of at most `limit` bytes for a run on this thread. Fails without the allocator
/// `riverhawk_memory::Checked`.
pub(crate) fn open_account(limit: Option<usize>) -> Result<AccountInUse, &'static str> {
    memory::open_account(limit)
        .map_err(|_| "a memory limit needs the allocator riverhawk_memory::Checked, which counts what is held")
}
