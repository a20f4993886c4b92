//! Advisory locks on whole files.

use super::Handle;
use crate::error::{Action, Error, ErrorKind};
use crate::gate::Interest;
use riverhawk_pool::blocking;
use riverhawk_system::fd::AsFd;
use riverhawk_system::fs::{FlockOperation, flock};
use riverhawk_system::io::Errno;
use std::io::SeekFrom;

/// Kinds of locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LockKind {
    /// With other shared locks: for reading.
    Shared,
    /// Alone: for writing.
    Exclusive,
}

impl Handle {
    /// Locks the whole file, waiting as needed, or changes the lock. The lock belongs to this
    /// handle until [`unlock`](Handle::unlock) or closing. Advisory (`flock`).
    ///
    /// # Errors
    /// [`ErrorKind::LockMode`]: exclusive without writing, or shared without reading.
    pub fn lock(&self, kind: LockKind) -> Result<(), Error> {
        let operation = match kind {
            LockKind::Shared => FlockOperation::LockShared,
            LockKind::Exclusive => FlockOperation::LockExclusive,
        };
        self.check_lock(kind)?;
        blocking(|| self.flock(operation))?;
        self.forget_what_was_read()
    }

    /// Locks the whole file without waiting.
    ///
    /// # Errors
    /// [`ErrorKind::Locked`]; otherwise as [`lock`](Handle::lock).
    pub fn try_lock(&self, kind: LockKind) -> Result<(), Error> {
        let operation = match kind {
            LockKind::Shared => FlockOperation::NonBlockingLockShared,
            LockKind::Exclusive => FlockOperation::NonBlockingLockExclusive,
        };
        self.check_lock(kind)?;
        self.flock(operation)?;
        self.forget_what_was_read()
    }

    /// Flushes and unlocks.
    ///
    /// # Errors
    /// Those of the flush; the lock is released nevertheless.
    pub fn unlock(&self) -> Result<(), Error> {
        let flushed = self.flush();
        self.flock(FlockOperation::Unlock)?;
        flushed
    }

    /// What was read ahead may have changed meanwhile.
    fn forget_what_was_read(&self) -> Result<(), Error> {
        let seekable = self.0.read_shared.device.get().is_some_and(|device| device.is_seekable());
        if seekable { self.seek(SeekFrom::Current(0)).map(drop) } else { Ok(()) }
    }

    fn check_lock(&self, kind: LockKind) -> Result<(), Error> {
        let shared = &*self.0;
        let (able, other) = match kind {
            LockKind::Shared => {
                (!shared.read_shared.device.is_empty(), &shared.write_shared.device)
            }
            LockKind::Exclusive => {
                (!shared.write_shared.device.is_empty(), &shared.read_shared.device)
            }
        };
        let kind = if able {
            return Ok(());
        } else if other.is_empty() {
            ErrorKind::Closed
        } else {
            ErrorKind::LockMode
        };
        Err(Error::of_kind(&shared.name, Action::Lock, kind))
    }

    fn flock(&self, operation: FlockOperation) -> Result<(), Error> {
        // A duplicate keeps the file open during the wait; both share the lock.
        let copy = self.with_fd(Interest::Write, |fd| fd.as_fd().try_clone_to_owned());
        let fd = match copy {
            None => return Err(self.closed_error(Action::Lock)),
            Some(copy) => {
                copy.map_err(|source| Error::system(&self.0.name, Action::Lock, source))?
            }
        };
        loop {
            match flock(&fd, operation) {
                Ok(()) => return Ok(()),
                Err(Errno::INTR) => {}
                Err(Errno::WOULDBLOCK) => {
                    return Err(Error::of_kind(&self.0.name, Action::Lock, ErrorKind::Locked));
                }
                Err(errno) => return Err(Error::system(&self.0.name, Action::Lock, errno.into())),
            }
        }
    }
}
