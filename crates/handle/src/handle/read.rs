//! Reading, one call at a time under the direction's lock: two threads get different bytes and
//! whole lines.

use super::Handle;
use crate::device::Wait;
use crate::error::{Action, Error, ErrorKind};
use crate::read_side::Reading;
use riverhawk_text::decoder::Separators;
use riverhawk_text::encoding::{Encoding, Policy};
use std::sync::{Arc, TryLockError};
use std::time::Duration;

impl Handle {
    /// Reads what is there, or what one read gives, up to `buffer.len()` bytes; 0 at the end.
    ///
    /// # Errors
    /// [`ErrorKind::Closed`](crate::ErrorKind::Closed),
    /// [`ErrorKind::TimedOut`](crate::ErrorKind::TimedOut),
    /// [`ErrorKind::NotReadable`](crate::ErrorKind::NotReadable), or what the system says.
    pub fn read(&self, buffer: &mut [u8]) -> Result<usize, Error> {
        self.reader().read_bytes(buffer)
    }

    /// Up to `limit` bytes as a value, empty at the end.
    ///
    /// # Errors
    /// As [`read`](Handle::read).
    pub fn receive(&self, limit: usize) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.reader().read_some(limit, &mut out)?;
        Ok(out)
    }

    /// As [`receive`](Handle::receive) without waiting: None if nothing has come, or another thread
    /// is reading.
    ///
    /// # Errors
    /// As [`read`](Handle::read).
    pub fn try_receive(&self, limit: usize) -> Result<Option<Vec<u8>>, Error> {
        let mut side = match self.0.read.try_lock() {
            Ok(side) => side,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(None),
        };
        if self.0.one_position {
            self.0.lock_write().flush(self.0.writing(Action::Write))?;
        }
        let mut out = Vec::new();
        let who = Reading { waits: false, ..self.0.reading() };
        match side.append(who, &mut out, limit) {
            Ok(_) => Ok(Some(out)),
            Err(error) if error.kind() == ErrorKind::NotReady => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// `count` bytes: waits until they have come or the input ends.
    ///
    /// # Errors
    /// As [`read`](Handle::read); what came before is lost.
    /// [`Reader::read_exactly`](crate::Reader::read_exactly) keeps it.
    pub fn read_exactly(&self, count: usize) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.reader().read_exactly(count, &mut out)?;
        Ok(out)
    }

    /// All bytes that are left.
    ///
    /// # Errors
    /// As [`read_exactly`](Handle::read_exactly).
    pub fn read_to_end(&self) -> Result<Vec<u8>, Error> {
        self.read_exactly(usize::MAX)
    }

    /// The bytes up to and including `separator`, or to the end; `None` at the end.
    ///
    /// # Errors
    /// As [`Reader::read_until`](crate::Reader::read_until); nothing is lost.
    pub fn read_until(&self, separator: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let mut out = Vec::new();
        let count = self.reader().read_until(separator, &mut out)?;
        Ok((count > 0).then_some(out))
    }

    /// The next line of text without its separator; `None` at the end.
    ///
    /// The first read of text puts a decoder over the handle: UTF-8, strict, LF or CRLF, unless set
    /// otherwise.
    ///
    /// # Errors
    /// As [`read`](Handle::read), and [`ErrorKind::NotText`](crate::ErrorKind::NotText).
    pub fn read_line(&self) -> Result<Option<String>, Error> {
        self.reader().read_line_owned()
    }

    /// `count` characters, or what is left at the end; `None` if that is nothing.
    ///
    /// # Errors
    /// As [`read_line`](Handle::read_line).
    pub fn read_chars(&self, count: usize) -> Result<Option<String>, Error> {
        self.reader().read_chars(count)
    }

    /// The text that has arrived, in whole characters. Empty at the end.
    ///
    /// # Errors
    /// As [`read_line`](Handle::read_line).
    pub fn receive_text(&self) -> Result<String, Error> {
        self.reader().read_some_text()
    }

    /// All the text that is left.
    ///
    /// # Errors
    /// As [`read_line`](Handle::read_line).
    pub fn read_text(&self) -> Result<String, Error> {
        self.reader().read_text()
    }

    /// The lines that are left. Several threads may share them. A failure is the last that one
    /// iterator gives.
    pub fn lines(&self) -> Lines<'_> {
        Lines { handle: self, failed: false }
    }

    /// How long a read waits at most; `None` is for ever. Regular files never wait.
    pub fn set_read_timeout(&self, limit: Option<Duration>) {
        if limit.is_some()
            && let Some(device) = self.0.read_shared.device.get()
        {
            device.set_wait(Wait::InHandle);
        }
        self.0.read_shared.set_timeout(limit);
    }

    /// How long a read waits at most.
    pub fn read_timeout(&self) -> Option<Duration> {
        self.0.read_shared.timeout()
    }

    /// The encoding of text, read and written. What was read ahead and not taken is decoded anew.
    pub fn set_encoding(&self, encoding: impl Encoding + 'static) {
        let encoding: Arc<dyn Encoding> = Arc::new(encoding);
        let mut side = self.0.lock_read();
        side.settings.encoding = Arc::clone(&encoding);
        side.apply(|decoder| decoder.set_encoding(Arc::clone(&encoding)));
        side.decoder();
        drop(side);
        self.0.lock_write().set_encoding(encoding);
    }

    /// What becomes of bytes that are no text.
    pub fn set_policy(&self, policy: Policy) {
        let mut side = self.0.lock_read();
        side.settings.policy = policy.clone();
        side.apply(|decoder| decoder.set_policy(policy.clone()));
        drop(side);
        self.0.lock_write().set_policy(policy);
    }

    /// What ends a line, for everything that has not been taken yet.
    pub fn set_separators(&self, separators: Separators) {
        let mut side = self.0.lock_read();
        side.settings.separators = separators.clone();
        side.apply(|decoder| decoder.set_separators(separators));
    }

    /// Takes the decoder away: what it holds is bytes again, on a pipe too.
    pub fn set_binary(&self) {
        self.0.lock_read().set_binary();
    }
}

/// The lines of a handle, from [`Handle::lines`].
#[derive(Debug)]
pub struct Lines<'a> {
    handle: &'a Handle,
    /// Decoding would fail for ever.
    failed: bool,
}

impl Iterator for Lines<'_> {
    type Item = Result<String, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let line = self.handle.read_line();
        self.failed = line.is_err();
        line.transpose()
    }
}
