//! What lies below a handle.

mod descriptor;
mod pty;
mod socket;

pub(crate) use descriptor::{Descriptor, Keeping};
pub(crate) use pty::PtyMaster;
pub(crate) use socket::{Datagram, Socket};

use riverhawk_stream::Room;
use std::io::{self, Read, SeekFrom};
use std::os::fd::BorrowedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where a read that finds nothing waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// In the handle, which another thread can end.
    InHandle,
    /// In the system call itself: one call less for each wait.
    InCall,
}

/// Something bytes come from, go to, or both. [`Handle::of_device`](crate::Handle::of_device) makes
/// a full handle of it.
///
/// Reading and writing happen at the same time, from different threads, but no method is called
/// twice at once.
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
    /// Reads once, at most as much as there is room for; 0 is the end.
    ///
    /// # Errors
    /// [`WouldBlock`](io::ErrorKind::WouldBlock) makes the handle wait for [`fd`](Device::fd) and
    /// call again, [`Interrupted`](io::ErrorKind::Interrupted) call again at once; everything else
    /// is reported.
    fn read(&self, buffer: &mut [u8]) -> io::Result<usize> {
        let _ = buffer;
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Writes once and says how much of `bytes` was taken.
    ///
    /// # Errors
    /// As [`read`](Device::read).
    fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        let _ = bytes;
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Whether it is certain without a read that nothing more can be read. Not asked after a read
    /// of 0.
    ///
    /// # Errors
    /// If it cannot be said.
    fn is_at_end(&self) -> io::Result<bool> {
        Ok(false)
    }

    /// As [`read`](Device::read), into memory that is not cleared.
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

    /// What to wait for when reading or writing would block; without it the device blocks by
    /// itself.
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// Changes where reads wait from now on. What cannot do that goes on as it is.
    fn set_wait(&self, wait: Wait) {
        let _ = wait;
    }

    /// Whether the end is final. A terminal has more after it, a file may grow.
    fn ends_for_good(&self) -> bool {
        true
    }

    /// Moves the position that reading and writing share, and returns the new one.
    ///
    /// # Errors
    /// [`NotSeekable`](io::ErrorKind::NotSeekable) if there is none.
    fn seek(&self, to: SeekFrom) -> io::Result<u64> {
        let _ = to;
        Err(io::ErrorKind::NotSeekable.into())
    }

    /// Whether [`seek`](Device::seek) works.
    fn is_seekable(&self) -> bool {
        false
    }

    /// The size of output blocks; 0 for what a person or a peer waits for.
    fn preferred_buffer(&self) -> usize {
        crate::DEFAULT_BUFFER
    }

    /// Tells the other side that nothing more will be written, while reading goes on.
    ///
    /// # Errors
    /// What the system says.
    fn end_writing(&self) -> io::Result<()> {
        Ok(())
    }

    /// Forces what was written to the disk, if there is one.
    ///
    /// # Errors
    /// What the system says.
    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    /// Gives up what dropping does not (a standard stream's number).
    ///
    /// # Errors
    /// What the system says.
    fn close(&self) -> io::Result<()> {
        Ok(())
    }
}

/// The device of one direction, until that is closed. The lock is never held during a call; the
/// device is released when the last call is over.
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
