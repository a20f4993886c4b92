//! The standard streams, and bytes in memory.

use crate::device::{Descriptor, Device, Keeping};
use crate::error::Name;
use crate::handle::Handle;
use riverhawk_system::io::Errno;
use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A standard stream that could not be queried: every use gives the error.
struct Unusable(Errno);

impl Device for Unusable {
    fn read(&self, _: &mut [u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn write(&self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }
}

fn standard(number: i32, name: Name) -> Handle {
    let device: Arc<dyn Device> = match Descriptor::new(Keeping::Standard(number)) {
        Ok(device) => Arc::new(device),
        Err(error) => Arc::new(Unusable(Errno::from_io_error(&error).unwrap_or(Errno::BADF))),
    };
    if number == 0 {
        return Handle::from_parts(name, Some(device), None, None);
    }
    let handle = Handle::from_parts(name, None, Some(device), None);
    if number == 2 {
        handle.0.lock_write().start_unbuffered();
    }
    handle
}

impl Handle {
    /// The standard input, one handle for the process. The open file is shared with other processes
    /// and left unchanged.
    ///
    /// Closing replaces it by `/dev/null`, opened for the other direction: the peer sees the end,
    /// no other file gets the number, and later use is an error.
    pub fn stdin() -> Self {
        static STDIN: OnceLock<Handle> = OnceLock::new();
        STDIN.get_or_init(|| standard(0, Name::Stdin)).clone()
    }

    /// The standard output, buffered unless a terminal. [`close_all`](crate::close_all) flushes it
    /// at exit.
    pub fn stdout() -> Self {
        static STDOUT: OnceLock<Handle> = OnceLock::new();
        STDOUT.get_or_init(|| standard(1, Name::Stdout)).clone()
    }

    /// The standard error, never buffered.
    pub fn stderr() -> Self {
        static STDERR: OnceLock<Handle> = OnceLock::new();
        STDERR.get_or_init(|| standard(2, Name::Stderr)).clone()
    }

    /// Reads bytes in memory.
    pub fn of_bytes(bytes: impl Into<Vec<u8>>) -> Self {
        struct Memory(Mutex<io::Cursor<Vec<u8>>>);
        impl Device for Memory {
            fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
                io::Read::read(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), buffer)
            }
        }
        let memory: Arc<dyn Device> = Arc::new(Memory(Mutex::new(io::Cursor::new(bytes.into()))));
        Self::from_parts(Name::Other(b"memory"[..].into()), Some(memory), None, None)
    }
}
