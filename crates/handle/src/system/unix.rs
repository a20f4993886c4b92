//! What all UNIX systems have.

use riverhawk_system::fd::BorrowedFd;
use riverhawk_system::fs::{Mode, OFlags};
use riverhawk_system::io::Errno;
use riverhawk_system::net::{Shutdown, shutdown};
use riverhawk_system::stdio;
use std::io;

/// Signals a socket's peer that nothing more is sent.
pub(crate) fn end_sending(socket: BorrowedFd<'_>) -> io::Result<()> {
    match shutdown(socket, Shutdown::Write) {
        // The peer closed first.
        Ok(()) | Err(Errno::NOTCONN) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// `/dev/null`, opened for the other direction, takes a standard stream's number: the peer sees the
/// end, no other file gets the number, and later use is an error.
pub(crate) fn give_up_standard(number: i32) -> io::Result<()> {
    let wrong_way = if number == 0 { OFlags::WRONLY } else { OFlags::RDONLY };
    let flags = wrong_way | OFlags::CLOEXEC;
    let nothing = riverhawk_system::fs::open(c"/dev/null", flags, Mode::empty())?;
    match number {
        0 => stdio::dup2_stdin(&nothing)?,
        1 => stdio::dup2_stdout(&nothing)?,
        _ => stdio::dup2_stderr(&nothing)?,
    }
    Ok(())
}
