//! Closed standard streams.
//!
//! A file opened while descriptor 0, 1 or 2 is closed would get that number and receive output or
//! messages. As in gawk, each gap is filled with `/dev/null` opened for the other direction, so
//! that uses still fail with "Bad file descriptor".

use std::ffi::c_int;

/// Three system calls if there are no gaps.
pub fn fill_gaps() {
    for (descriptor, wrong_way) in [(0, libc::O_WRONLY), (1, libc::O_RDONLY), (2, libc::O_RDONLY)] {
        if !is_open(descriptor) {
            // The lowest free number is assigned: this one.
            open_null(wrong_way);
        }
    }
}

fn is_open(descriptor: c_int) -> bool {
    // SAFETY: F_GETFD takes any number and touches no memory.
    unsafe { libc::fcntl(descriptor, libc::F_GETFD) != -1 }
}

fn open_null(flags: c_int) {
    // SAFETY: the path ends in NUL; without O_CREAT no mode is read. A failure changes nothing.
    unsafe { libc::open(c"/dev/null".as_ptr(), flags) };
}
