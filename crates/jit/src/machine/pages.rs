//! Pages that are first writable, then executable.

use std::io;
use std::ptr::{NonNull, null_mut};

/// New pages, which this thread may write to.
pub(crate) fn map_writable(size: usize) -> io::Result<NonNull<u8>> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    // SAFETY: a new private mapping.
    let start = unsafe { libc::mmap(null_mut(), size, protection, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    NonNull::new(start.cast()).ok_or_else(|| io::Error::other("a mapping at address zero"))
}

/// Ends the writing.
///
/// # Safety
/// The pages are from [`map_writable`], and there are no references into them.
pub(crate) unsafe fn make_executable(start: NonNull<u8>, size: usize) -> io::Result<()> {
    // SAFETY: the caller's promise.
    let status =
        unsafe { libc::mprotect(start.as_ptr().cast(), size, libc::PROT_READ | libc::PROT_EXEC) };
    if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
