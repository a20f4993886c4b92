//! [`Handle`]: two directions over devices, each with its own lock, and how they are closed.

mod lock;
mod open;
mod position;
mod read;
mod reader;
mod source;
mod write;
mod writer;

pub use lock::LockKind;
pub use open::OpenOptions;
pub use read::{Awaited, Lines};
pub use reader::Reader;
pub use source::HandleSource;
pub use writer::Writer;

use crate::device::{Descriptor, Device, Keeping};
use crate::error::{Action, Error, ErrorKind, Name};
use crate::gate::Interest;
use crate::process::{Child, Ended};
use crate::read_side::{ReadShared, ReadSide, Reading};
use crate::registry;
use crate::write_side::{WriteShared, WriteSide, Writing};
use riverhawk_system::fd::OwnedFd;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A file, pipe, child process, socket, terminal or standard stream that is read, written, or both.
///
/// Clones are the same handle. Any thread may use it, and reads and writes do not wait for each
/// other. Dropping the last clone closes it, but only [`close_all`](crate::close_all) then reports
/// a failure: [`close`](Handle::close) it.
#[derive(Clone)]
pub struct Handle(pub(crate) Arc<Inner>);

/// Lock order: `read` before `write` before `child`.
pub(crate) struct Inner {
    pub(crate) id: u64,
    pub(crate) name: Name,
    pub(crate) read_shared: ReadShared,
    pub(crate) write_shared: WriteShared,
    pub(crate) read: Mutex<ReadSide>,
    pub(crate) write: Mutex<WriteSide>,
    /// Both directions share one file position: writing gives back what was read ahead, reading
    /// flushes. Such a file never blocks, so both locks may be taken.
    pub(crate) one_position: bool,
    pub(crate) child: Mutex<Option<Child>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A device or encoding may panic: buffers are consistent before it is called.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Inner {
    pub(crate) fn reading(&self) -> Reading<'_> {
        Reading { name: &self.name, shared: &self.read_shared, waits: true }
    }

    pub(crate) fn writing(&self, action: Action) -> Writing<'_> {
        Writing { name: &self.name, shared: &self.write_shared, action }
    }

    pub(crate) fn lock_read(&self) -> MutexGuard<'_, ReadSide> {
        locked(&self.read)
    }

    pub(crate) fn lock_write(&self) -> MutexGuard<'_, WriteSide> {
        locked(&self.write)
    }

    /// With `half`, reading goes on and the peer sees the end.
    fn end_writing(&self, half: bool) -> Result<(), Error> {
        let who = self.writing(Action::Close);
        let mut side = self.lock_write();
        let flushed = side.flush(who);
        self.write_shared.gate.shut();
        let Some(device) = self.write_shared.device.take() else { return flushed };
        let ended = if half { device.end_writing() } else { Ok(()) };
        flushed?;
        ended.map_err(|source| Error::system(&self.name, Action::Close, source))
    }

    fn end_reading(&self) {
        self.read_shared.gate.shut();
        let mut side = self.lock_read();
        side.discard();
        drop(self.read_shared.device.take());
    }

    fn close(
        &self,
        wait: impl FnOnce(Child) -> Result<Option<Ended>, Error>,
    ) -> Result<Option<Ended>, Error> {
        // The reader may hold a lock until its wait ends.
        self.read_shared.gate.shut();
        let any = self.write_shared.device.get().or_else(|| self.read_shared.device.get());
        let written = self.end_writing(false);
        // A child that has closed its terminal is about to end. Closing our side now could end it
        // by SIGHUP first: close later.
        let ended_terminal = Some(self.lock_read())
            .filter(|side| side.saw_end)
            .and_then(|_| self.read_shared.device.get());
        self.end_reading();
        registry::forget(self.id);
        // Dropped before waiting for the child, which waits for the end of its input.
        let released = any.map_or(Ok(()), |device| device.close());
        let child = locked(&self.child).take();
        let ended = child.map(wait);
        drop(ended_terminal);
        written?;
        released.map_err(|source| Error::system(&self.name, Action::Close, source))?;
        ended.unwrap_or(Ok(None))
    }

    fn is_closed(&self) -> bool {
        self.read_shared.gate.is_shut() && self.write_shared.gate.is_shut()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.is_closed() {
            return;
        }
        // A drop must not block: the dispatcher collects the child.
        self.read_shared.gate.shut();
        let written = self.end_writing(false);
        self.end_reading();
        registry::forget(self.id);
        if let Err(error) = written {
            registry::keep(error);
        }
    }
}

impl Handle {
    pub(crate) fn from_parts(
        name: Name,
        read: Option<Arc<dyn Device>>,
        write: Option<Arc<dyn Device>>,
        child: Option<Child>,
    ) -> Self {
        let seekable = |device: &Option<Arc<dyn Device>>| {
            device.as_ref().is_some_and(|device| device.is_seekable())
        };
        let one_position = seekable(&read) && seekable(&write);
        let handle = Self(Arc::new(Inner {
            id: registry::next_id(),
            name,
            one_position,
            read: Mutex::new(ReadSide::new()),
            write: Mutex::new(WriteSide::new(
                write.as_ref().map_or(0, |device| device.preferred_buffer()),
            )),
            read_shared: ReadShared::new(read),
            write_shared: WriteShared::new(write),
            child: Mutex::new(child),
        }));
        let inner: Arc<registry::Shared> = handle.0.clone();
        registry::remember(handle.0.id, Arc::downgrade(&inner));
        handle
    }

    /// A handle over custom devices: see [`Device`].
    pub fn of_device<R: Device + 'static, W: Device + 'static>(
        name: &str,
        read: Option<R>,
        write: Option<W>,
    ) -> Self {
        Self::from_parts(
            Name::Other(name.as_bytes().into()),
            read.map(|device| Arc::new(device) as Arc<dyn Device>),
            write.map(|device| Arc::new(device) as Arc<dyn Device>),
            None,
        )
    }

    /// A handle over one device for both directions.
    pub fn of_duplex_device(name: &str, device: impl Device + 'static) -> Self {
        Self::over(Name::Other(name.as_bytes().into()), Arc::new(device))
    }

    pub(crate) fn over(name: Name, device: Arc<dyn Device>) -> Self {
        Self::from_parts(name, Some(Arc::clone(&device)), Some(device), None)
    }

    /// A handle over an existing descriptor. Other processes may share the open file, so it stays
    /// blocking.
    ///
    /// # Errors
    /// The system knows no such descriptor.
    ///
    /// ```
    /// use riverhawk_handle::Handle;
    /// use std::io::Write;
    /// let (reader, mut writer) = std::io::pipe()?;
    /// let handle = Handle::from_fd("a pipe", reader)?;
    /// writer.write_all(b"one\n")?;
    /// assert_eq!(handle.read_line()?.as_deref(), Some("one"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_fd(name: &str, fd: impl Into<OwnedFd>) -> Result<Self, Error> {
        Self::of_fd(Name::Other(name.as_bytes().into()), fd.into(), Keeping::Shared)
    }

    /// As [`from_fd`](Handle::from_fd), for an unshared open file: it becomes non-blocking, which
    /// saves a system call for each read and makes a blocked write cancellable.
    ///
    /// # Errors
    /// The system knows no such descriptor.
    pub fn from_own_fd(name: &str, fd: impl Into<OwnedFd>) -> Result<Self, Error> {
        Self::of_fd(Name::Other(name.as_bytes().into()), fd.into(), Keeping::Own)
    }

    pub(crate) fn of_fd(
        name: Name,
        fd: OwnedFd,
        keeping: fn(OwnedFd) -> Keeping,
    ) -> Result<Self, Error> {
        let open = |source| Error::system(&name, Action::Open, source);
        let flags = riverhawk_system::fs::fcntl_getfl(&fd).map_err(|errno| open(errno.into()))?;
        let device = Descriptor::new(keeping(fd)).map_err(open)?;
        let device: Arc<dyn Device> = Arc::new(device);
        let mode = flags & riverhawk_system::fs::OFlags::ACCMODE;
        let read = (mode != riverhawk_system::fs::OFlags::WRONLY).then(|| Arc::clone(&device));
        let write = (mode != riverhawk_system::fs::OFlags::RDONLY).then_some(device);
        Ok(Self::from_parts(name, read, write, None))
    }

    /// The handle's name in messages.
    pub fn name(&self) -> &Name {
        &self.0.name
    }

    /// Closes both directions: ends blocked reads with [`ErrorKind::Closed`], flushes, waits for a
    /// process at the other end and gives its exit status. Closing again does nothing.
    ///
    /// # Errors
    /// Those of the last flush or the system. The handle is closed nevertheless.
    pub fn close(&self) -> Result<Option<Ended>, Error> {
        self.close_with(|child| child.wait().map(Some))
    }

    /// As [`close`](Handle::close), but `wait` waits for the process.
    ///
    /// # Errors
    /// As [`close`](Handle::close), and what `wait` says.
    pub fn close_with(
        &self,
        wait: impl FnOnce(Child) -> Result<Option<Ended>, Error>,
    ) -> Result<Option<Ended>, Error> {
        self.0.close(wait)
    }

    /// Closes the reading direction; if the other is closed, as [`close`](Handle::close).
    ///
    /// # Errors
    /// As [`close`](Handle::close).
    pub fn close_reading(&self) -> Result<Option<Ended>, Error> {
        let inner = &*self.0;
        inner.end_reading();
        if inner.write_shared.device.is_empty() { self.close() } else { Ok(None) }
    }

    /// Closes the writing direction: a pipe is closed, a socket shut down for sending, a terminal
    /// gets its end-of-file character. If the other is closed, as [`close`](Handle::close).
    ///
    /// # Errors
    /// As [`close`](Handle::close).
    pub fn close_writing(&self) -> Result<Option<Ended>, Error> {
        let inner = &*self.0;
        if inner.read_shared.device.is_empty() {
            return self.close();
        }
        inner.end_writing(true)?;
        Ok(None)
    }

    /// Closes without flushing or waiting, and ends every blocked call. Gives the number of lost
    /// bytes. A process at the other end continues, and leaves no zombie.
    pub fn abort(&self) -> usize {
        let inner = &*self.0;
        inner.read_shared.gate.shut();
        inner.write_shared.gate.shut();
        let mut side = inner.lock_write();
        let lost = side.discard();
        inner.write_shared.device.take();
        drop(side);
        inner.end_reading();
        registry::forget(inner.id);
        drop(locked(&inner.child).take());
        lost
    }

    /// Whether both directions are closed.
    pub fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    /// The process at the other end, unless it has been waited for.
    pub fn child(&self) -> Option<Child> {
        locked(&self.0.child).clone()
    }

    /// Whether it is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.with_fd(Interest::Read, |fd| riverhawk_system::termios::isatty(fd)).unwrap_or(false)
    }

    /// The descriptor that is read, or else written.
    pub fn raw_fd(&self) -> Option<riverhawk_system::fd::RawFd> {
        use riverhawk_system::fd::AsRawFd;
        self.with_fd(Interest::Read, |fd| fd.as_raw_fd())
    }

    /// Uses the descriptor of the direction, or else of the other one.
    pub(crate) fn with_fd<T>(
        &self,
        interest: Interest,
        body: impl FnOnce(riverhawk_system::fd::BorrowedFd<'_>) -> T,
    ) -> Option<T> {
        let (read, write) = (self.0.read_shared.device.get(), self.0.write_shared.device.get());
        let device = match interest {
            Interest::Read => read.or(write),
            Interest::Write => write.or(read),
        }?;
        device.fd().map(body)
    }

    pub(crate) fn closed_error(&self, action: Action) -> Error {
        Error::of_kind(&self.0.name, action, ErrorKind::Closed)
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle")
            .field("name", &self.0.name)
            .field("closed", &self.is_closed())
            .finish()
    }
}
