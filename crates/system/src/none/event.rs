//! Waiting for descriptors, of which there are none.

use crate::fd::{AsFd, BorrowedFd};
use crate::io::{Errno, Result};
use std::marker::PhantomData;

pub use crate::no_rustix::{PollFlags, Timespec};

/// A descriptor to wait for.
#[derive(Clone, Debug)]
pub struct PollFd<'fd>(PhantomData<&'fd ()>);

impl<'fd> PollFd<'fd> {
    /// Waits for `events` of `fd`, and its end.
    pub fn new<Fd: AsFd>(_: &'fd Fd, _: PollFlags) -> PollFd<'fd> {
        PollFd(PhantomData)
    }

    /// Waits for `events` of `fd`, and its end.
    pub fn from_borrowed_fd(_: BorrowedFd<'fd>, _: PollFlags) -> PollFd<'fd> {
        PollFd(PhantomData)
    }

    /// What has happened.
    pub fn revents(&self) -> PollFlags {
        PollFlags::empty()
    }
}

/// Waits until something has happened to one of them.
///
/// # Errors
/// Always.
pub fn poll(_: &mut [PollFd<'_>], _: Option<&Timespec>) -> Result<usize> {
    Err(Errno::NOTSUP)
}
