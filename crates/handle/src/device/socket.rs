//! Connected sockets.

use super::Device;
use super::descriptor::MAX_CALL;
use crate::system::{SEND, prepare_socket};
use riverhawk_stream::Room;
use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use riverhawk_system::io::Errno;
use riverhawk_system::net::{RecvFlags, Shutdown, recv, send, shutdown};
use std::io;
use std::os::unix::net::UnixStream;

/// Two sockets that are connected.
pub(crate) fn pair() -> io::Result<(Socket, Socket)> {
    let (one, other) = UnixStream::pair()?;
    Ok((Socket::new(one)?, Socket::new(other)?))
}

#[derive(Debug)]
pub(crate) struct Socket(OwnedFd);

impl Socket {
    pub(crate) fn new(fd: impl Into<OwnedFd>) -> io::Result<Self> {
        prepared(fd.into()).map(Self)
    }
}

/// No call blocks in the system, where it could not be ended, or sends SIGPIPE.
pub(crate) fn prepared(fd: OwnedFd) -> io::Result<OwnedFd> {
    riverhawk_system::io::ioctl_fionbio(&fd, true)?;
    prepare_socket(&fd)?;
    Ok(fd)
}

impl Device for Socket {
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = buffer.len().min(MAX_CALL);
        Ok(recv(&self.0, &mut buffer[..room], RecvFlags::empty())?.0)
    }

    fn read_room(&self, room: &mut Room<'_>) -> io::Result<usize> {
        room.read_fd(&self.0)
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        Ok(send(&self.0, &bytes[..bytes.len().min(MAX_CALL)], SEND)?)
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        Some(self.0.as_fd())
    }

    fn end_writing(&self) -> io::Result<()> {
        match shutdown(&self.0, Shutdown::Write) {
            // The peer closed first.
            Ok(()) | Err(Errno::NOTCONN) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
