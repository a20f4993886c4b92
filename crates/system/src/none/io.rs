//! Reading and writing, which are errors.

use crate::buffer::Buffer;
use crate::fd::{AsFd, OwnedFd, RawFd};

pub use super::errno::Errno;

/// Of a call of the system.
pub type Result<T> = std::result::Result<T, Errno>;

/// Runs `call` again as long as it is interrupted, which is never.
///
/// # Errors
/// Those of `call`.
pub fn retry_on_intr<T>(mut call: impl FnMut() -> Result<T>) -> Result<T> {
    call()
}

/// Reads once.
///
/// # Errors
/// Always.
pub fn read<B: Buffer>(_: impl AsFd, _: B) -> Result<B::Output> {
    Err(Errno::NOTSUP)
}

/// Reads once at an offset.
///
/// # Errors
/// Always.
pub fn pread<B: Buffer>(_: impl AsFd, _: B, _: u64) -> Result<B::Output> {
    Err(Errno::NOTSUP)
}

/// Writes once.
///
/// # Errors
/// Always.
pub fn write(_: impl AsFd, _: &[u8]) -> Result<usize> {
    Err(Errno::NOTSUP)
}

/// A second descriptor of the same open file.
///
/// # Errors
/// Always.
pub fn fcntl_dupfd_cloexec(_: impl AsFd, _: RawFd) -> Result<OwnedFd> {
    Err(Errno::NOTSUP)
}

/// Calls that do not block.
///
/// # Errors
/// Always.
pub fn ioctl_fionbio(_: impl AsFd, _: bool) -> Result<()> {
    Err(Errno::NOTSUP)
}

/// How many bytes wait.
///
/// # Errors
/// Always.
pub fn ioctl_fionread(_: impl AsFd) -> Result<u64> {
    Err(Errno::NOTSUP)
}

/// Closes a descriptor.
///
/// # Errors
/// Always.
///
/// # Safety
/// None is asked for: a number leads nowhere.
pub unsafe fn try_close(_: RawFd) -> Result<()> {
    Err(Errno::NOTSUP)
}
