//! Writing to a handle without a block of its own, and the system's error inside a handle's.

use riverhawk_handle::{ErrorKind, Handle};
use std::io::{self, Write};

/// Writes to a handle without holding anything back: the sink before it does.
pub(super) struct Unbuffered(Handle);

impl Unbuffered {
    pub(super) fn new(handle: Handle) -> Unbuffered {
        // There is nothing in it yet whose writing could fail.
        let _ = handle.set_buffer(0);
        Unbuffered(handle)
    }
}

impl Write for Unbuffered {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(system_error)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The system's error inside a handle's, so that it is told in the system's words and its number is
/// known.
pub(super) fn system_error(error: riverhawk_handle::Error) -> io::Error {
    match error.raw_os_error() {
        Some(number) => io::Error::from_raw_os_error(number),
        None if error.kind() == ErrorKind::TimedOut => {
            io::Error::from_raw_os_error(libc::ETIMEDOUT)
        }
        None => error.into(),
    }
}
