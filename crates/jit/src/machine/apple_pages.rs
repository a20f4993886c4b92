//! Pages that each thread sees either as writable or as executable (`MAP_JIT`): a program that is
//! signed for the hardened runtime gets no others for code.

use std::io;
use std::ptr::{NonNull, null_mut};

/// New pages, which this thread may write to. Until [`make_executable`] it can run no machine code.
pub(crate) fn map_writable(size: usize) -> io::Result<NonNull<u8>> {
    let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_JIT;
    // SAFETY: a new private mapping.
    let start = unsafe { libc::mmap(null_mut(), size, protection, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: concerns this thread alone, which runs no machine code now.
    unsafe { libc::pthread_jit_write_protect_np(0) };
    NonNull::new(start.cast()).ok_or_else(|| io::Error::other("a mapping at address zero"))
}

/// Ends the writing.
///
/// # Safety
/// The pages are from [`map_writable`], called by this thread, and there are no references into them.
pub(crate) unsafe fn make_executable(_: NonNull<u8>, _: usize) -> io::Result<()> {
    // SAFETY: concerns this thread alone.
    unsafe { libc::pthread_jit_write_protect_np(1) };
    Ok(())
}
