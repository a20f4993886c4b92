//! The locked writing direction.

use super::{Handle, Inner};
use crate::error::{Action, Error, ErrorKind};
use crate::read_side::ReadSide;
use crate::write_side::WriteSide;
use std::io::{self, SeekFrom, Write};
use std::sync::MutexGuard;

/// The writing direction of a handle under its lock, from [`Handle::writer`]. It is a [`Write`].
/// Reading goes on meanwhile (except in a file open for both). The thread that holds a writer would
/// deadlock if it closed, wrote or flushed the handle.
pub struct Writer<'a> {
    inner: &'a Inner,
    // Released after the writing side.
    side: MutexGuard<'a, WriteSide>,
    _read: Option<MutexGuard<'a, ReadSide>>,
    /// A failure that the first write reports.
    prepared: Result<(), Error>,
}

impl Handle {
    /// Locks the writing direction, after a running write.
    pub fn writer(&self) -> Writer<'_> {
        let inner = &*self.0;
        let (read, prepared) = if inner.one_position {
            let mut read = inner.lock_read();
            let prepared = give_back(inner, &mut read);
            (Some(read), prepared)
        } else {
            (None, Ok(()))
        };
        Writer { inner, side: inner.lock_write(), _read: read, prepared }
    }
}

/// Moves the file position back over what was read ahead.
fn give_back(inner: &Inner, read: &mut ReadSide) -> Result<(), Error> {
    let ahead = read.discard();
    let Some(device) = inner.write_shared.device.get().filter(|_| ahead > 0) else { return Ok(()) };
    let back = -i64::try_from(ahead).unwrap_or(i64::MAX);
    match device.seek(SeekFrom::Current(back)) {
        Ok(_) => Ok(()),
        Err(source) => Err(Error::system(&inner.name, Action::Write, source)),
    }
}

impl Writer<'_> {
    /// Writes bytes, by the table in [`Handle::write`].
    ///
    /// # Errors
    /// As [`Handle::write`].
    pub fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.write_pieces(&[bytes])
    }

    /// Writes several pieces as one.
    ///
    /// # Errors
    /// As [`Handle::write`].
    pub fn write_pieces(&mut self, pieces: &[&[u8]]) -> Result<(), Error> {
        std::mem::replace(&mut self.prepared, Ok(()))?;
        self.side.write(self.inner.writing(Action::Write), pieces)
    }

    /// Writes text in the handle's encoding.
    ///
    /// # Errors
    /// As [`Handle::write`], and [`ErrorKind::NotText`] if the encoding lacks a character; then
    /// nothing is written.
    pub fn write_text(&mut self, text: &str) -> Result<(), Error> {
        let Some(encoder) = &mut self.side.encoder else {
            return self.write_bytes(text.as_bytes());
        };
        let mut bytes = Vec::with_capacity(text.len());
        if let Err(error) = encoder.push_str(text, &mut bytes) {
            let source = io::Error::new(io::ErrorKind::InvalidData, error);
            return Err(Error::new(&self.inner.name, Action::Write, ErrorKind::NotText, source));
        }
        self.write_bytes(&bytes)
    }

    /// Writes the buffer.
    ///
    /// # Errors
    /// As [`Handle::flush`].
    pub fn flush_pending(&mut self) -> Result<(), Error> {
        self.side.flush(self.inner.writing(Action::Flush))
    }
}

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_bytes(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(self.flush_pending()?)
    }
}
