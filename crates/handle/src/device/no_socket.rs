//! Where there are no sockets.

use super::Device;
use std::convert::Infallible;
use std::io;

#[derive(Debug)]
pub(crate) struct Socket(Infallible);

/// Two sockets that are connected.
pub(crate) fn pair() -> io::Result<(Socket, Socket)> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this platform has no sockets"))
}

impl Device for Socket {
    fn preferred_buffer(&self) -> usize {
        match self.0 {}
    }
}
