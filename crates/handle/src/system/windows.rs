//! Windows.

use crate::process::Ended;
use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use riverhawk_system::io::{Errno, ioctl_fionread};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, ExitStatus};

/// A pipe, which waits look at now and then.
pub(crate) fn signal() -> io::Result<(OwnedFd, Option<OwnedFd>)> {
    let (reader, writer) = io::pipe()?;
    Ok((reader.into(), Some(writer.into())))
}

/// Whether a read of the pipe of a signal does not wait.
pub(crate) fn may_read_signal(pipe: BorrowedFd<'_>) -> bool {
    ioctl_fionread(pipe).is_ok_and(|waiting| waiting > 0)
}

/// The numbers that UNIX has for being killed and for being asked to end. A process cannot be asked
/// here: both kill it.
pub(crate) const KILL: i32 = 9;
const ASK: i32 = 15;

/// How a process has ended. Its status has 32 bits.
pub(crate) fn ended(status: ExitStatus) -> Ended {
    Ended::Code(status.code().unwrap_or(0))
}

/// The only thing that can be sent: its end.
pub(crate) struct Kill;

/// The signal of a number.
pub(crate) fn known_signal(number: i32) -> io::Result<Kill> {
    match number {
        KILL | ASK => Ok(Kill),
        _ => Err(Errno::INVAL.into()),
    }
}

/// Kills a child that has not been waited for.
pub(crate) fn send_signal(child: &mut Child, _: Kill) -> io::Result<()> {
    child.kill()
}

/// The process's handle, which is signalled when it has ended.
pub(crate) fn child_end(child: &Child) -> io::Result<Option<OwnedFd>> {
    Ok(Some(child.as_fd().try_clone_to_owned()?))
}

/// As [`child_end`].
pub(crate) fn ended_child(child: &Child) -> io::Result<Option<OwnedFd>> {
    child_end(child)
}

/// The program that runs command lines.
pub(crate) fn shell() -> OsString {
    std::env::var_os("COMSPEC").unwrap_or_else(|| "cmd.exe".into())
}

/// Gives a shell its command line, which it splits itself: nothing in it is quoted once more. `/S`
/// takes away the outer quotes and no others, and `/D` runs nothing before.
pub(crate) fn give_line(shell: &mut Command, line: &OsStr) {
    // Nothing is a remark: without a line some shells wait for one.
    let line = if line.is_empty() { OsStr::new("rem") } else { line };
    let mut quoted = OsString::from("\"");
    quoted.push(line);
    quoted.push("\"");
    shell.args(["/D", "/S", "/C"]).raw_arg(quoted);
}

/// Reads and writes always wait.
pub(crate) fn make_blocking(_: &OwnedFd) -> io::Result<()> {
    Ok(())
}
