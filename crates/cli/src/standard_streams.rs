//! Closed standard streams.
//!
//! A file opened in a process with descriptor 0, 1 or 2 closed would get that number and receive
//! output or messages. As in gawk, each gap is filled with `/dev/null` opened the wrong way round,
//! so that reading and writing still fail with "Bad file descriptor".

use std::ffi::c_int;

/// Fills the gaps. Costs three system calls when there are none.
pub fn fill_gaps() {
    for (descriptor, wrong_way) in [(0, libc::O_WRONLY), (1, libc::O_RDONLY), (2, libc::O_RDONLY)] {
        if !is_open(descriptor) {
            // The lowest free number is given out: this one.
            open_null(wrong_way);
        }
    }
}

fn is_open(descriptor: c_int) -> bool {
    // SAFETY: F_GETFD takes any number and touches no memory.
    unsafe { libc::fcntl(descriptor, libc::F_GETFD) != -1 }
}

fn open_null(flags: c_int) {
    // SAFETY: the path is a string that ends in NUL; no mode is read without O_CREAT. A failure
    // leaves the gap as it was.
    unsafe { libc::open(c"/dev/null".as_ptr(), flags) };
}
