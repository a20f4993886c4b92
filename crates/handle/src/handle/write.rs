//! Writing, with the lock held for one call: no piece is torn by another thread's.

use super::Handle;
use crate::error::{Action, Error};
use std::sync::atomic::Ordering;

impl Handle {
    /// Writes all of `bytes` as one piece.
    ///
    /// | a piece that | is |
    /// |---|---|
    /// | is the first, or has at least the buffer's size | written at once, after the buffer |
    /// | fits into the buffer | buffered |
    /// | does not | buffered, after a flush |
    ///
    /// The buffer has [`DEFAULT_BUFFER`](crate::DEFAULT_BUFFER) bytes, and none on a terminal.
    ///
    /// # Errors
    /// [`ErrorKind::ReaderGone`](crate::ErrorKind::ReaderGone),
    /// [`ErrorKind::NotWritable`](crate::ErrorKind::NotWritable),
    /// [`ErrorKind::Closed`](crate::ErrorKind::Closed), or a system error. Unwritten bytes are
    /// dropped, so that a failure is reported once.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Error> {
        self.writer().write_bytes(bytes)
    }

    /// Writes parts as one piece.
    ///
    /// # Errors
    /// As [`write`](Handle::write).
    pub fn write_pieces(&self, pieces: &[&[u8]]) -> Result<(), Error> {
        self.writer().write_pieces(pieces)
    }

    /// Writes text in the handle's encoding, by default UTF-8.
    ///
    /// # Errors
    /// As [`write`](Handle::write), and [`ErrorKind::NotText`](crate::ErrorKind::NotText) for
    /// characters that the encoding lacks.
    pub fn write_text(&self, text: &str) -> Result<(), Error> {
        self.writer().write_text(text)
    }

    /// Writes text and a newline, as one piece.
    ///
    /// # Errors
    /// As [`write_text`](Handle::write_text).
    pub fn print(&self, text: &str) -> Result<(), Error> {
        let mut line = String::with_capacity(text.len() + 1);
        line.push_str(text);
        line.push('\n');
        self.write_text(&line)
    }

    /// Writes the buffer.
    ///
    /// # Errors
    /// As [`write`](Handle::write). Unwritten bytes are dropped.
    pub fn flush(&self) -> Result<(), Error> {
        self.0.lock_write().flush(self.0.writing(Action::Flush))
    }

    /// Flushes, and forces the data to the disk, if there is one.
    ///
    /// # Errors
    /// As [`flush`](Handle::flush).
    pub fn sync(&self) -> Result<(), Error> {
        self.flush()?;
        let Some(device) = self.0.write_shared.device.get() else { return Ok(()) };
        device.sync().map_err(|source| Error::system(&self.0.name, Action::Flush, source))
    }

    /// Flushes and sets the buffer's size. 0 is unbuffered.
    ///
    /// # Errors
    /// As [`flush`](Handle::flush). The size is changed nevertheless.
    pub fn set_buffer(&self, bytes: usize) -> Result<(), Error> {
        self.0.lock_write().set_capacity(self.0.writing(Action::Flush), bytes)
    }

    /// The buffer's size in bytes.
    pub fn buffer(&self) -> usize {
        self.0.lock_write().capacity()
    }

    /// Buffered bytes.
    pub fn pending(&self) -> usize {
        self.0.lock_write().pending()
    }

    /// Bytes accepted since the handle was opened, written or buffered.
    pub fn bytes_written(&self) -> u64 {
        self.0.write_shared.accepted.load(Ordering::Relaxed)
    }
}
