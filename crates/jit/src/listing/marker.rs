//! What a jitdump needs of the system: an executable mapping of the file, the monotonic clock, the
//! thread's number.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::NonNull;

const PAGE: usize = 4096;

/// An executable mapping of a file, never run or read.
pub(super) struct Marker(NonNull<libc::c_void>);

// SAFETY: the address is only used to unmap.
unsafe impl Send for Marker {}

impl Marker {
    pub(super) fn map(file: &File) -> io::Result<Marker> {
        // SAFETY: a new private mapping.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                PAGE,
                libc::PROT_READ | libc::PROT_EXEC,
                libc::MAP_PRIVATE,
                file.as_raw_fd(),
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        NonNull::new(start).map(Marker).ok_or_else(|| io::Error::other("a mapping at address zero"))
    }
}

impl Drop for Marker {
    fn drop(&mut self) {
        // SAFETY: the mapping made by `map`, without references into it.
        unsafe { libc::munmap(self.0.as_ptr(), PAGE) };
    }
}

/// In nanoseconds.
pub(super) fn monotonic() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes to a local variable.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

pub(super) fn thread_id() -> u32 {
    #[cfg(target_os = "linux")]
    // SAFETY: it has no arguments and cannot fail.
    unsafe {
        libc::gettid() as u32
    }
    #[cfg(not(target_os = "linux"))]
    std::process::id()
}
