//! Inherited file descriptors: `/dev/fd/N`, and the three standard ones that may be missing at
//! start.
#![allow(unsafe_code)] // A bare number is not an owned descriptor; the system calls below check it.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

/// Duplicates the inherited descriptor `number`. Descriptors opened by this process are
/// close-on-exec, and are refused.
pub(super) fn duplicate(number: RawFd) -> io::Result<OwnedFd> {
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

/// Closes the inherited descriptor `number` itself, so that the reader of its other end sees the
/// end. The three standard descriptors stay open, as in gawk.
pub(super) fn close_inherited(number: RawFd) {
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

/// Fills standard descriptors that the parent left closed, so that no file of ours takes their
/// number.
///
/// Each gets `/dev/null` opened the wrong way round, so that using it still fails with EBADF. Call
/// this once at start, before anything is opened. Rust's start-up code opens `/dev/null` both ways,
/// which would make lost output a success, and it runs before an ordinary `main`.
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
