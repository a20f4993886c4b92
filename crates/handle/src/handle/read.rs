//! Reading, with the lock held for one call: threads get different bytes and whole lines.

use super::Handle;
use crate::device::Wait;
use crate::error::{Action, Error, ErrorKind};
use crate::gate;
use crate::read_side::Reading;
use riverhawk_pool::blocking;
use riverhawk_system::fd::BorrowedFd;
use riverhawk_text::decoder::Separators;
use riverhawk_text::encoding::{Encoding, Policy};
use std::sync::{Arc, TryLockError};
use std::time::{Duration, Instant};

/// How [`Handle::wait_unless`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// A read does not wait.
    Readable,
    /// The other descriptor is readable.
    Woken,
    /// The limit has passed.
    TimedOut,
}

impl Handle {
    /// Reads what is buffered, or what one read gives; 0 at the end.
    ///
    /// # Errors
    /// [`ErrorKind::Closed`](crate::ErrorKind::Closed),
    /// [`ErrorKind::TimedOut`](crate::ErrorKind::TimedOut),
    /// [`ErrorKind::NotReadable`](crate::ErrorKind::NotReadable), or a system error.
    pub fn read(&self, buffer: &mut [u8]) -> Result<usize, Error> {
        self.reader().read_bytes(buffer)
    }

    /// Reads up to `limit` bytes; empty at the end.
    ///
    /// # Errors
    /// As [`read`](Handle::read).
    pub fn receive(&self, limit: usize) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.reader().read_some(limit, &mut out)?;
        Ok(out)
    }

    /// As [`receive`](Handle::receive) without waiting: `None` without data, or while another
    /// thread reads.
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

    /// Reads `count` bytes, or fewer at the end.
    ///
    /// # Errors
    /// As [`read`](Handle::read); the bytes before are lost.
    /// [`Reader::read_exactly`](crate::Reader::read_exactly) keeps them.
    pub fn read_exactly(&self, count: usize) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.reader().read_exactly(count, &mut out)?;
        Ok(out)
    }

    /// The rest of the bytes.
    ///
    /// # Errors
    /// As [`read_exactly`](Handle::read_exactly).
    pub fn read_to_end(&self) -> Result<Vec<u8>, Error> {
        self.read_exactly(usize::MAX)
    }

    /// The bytes through `separator`, or to the end; `None` at the end.
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
    /// The first read of text installs a decoder: UTF-8, strict, LF or CRLF, unless set otherwise.
    ///
    /// # Errors
    /// As [`read`](Handle::read), and [`ErrorKind::NotText`](crate::ErrorKind::NotText).
    pub fn read_line(&self) -> Result<Option<String>, Error> {
        self.reader().read_line_owned()
    }

    /// `count` characters, or fewer at the end; `None` for none.
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

    /// The rest of the text.
    ///
    /// # Errors
    /// As [`read_line`](Handle::read_line).
    pub fn read_text(&self) -> Result<String, Error> {
        self.reader().read_text()
    }

    /// The remaining lines, which several threads may share. An iterator ends after a failure.
    pub fn lines(&self) -> Lines<'_> {
        Lines { handle: self, failed: false }
    }

    /// Waits until a read would not, or `wake` is readable, or for `limit`.
    ///
    /// # Errors
    /// As [`read`](Handle::read).
    pub fn wait_unless(
        &self,
        wake: BorrowedFd<'_>,
        limit: Option<Duration>,
    ) -> Result<Awaited, Error> {
        let system = |source| Error::system(&self.0.name, Action::Read, source);
        if self.0.lock_read().available() > 0 {
            return Ok(Awaited::Readable);
        }
        // A closed handle, or one without a descriptor, says so when it is read.
        let Some(device) = self.0.read_shared.device.get() else { return Ok(Awaited::Readable) };
        let Some(fd) = device.fd() else { return Ok(Awaited::Readable) };
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        loop {
            let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
            let first = blocking(|| gate::first_readable(&[wake, fd], left)).map_err(system)?;
            match first {
                Some(0) => return Ok(Awaited::Woken),
                Some(_) => return Ok(Awaited::Readable),
                None if left.is_some_and(|left| left.is_zero()) => return Ok(Awaited::TimedOut),
                None => {}
            }
        }
    }

    /// Limits how long a read waits; `None` is no limit. Regular files never wait.
    pub fn set_read_timeout(&self, limit: Option<Duration>) {
        if limit.is_some()
            && let Some(device) = self.0.read_shared.device.get()
        {
            device.set_wait(Wait::InHandle);
        }
        self.0.read_shared.set_timeout(limit);
    }

    /// The limit of a read's wait.
    pub fn read_timeout(&self) -> Option<Duration> {
        self.0.read_shared.timeout()
    }

    /// Sets the encoding of text, read and written. Unread buffered bytes are decoded again.
    pub fn set_encoding(&self, encoding: impl Encoding + 'static) {
        let encoding: Arc<dyn Encoding> = Arc::new(encoding);
        let mut side = self.0.lock_read();
        side.settings.encoding = Arc::clone(&encoding);
        side.apply(|decoder| decoder.set_encoding(Arc::clone(&encoding)));
        side.decoder();
        drop(side);
        self.0.lock_write().set_encoding(encoding);
    }

    /// Sets the treatment of undecodable bytes.
    pub fn set_policy(&self, policy: Policy) {
        let mut side = self.0.lock_read();
        side.settings.policy = policy.clone();
        side.apply(|decoder| decoder.set_policy(policy.clone()));
        drop(side);
        self.0.lock_write().set_policy(policy);
    }

    /// Sets what ends a line, from the first unread byte on.
    pub fn set_separators(&self, separators: Separators) {
        let mut side = self.0.lock_read();
        side.settings.separators = separators.clone();
        side.apply(|decoder| decoder.set_separators(separators));
    }

    /// Removes the decoder: unread input is bytes again, on a pipe too.
    pub fn set_binary(&self) {
        self.0.lock_read().set_binary();
    }
}

/// Lines of a handle, from [`Handle::lines`].
#[derive(Debug)]
pub struct Lines<'a> {
    handle: &'a Handle,
    /// Decoding would fail forever.
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
