//! WASI.

use riverhawk_system::fd::{BorrowedFd, OwnedFd};
use std::ffi::OsString;
use std::io;

/// No descriptor that another thread could make readable: waits look up now and then.
pub(crate) fn signal() -> io::Result<(OwnedFd, Option<OwnedFd>)> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Never asked for: there are no signals.
pub(crate) fn may_read_signal(_: BorrowedFd<'_>) -> bool {
    false
}

/// Never started.
pub(crate) fn shell() -> OsString {
    "sh".into()
}
