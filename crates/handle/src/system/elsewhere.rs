//! What no system has that is no UNIX.

use riverhawk_system::fd::BorrowedFd;
use std::io;

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
