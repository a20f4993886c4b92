//! Positions.

use super::Handle;
use crate::error::{Action, Error, ErrorKind};
use crate::gate::Gate;
use std::io::{self, SeekFrom};
use std::sync::TryLockError;
use std::sync::atomic::Ordering;

impl Handle {
    /// Whether there is no more input. A file is at its end after its last byte; anything else, or
    /// a file of size 0 (as in `/proc`), after a read of 0. Never waits for input.
    ///
    /// # Errors
    /// [`ErrorKind::NotReadable`], [`ErrorKind::Closed`].
    pub fn is_at_end(&self) -> Result<bool, Error> {
        let inner = &*self.0;
        let side = match inner.read.try_lock() {
            Ok(side) => side,
            Err(TryLockError::WouldBlock) if inner.read_shared.waiting_offset().is_some() => {
                return Ok(false);
            }
            _ => inner.lock_read(),
        };
        let Some(device) = inner.read_shared.device.get() else {
            let shut = inner.read_shared.gate.is_shut();
            return Err(inner.reading().fail(if shut {
                ErrorKind::Closed
            } else {
                ErrorKind::NotReadable
            }));
        };
        if side.available() > 0 {
            return Ok(false);
        }
        if inner.one_position {
            inner.lock_write().flush(inner.writing(Action::Write))?;
        }
        if side.saw_end {
            return Ok(true);
        }
        device.is_at_end().map_err(|source| inner.reading().system(source))
    }

    /// The position in a file; otherwise the number of bytes read, or written if the handle only
    /// writes. Includes buffered writes, but not what was read ahead. Never waits for input.
    ///
    /// # Errors
    /// [`ErrorKind::Closed`]; those of the flush before.
    pub fn tell(&self) -> Result<u64, Error> {
        let inner = &*self.0;
        let (read, write) = (inner.read_shared.device.get(), inner.write_shared.device.get());
        let Some(device) = write.as_ref().or(read.as_ref()) else {
            return Err(self.closed_error(Action::Seek));
        };
        if device.is_seekable() {
            let side = inner.lock_read();
            inner.lock_write().flush(inner.writing(Action::Write))?;
            let at =
                device.seek(SeekFrom::Current(0)).map_err(|source| self.seek_failed(source))?;
            return Ok(at.saturating_sub(side.available() as u64));
        }
        if read.is_none() {
            return Ok(inner.write_shared.accepted.load(Ordering::Relaxed));
        }
        loop {
            match inner.read.try_lock() {
                Ok(side) => return Ok(side.taken_offset()),
                // A blocked reader holds the lock, and has stored its position.
                Err(TryLockError::WouldBlock) => match inner.read_shared.waiting_offset() {
                    Some(offset) => return Ok(offset),
                    None => std::thread::yield_now(),
                },
                Err(TryLockError::Poisoned(_)) => return Ok(inner.lock_read().taken_offset()),
            }
        }
    }

    /// Moves to a position from the start, the end, or [`tell`](Handle::tell); gives the new one.
    /// Flushes, and discards what was read ahead. Writing past the end leaves a hole.
    ///
    /// # Errors
    /// [`ErrorKind::NotSeekable`]; a position before the start; those of the flush.
    pub fn seek(&self, to: SeekFrom) -> Result<u64, Error> {
        let inner = &*self.0;
        let device = inner.write_shared.device.get().or_else(|| inner.read_shared.device.get());
        let Some(device) = device else { return Err(self.closed_error(Action::Seek)) };
        if !device.is_seekable() {
            return Err(Error::of_kind(&inner.name, Action::Seek, ErrorKind::NotSeekable));
        }
        let mut side = inner.lock_read();
        inner.lock_write().flush(inner.writing(Action::Write))?;
        let to = match to {
            SeekFrom::Current(offset) => SeekFrom::Current(
                offset.saturating_sub(i64::try_from(side.available()).unwrap_or(i64::MAX)),
            ),
            to => to,
        };
        let at = device.seek(to).map_err(|source| self.seek_failed(source))?;
        side.moved_to(at);
        Ok(at)
    }

    fn seek_failed(&self, source: io::Error) -> Error {
        Error::system(&self.0.name, Action::Seek, source)
    }

    pub(crate) fn gate(&self, interest: crate::gate::Interest) -> &Gate {
        match interest {
            crate::gate::Interest::Read => &self.0.read_shared.gate,
            crate::gate::Interest::Write => &self.0.write_shared.gate,
        }
    }
}
