//! The binary `rhawk`: C's `main` instead of Rust's, whose start-up ignores SIGPIPE and opens
//! `/dev/null` for closed standard streams. An awk has to end quietly when its reader goes away,
//! let its commands inherit the disposition, and report output that goes nowhere.
#![no_main]

mod standard_streams;

use std::alloc::System;
use std::ffi::{CStr, OsStr, OsString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;

use riverhawk_cli::{command, panics};
use riverhawk_memory::{self as memory, Checked};

/// The system's allocator; a reserve covers what it refuses.
#[global_allocator]
static ALLOCATOR: Checked<System> = Checked(System);

/// Where C's start-up enters.
///
/// # Safety
///
/// `argv` points to at least `argc` pointers to strings that end in NUL, as C guarantees for the
/// arguments of `main`.
// SAFETY: the only symbol of this name, with the signature that C prescribes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn main(argc: c_int, argv: *const *const c_char) -> c_int {
    memory::keep_reserve(without_memory);
    // No panic can pass `guarded`, so none unwinds into C.
    let status = panics::guarded(|| {
        standard_streams::fill_gaps();
        // SAFETY: these are the arguments of C's `main`.
        command::run(unsafe { arguments(argc, argv) })
    });
    c_int::from(status)
}

/// The end of a process without memory even for the message with the place.
fn without_memory() -> ! {
    let message = b"rhawk: error: out of memory\n";
    // SAFETY: the message is so long; ending the process needs nothing.
    unsafe {
        libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
        libc::_exit(2)
    }
}

/// Copies the arguments.
///
/// # Safety
///
/// As for [`main`].
unsafe fn arguments(argc: c_int, argv: *const *const c_char) -> Vec<OsString> {
    let count = usize::try_from(argc).unwrap_or(0);
    let argument = |at| {
        // SAFETY: `at` is below `argc`, and the string is C's.
        let string = unsafe { CStr::from_ptr(*argv.add(at)) };
        OsStr::from_bytes(string.to_bytes()).to_os_string()
    };
    (0..count).map(argument).collect()
}
