//! What all UNIX systems have.

use riverhawk_system::fd::{BorrowedFd, OwnedFd};
use riverhawk_system::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl};
use riverhawk_system::io::Errno;
use riverhawk_system::net::{Shutdown, shutdown};
use riverhawk_system::process::{Pid, Signal, kill_process};
use riverhawk_system::stdio;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};

use crate::process::Ended;

/// The signal that ends a process in any case.
pub(crate) const KILL: i32 = libc::SIGKILL;

/// How a process has ended.
pub(crate) fn ended(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Code(code),
        (None, signal) => Ended::Signal { number: signal.unwrap_or(0), core: status.core_dumped() },
    }
}

/// The number of a child.
pub(crate) fn pid(child: &Child) -> io::Result<Pid> {
    let number = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    number.ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// The signal of a number.
pub(crate) fn known_signal(number: i32) -> io::Result<Signal> {
    Signal::from_named_raw(number).ok_or_else(|| Errno::INVAL.into())
}

/// Sends a signal to a child that has not been waited for.
pub(crate) fn send_signal(child: &mut Child, signal: Signal) -> io::Result<()> {
    Ok(kill_process(pid(child)?, signal)?)
}

/// Whether a read of the descriptor of a signal does not wait: none does.
pub(crate) fn may_read_signal(_: BorrowedFd<'_>) -> bool {
    true
}

/// The program that runs command lines.
pub(crate) fn shell() -> OsString {
    "/bin/sh".into()
}

/// Gives a shell its command line.
pub(crate) fn give_line(shell: &mut Command, line: &OsStr) {
    // It may begin with a dash. The name is the one in the shell's messages.
    shell.args(["-c", "--"]).arg(line).arg0("sh");
}

/// A descriptor that a child may have: its reads and writes wait.
pub(crate) fn make_blocking(fd: &OwnedFd) -> io::Result<()> {
    Ok(fcntl_setfl(fd, fcntl_getfl(fd)?.difference(OFlags::NONBLOCK))?)
}

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
