//! The command with an allocator that fails: `SCARCE_FAIL_AT=n` refuses the n-th request of the
//! process and all after it until the reserve has been given back, with `SCARCE_ONCE` only the
//! n-th. `SCARCE_COUNT=file` receives the number of requests.
#![no_main]

// The command's own `main` would include its allocator.
#[path = "../../../crates/cli/src/standard_streams.rs"]
mod standard_streams;

use riverhawk_cli::{command, panics};
use riverhawk_memory::{self as memory, Checked};
use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::{CStr, OsStr, OsString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

static FAIL_AT: AtomicUsize = AtomicUsize::new(usize::MAX);
static ONCE: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicUsize = AtomicUsize::new(0);

struct Scarce;

fn refuses() -> bool {
    let (number, at) = (COUNT.fetch_add(1, Relaxed), FAIL_AT.load(Relaxed));
    number == at || number > at && !ONCE.load(Relaxed) && memory::has_reserve()
}

// SAFETY: every block is one of the other allocator's.
unsafe impl GlobalAlloc for Scarce {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        if refuses() { null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() && refuses() {
            return null_mut();
        }
        // SAFETY: the caller's promise.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static SCARCE: Checked<Scarce> = Checked(Scarce);

fn without_memory() -> ! {
    let message = b"rhawk: error: out of memory, and none for the place\n";
    // SAFETY: the pointer and the length are the message's.
    unsafe {
        libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
        libc::_exit(2)
    }
}

/// The entry point of C's start-up.
///
/// # Safety
///
/// `argv` points to `argc` strings that end in NUL, as C guarantees for `main`.
// SAFETY: the only symbol of this name, with the signature that C prescribes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn main(argc: c_int, argv: *const *const c_char) -> c_int {
    let number = std::env::var("SCARCE_FAIL_AT").ok().and_then(|number| number.parse().ok());
    let count_to = std::env::var_os("SCARCE_COUNT");
    ONCE.store(std::env::var_os("SCARCE_ONCE").is_some(), Relaxed);
    memory::keep_reserve(without_memory);
    let status = panics::guarded(|| {
        standard_streams::fill_gaps();
        let argument = |at| {
            // SAFETY: `at` is below `argc`, and the string is C's.
            let string = unsafe { CStr::from_ptr(*argv.add(at)) };
            OsStr::from_bytes(string.to_bytes()).to_os_string()
        };
        let arguments: Vec<OsString> =
            (0..usize::try_from(argc).unwrap_or(0)).map(argument).collect();
        COUNT.store(0, Relaxed);
        FAIL_AT.store(number.unwrap_or(usize::MAX), Relaxed);
        command::run(arguments)
    });
    FAIL_AT.store(usize::MAX, Relaxed);
    if let Some(path) = count_to {
        let _ = std::fs::write(path, COUNT.load(Relaxed).to_string());
    }
    c_int::from(status)
}
