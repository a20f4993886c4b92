//! File descriptors known only by their number: `/dev/fd/N`, and the three that may be missing at
//! start.
#![allow(unsafe_code)] // A bare number is not an owned descriptor; the system calls below check it.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

/// A duplicate of the inherited descriptor `number`: same open file, same offset. An error if there
/// is none by that number, or if it is one of our own (those are all close-on-exec, and none that
/// survived our own exec is).
pub(super) fn duplicate(number: RawFd) -> io::Result<OwnedFd> {
    if !is_inherited(number) {
        return Err(io::Error::from_raw_os_error(libc::ENOENT)); // as gawk answers for `/dev/fd/9`
    }
    // SAFETY: fcntl checks the number itself.
    let copy = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 3) };
    if copy < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: `copy` was just made by the kernel for us, and nobody else knows of it.
    Ok(unsafe { OwnedFd::from_raw_fd(copy) })
}

/// Closes the inherited descriptor `number` itself: the program said `close("/dev/fd/7")`, and
/// whoever reads the other end is waiting for that. The three standard descriptors stay, as in
/// gawk.
pub(super) fn close_inherited(number: RawFd) {
    if number > 2 && is_inherited(number) {
        // SAFETY: not close-on-exec means that nothing in this process opened it: it came from the
        // parent for the program to use under its number, and the program has just given it
        // up.
        unsafe { libc::close(number) };
    }
}

fn is_inherited(number: RawFd) -> bool {
    // SAFETY: fcntl checks the number itself.
    let flags = unsafe { libc::fcntl(number, libc::F_GETFD) };
    flags >= 0 && (number <= 2 || flags & libc::FD_CLOEXEC == 0)
}

/// Fills the places of standard descriptors that the parent left closed, so that no file of ours
/// takes their number.
///
/// Each gets `/dev/null` opened the wrong way round, so that using it stays the error that it is: a
/// write to a standard output that is closed fails with EBADF and is reported. To be called once at
/// start, before anything is opened. Rust's own start-up code does something similar with
/// `/dev/null` opened both ways, which would make lost output a success; a `main` that goes through
/// it comes too late here.
pub fn fill_standard_descriptors() {
    for (number, wrong_way) in [(0, libc::O_WRONLY), (1, libc::O_RDONLY), (2, libc::O_RDONLY)] {
        // SAFETY: fcntl checks the number; the path is a NUL-terminated literal; open takes the
        // lowest free number, which is `number`, since those below it have just been
        // filled.
        unsafe {
            if libc::fcntl(number, libc::F_GETFD) < 0 {
                libc::open(c"/dev/null".as_ptr(), wrong_way);
            }
        }
    }
}
