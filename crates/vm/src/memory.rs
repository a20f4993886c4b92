//! Memory that has run out: the question, asked wherever a program makes something larger, and the
//! answer that names who holds most.

mod holders;

use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_memory as memory;

/// An error if memory has run out. Asked before anything that was made is seen: what there was no
/// memory for is empty.
#[inline(always)]
pub(crate) fn check() -> Fallible<()> {
    if memory::ran_out() { Err(Fault::memory()) } else { Ok(()) }
}

/// From now on this process holds so many bytes at most, besides what it holds already.
///
/// # Errors
/// Its allocator is not `riverhawk_memory::Checked`, which alone counts them.
pub fn limit(bytes: usize) -> Result<(), &'static str> {
    memory::limit(bytes)
        .map_err(|_| "a memory limit needs the allocator riverhawk_memory::Checked, which counts what is held")
}
