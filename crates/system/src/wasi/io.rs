//! Reading and writing.

use crate::fd::{AsFd, OwnedFd, RawFd};

pub use rustix::io::*;

/// A second descriptor of the same open file: there are none.
///
/// # Errors
/// Always.
pub fn fcntl_dupfd_cloexec(_: impl AsFd, _: RawFd) -> Result<OwnedFd> {
    Err(Errno::NOTSUP)
}
