//! C's `main` instead of Rust's, which ignores SIGPIPE and opens `/dev/null` for closed standard
//! streams. An awk has to end quietly when its reader ends, let its commands inherit the
//! disposition, and report output to a closed stream.

#[path = "../standard_streams.rs"]
mod standard_streams;

use std::ffi::{CStr, OsStr, OsString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;

use riverhawk_cli::{command, panics};

/// Called by C's start-up.
///
/// # Safety
///
/// `argv` points to at least `argc` pointers to NUL-terminated strings, as C guarantees.
// SAFETY: the only symbol of this name, with C's signature.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn main(argc: c_int, argv: *const *const c_char) -> c_int {
    crate::keep_reserve();
    // `guarded` catches panics, so none unwinds into C.
    let status = panics::guarded(|| {
        standard_streams::fill_gaps();
        // SAFETY: these are the arguments of C's `main`.
        command::run(unsafe { arguments(argc, argv) })
    });
    c_int::from(status)
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
