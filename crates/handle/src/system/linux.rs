//! Linux and Android.

use riverhawk_system::event::{EventfdFlags, eventfd};
use riverhawk_system::fd::{BorrowedFd, OwnedFd};
use riverhawk_system::io::Errno;
use riverhawk_system::net::SendFlags;
use riverhawk_system::process::{PidfdFlags, pidfd_open};
use riverhawk_system::pty::{OpenptFlags, openpt};
use std::io;
use std::process::Child;

/// Pipes are enlarged to this size in bytes: with the usual 64 KiB, `cat | awk` took twice the
/// time.
const PIPE_SIZE: usize = 1 << 20;

/// For sending without SIGPIPE.
pub(crate) const SEND: SendFlags = SendFlags::NOSIGNAL;

/// A non-blocking descriptor that is readable once bytes have been written to its other end; a
/// system with such descriptors needs no other.
pub(crate) fn signal() -> io::Result<(OwnedFd, Option<OwnedFd>)> {
    Ok((eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?, None))
}

/// A descriptor that becomes readable when the child has ended, if the system has them. The child
/// has not been waited for.
pub(crate) fn child_end(child: &Child) -> io::Result<Option<OwnedFd>> {
    match pidfd_open(super::pid(child)?, PidfdFlags::empty()) {
        Ok(fd) => Ok(Some(fd)),
        // An old kernel, a strict sandbox, or no free descriptor.
        Err(Errno::NOSYS | Errno::PERM | Errno::MFILE | Errno::NFILE) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What the descriptor of [`child_end`] is for a child that has been waited for.
pub(crate) fn ended_child(_: &Child) -> io::Result<Option<OwnedFd>> {
    Ok(Some(eventfd(1, EventfdFlags::CLOEXEC)?))
}

/// A refusal costs only speed.
pub(crate) fn enlarge_pipe(fd: BorrowedFd<'_>) {
    if riverhawk_system::pipe::fcntl_getpipe_size(fd).is_ok_and(|size| size < PIPE_SIZE) {
        let _ = riverhawk_system::pipe::fcntl_setpipe_size(fd, PIPE_SIZE);
    }
}

/// No SIGPIPE: that is said with each call ([`SEND`]).
pub(crate) fn prepare_socket(_: &OwnedFd) -> io::Result<()> {
    Ok(())
}

/// A connection that commands do not inherit.
#[cfg(feature = "network")]
pub(crate) fn accept(listener: &OwnedFd) -> riverhawk_system::io::Result<OwnedFd> {
    riverhawk_system::net::accept_with(listener, riverhawk_system::net::SocketFlags::CLOEXEC)
}

/// A pseudo-terminal that commands do not inherit.
pub(crate) fn open_terminal() -> riverhawk_system::io::Result<OwnedFd> {
    openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)
}
