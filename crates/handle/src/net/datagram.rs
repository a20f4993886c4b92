//! Packets.

use crate::device::{Device, prepared};
use crate::system::SEND;
use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use riverhawk_system::net::{RecvFlags, recv, send};
use std::io;

/// A connected UDP socket: a packet per read and write.
#[derive(Debug)]
pub(crate) struct Datagram(OwnedFd);

impl Datagram {
    pub(crate) fn new(fd: impl Into<OwnedFd>) -> io::Result<Self> {
        prepared(fd.into()).map(Self)
    }
}

impl Device for Datagram {
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match recv(&self.0, &mut *buffer, RecvFlags::empty())?.0 {
                // UDP has no end: this is an empty packet.
                0 => {}
                count => return Ok(count),
            }
        }
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        // A packet that does not fit fails with EMSGSIZE.
        Ok(send(&self.0, bytes, SEND)?)
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        Some(self.0.as_fd())
    }

    fn preferred_buffer(&self) -> usize {
        0
    }
}
