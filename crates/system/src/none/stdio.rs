//! The standard streams, which lead nowhere.

use crate::fd::BorrowedFd;

/// Standard input.
pub fn stdin() -> BorrowedFd<'static> {
    BorrowedFd::of(0)
}

/// Standard output.
pub fn stdout() -> BorrowedFd<'static> {
    BorrowedFd::of(1)
}

/// Standard error.
pub fn stderr() -> BorrowedFd<'static> {
    BorrowedFd::of(2)
}
