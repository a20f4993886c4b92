//! Inherited file descriptors: `/dev/fd/N` and the standard ones.
#![allow(unsafe_code)] // A bare number is not an owned descriptor; the system calls below check it.

use riverhawk_system::fd::{FromRawFd, OwnedFd, RawFd};
use std::io;

/// Refuses descriptors of this process, which are close-on-exec.
pub(crate) fn duplicate(number: RawFd) -> io::Result<OwnedFd> {
    if !is_inherited(number) {
        return Err(io::Error::from_raw_os_error(libc::ENOENT)); // as gawk answers for `/dev/fd/9`
    }
    // SAFETY: fcntl checks the number itself.
    let copy = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 3) };
    if copy < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel just made `copy`, and it has no other owner.
    Ok(unsafe { OwnedFd::from_raw_fd(copy) })
}

/// Closes `number` itself, so that its other end sees the end. As in gawk the standard descriptors
/// stay open.
pub(crate) fn close_inherited(number: RawFd) {
    if number > 2 && is_inherited(number) {
        // SAFETY: not close-on-exec, so this process did not open it: it came from the parent, and
        // the program has just given it up.
        unsafe { libc::close(number) };
    }
}

fn is_inherited(number: RawFd) -> bool {
    // SAFETY: fcntl checks the number itself.
    let flags = unsafe { libc::fcntl(number, libc::F_GETFD) };
    flags >= 0 && (number <= 2 || flags & libc::FD_CLOEXEC == 0)
}

/// Fills closed standard descriptors, so that no file takes their number.
///
/// Each gets `/dev/null` opened the wrong way round, so that using it fails with EBADF. Call this
/// first of all. Rust's start-up code opens `/dev/null` both ways, so that lost output succeeds,
/// and runs before an ordinary `main`.
pub fn fill_standard_descriptors() {
    for (number, wrong_way) in [(0, libc::O_WRONLY), (1, libc::O_RDONLY), (2, libc::O_RDONLY)] {
        // SAFETY: fcntl checks the number; the path is a NUL-terminated literal; open takes the
        // lowest free number, which is `number`, since the lower ones are filled.
        unsafe {
            if libc::fcntl(number, libc::F_GETFD) < 0 {
                libc::open(c"/dev/null".as_ptr(), wrong_way);
            }
        }
    }
}
