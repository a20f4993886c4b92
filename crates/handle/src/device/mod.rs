//! What a handle reads and writes.

mod descriptor;
#[cfg(unix)]
mod pty;
#[cfg_attr(not(unix), path = "no_socket.rs")]
mod socket;

pub(crate) use descriptor::{Descriptor, Keeping};
#[cfg(unix)]
pub(crate) use pty::PtyMaster;
#[cfg(all(unix, feature = "network"))]
pub(crate) use socket::Socket;
pub(crate) use socket::pair;
#[cfg(all(unix, feature = "network"))]
pub(crate) use socket::prepared;

use riverhawk_stream::Room;
use riverhawk_system::fd::BorrowedFd;
use std::io::{self, Read, SeekFrom};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where a read without data waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// In the handle, where another thread can end it.
    InHandle,
    /// In the system call: one call less per wait.
    InCall,
}

/// A source or sink of bytes, or both. [`Handle::of_device`](crate::Handle::of_device) makes it a
/// handle.
///
/// Reads and writes happen at the same time, from different threads, but no method runs twice at
/// once.
///
/// ```
/// use riverhawk_handle::{Device, Handle};
/// use std::sync::Mutex;
///
/// /// Gives a text byte by byte.
/// struct Drip(Mutex<Vec<u8>>);
///
/// impl Device for Drip {
///     fn read(&self, buffer: &mut [u8]) -> std::io::Result<usize> {
///         let mut left = self.0.lock().unwrap();
///         if left.is_empty() || buffer.is_empty() {
///             return Ok(0);
///         }
///         buffer[0] = left.remove(0);
///         Ok(1)
///     }
/// }
///
/// let handle = Handle::of_device("a drip", Some(Drip(Mutex::new("Füße\nx".into()))), None::<Drip>);
/// assert_eq!(handle.read_line()?.as_deref(), Some("Füße"));
/// assert_eq!(handle.read_line()?.as_deref(), Some("x"));
/// assert!(handle.is_at_end()?);
/// # Ok::<(), riverhawk_handle::Error>(())
/// ```
pub trait Device: Send + Sync {
    /// Reads once, at most into all of `buffer`; 0 is the end.
    ///
    /// # Errors
    /// After [`WouldBlock`](io::ErrorKind::WouldBlock) the handle waits for [`fd`](Device::fd) and
    /// repeats the call, after [`Interrupted`](io::ErrorKind::Interrupted) it repeats at once;
    /// other errors are reported.
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let _ = buffer;
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Writes once; gives how many bytes were taken.
    ///
    /// # Errors
    /// As [`read`](Device::read).
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let _ = bytes;
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Whether the end is certain without a read. Not called after a read of 0.
    ///
    /// # Errors
    /// If it cannot be determined.
    fn is_at_end(&self) -> io::Result<bool> {
        Ok(false)
    }

    /// As [`read`](Device::read), into uninitialised memory.
    ///
    /// # Errors
    /// As [`read`](Device::read).
    fn read_room(&self, room: &mut Room<'_>) -> io::Result<usize> {
        struct Reading<'a, D: ?Sized>(&'a D);
        impl<D: Device + ?Sized> Read for Reading<'_, D> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0.read(buffer)
            }
        }
        room.read_from(&mut Reading(self))
    }

    /// What to wait for when a call would block; a device without it blocks itself.
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// Changes where later reads wait, if possible.
    fn set_wait(&self, wait: Wait) {
        let _ = wait;
    }

    /// Whether the end is final: not for a terminal, or a file that may grow.
    fn ends_for_good(&self) -> bool {
        true
    }

    /// Moves the position shared by reading and writing; gives the new one.
    ///
    /// # Errors
    /// [`NotSeekable`](io::ErrorKind::NotSeekable) without a position.
    fn seek(&self, to: SeekFrom) -> io::Result<u64> {
        let _ = to;
        Err(io::ErrorKind::NotSeekable.into())
    }

    /// Whether [`seek`](Device::seek) works.
    fn is_seekable(&self) -> bool {
        false
    }

    /// Size of output blocks; 0 for a person or a waiting peer.
    fn preferred_buffer(&self) -> usize {
        crate::DEFAULT_BUFFER
    }

    /// Signals the end of writing to the peer; reading goes on.
    ///
    /// # Errors
    /// Those of the system.
    fn end_writing(&self) -> io::Result<()> {
        Ok(())
    }

    /// Forces written data to the disk, if there is one.
    ///
    /// # Errors
    /// Those of the system.
    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    /// Releases what dropping does not (a standard stream's number).
    ///
    /// # Errors
    /// Those of the system.
    fn close(&self) -> io::Result<()> {
        Ok(())
    }
}

/// The device of one open direction. The lock is never held during a call; the device is released
/// after the last call.
#[derive(Default)]
pub(crate) struct Slot(Mutex<Option<Arc<dyn Device>>>);

impl Slot {
    pub(crate) fn new(device: Option<Arc<dyn Device>>) -> Self {
        Self(Mutex::new(device))
    }

    fn locked(&self) -> MutexGuard<'_, Option<Arc<dyn Device>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self) -> Option<Arc<dyn Device>> {
        self.locked().clone()
    }

    pub(crate) fn take(&self) -> Option<Arc<dyn Device>> {
        self.locked().take()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.locked().is_none()
    }
}
