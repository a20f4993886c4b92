//! The standard streams.
#![allow(unsafe_code)] // Handles that live as long as the process.

use crate::fd::BorrowedFd;
use std::os::windows::io::{AsRawHandle, RawHandle};

/// Standard input.
pub fn stdin() -> BorrowedFd<'static> {
    for_good(std::io::stdin().as_raw_handle())
}

/// Standard output.
pub fn stdout() -> BorrowedFd<'static> {
    for_good(std::io::stdout().as_raw_handle())
}

/// Standard error.
pub fn stderr() -> BorrowedFd<'static> {
    for_good(std::io::stderr().as_raw_handle())
}

fn for_good(handle: RawHandle) -> BorrowedFd<'static> {
    // SAFETY: nothing in the process closes a standard stream. Without one the handle is null,
    // which `BorrowedHandle` may be, and which every call refuses.
    unsafe { BorrowedFd::borrow_raw(handle) }
}
