//! macOS: a descriptor is closed on exec only after it was made, so a command that another thread
//! starts in between inherits it.

use riverhawk_system::fd::{BorrowedFd, OwnedFd};
use riverhawk_system::io::{FdFlags, fcntl_setfd};
use riverhawk_system::net::SendFlags;
use riverhawk_system::pty::{OpenptFlags, openpt};
use std::io;
use std::process::Child;

/// Nothing is said with each call: see [`prepare_socket`].
pub(crate) const SEND: SendFlags = SendFlags::empty();

/// A non-blocking descriptor that is readable once bytes have been written to its other end.
pub(crate) fn signal() -> io::Result<(OwnedFd, Option<OwnedFd>)> {
    let (reader, writer) = riverhawk_system::pipe::pipe()?;
    for end in [&reader, &writer] {
        fcntl_setfd(end, FdFlags::CLOEXEC)?;
        riverhawk_system::io::ioctl_fionbio(end, true)?;
    }
    Ok((reader, Some(writer)))
}

/// No descriptor becomes readable when a child has ended.
pub(crate) fn child_end(_: &Child) -> io::Result<Option<OwnedFd>> {
    Ok(None)
}

/// As [`child_end`].
pub(crate) fn ended_child(_: &Child) -> io::Result<Option<OwnedFd>> {
    Ok(None)
}

/// The system chooses the size.
pub(crate) fn enlarge_pipe(_: BorrowedFd<'_>) {}

/// No SIGPIPE.
pub(crate) fn prepare_socket(socket: &OwnedFd) -> io::Result<()> {
    Ok(riverhawk_system::net::sockopt::set_socket_nosigpipe(socket, true)?)
}

/// A connection that commands do not inherit.
#[cfg(feature = "network")]
pub(crate) fn accept(listener: &OwnedFd) -> riverhawk_system::io::Result<OwnedFd> {
    closed_on_exec(riverhawk_system::net::accept(listener)?)
}

/// A pseudo-terminal that commands do not inherit.
pub(crate) fn open_terminal() -> riverhawk_system::io::Result<OwnedFd> {
    closed_on_exec(openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?)
}

fn closed_on_exec(fd: OwnedFd) -> riverhawk_system::io::Result<OwnedFd> {
    fcntl_setfd(&fd, FdFlags::CLOEXEC)?;
    Ok(fd)
}
