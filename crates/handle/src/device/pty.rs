//! The master side of a child's pseudo-terminal.

use super::{Descriptor, Device, Keeping};
use riverhawk_system::fd::{BorrowedFd, OwnedFd};
use riverhawk_system::io::Errno;
use std::io;

/// A terminal has no half-close: its end-of-file character ends the input, then a newline for a
/// child that reads on, as in gawk.
const END_OF_INPUT: &[u8] = b"\x04\n";

#[derive(Debug)]
pub(crate) struct PtyMaster(Descriptor);

impl PtyMaster {
    pub(crate) fn new(master: OwnedFd) -> io::Result<Self> {
        Ok(Self(Descriptor::new(Keeping::Own(master))?))
    }
}

impl Device for PtyMaster {
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer) {
            // On Linux this is the end: the other side is closed.
            Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => Ok(0),
            result => result,
        }
    }

    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.0.fd()
    }

    fn preferred_buffer(&self) -> usize {
        0
    }

    fn end_writing(&self) -> io::Result<()> {
        match riverhawk_system::io::write(self.0.fd().ok_or(Errno::BADF)?, END_OF_INPUT) {
            // The child has ended, or takes no more input.
            Ok(_) | Err(Errno::IO | Errno::AGAIN) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
