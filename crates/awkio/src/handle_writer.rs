//! Unbuffered writing to a handle, and the system error inside a handle's error.

use riverhawk_handle::{ErrorKind, Handle};
use riverhawk_system::io::Errno;
use std::error::Error as _;
use std::io::{self, Write};

/// The sink already buffers.
pub(super) struct Unbuffered(Handle);

impl Unbuffered {
    pub(super) fn new(handle: Handle) -> Unbuffered {
        // The buffer is still empty, so this cannot fail.
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

fn is_unsupported(error: &riverhawk_handle::Error) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    source.is_some_and(|source| source.kind() == io::ErrorKind::Unsupported)
}

/// Unwraps the system's error, for its message and number.
pub(super) fn system_error(error: riverhawk_handle::Error) -> io::Error {
    match error.raw_os_error() {
        Some(number) => io::Error::from_raw_os_error(number),
        None if error.kind() == ErrorKind::TimedOut => Errno::TIMEDOUT.into(),
        // The words alone, as those of the system: the caller names what it was for.
        None if is_unsupported(&error) => {
            io::Error::new(io::ErrorKind::Unsupported, error.reason())
        }
        None => error.into(),
    }
}
