//! Systems that are no UNIX, as far as they agree.

use riverhawk_system::fd::{BorrowedFd, OwnedFd};
use std::io;

/// No descriptor that another thread could make readable: waits look up now and then.
pub(crate) fn signal() -> io::Result<(OwnedFd, Option<OwnedFd>)> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The system chooses the size.
pub(crate) fn enlarge_pipe(_: BorrowedFd<'_>) {}

/// Never called: there are no sockets.
pub(crate) fn end_sending(_: BorrowedFd<'_>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The stream stays open as long as the process: no other file can get its number.
pub(crate) fn give_up_standard(_: i32) -> io::Result<()> {
    Ok(())
}
