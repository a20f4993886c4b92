//! The write loop, truncation and syncing.

use crate::error::{Failure, Step, during};
use crate::open::{is_regular, stat_open};
use riverhawk_system::fd::{AsFd, BorrowedFd};
use riverhawk_system::io::{Errno, retry_on_intr};
use std::io::{self, Write};
use std::num::NonZeroUsize;

/// What must be on the disk when a write succeeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// Nothing: after a power failure the file has the old content, the new, or on some file
    /// systems none.
    #[default]
    None,
    /// The content (`fsync` of the file, before an atomic write's rename).
    File,
    /// The content and the name: the directory is synced too.
    FileAndDirectory,
}

/// Writes all of `bytes`, at most `block_size` at a time, through interruptions and partial writes.
#[inline]
pub(crate) fn write_all(
    file: BorrowedFd<'_>,
    mut bytes: &[u8],
    block_size: Option<NonZeroUsize>,
) -> Result<(), Failure> {
    while !bytes.is_empty() {
        let block = block_size.map_or(bytes, |size| &bytes[..bytes.len().min(size.get())]);
        let count = retry_on_intr(|| riverhawk_system::io::write(file, block))
            .map_err(during(Step::Write))?;
        if count == 0 {
            // POSIX does not allow it, and a retry could loop forever.
            return Err(during(Step::Write)(std::io::Error::from(std::io::ErrorKind::WriteZero)));
        }
        bytes = &bytes[count..];
    }
    Ok(())
}

/// Truncates a longer regular file. Querying the size is cheaper than a truncation without effect.
#[inline]
pub(crate) fn truncate_to(file: BorrowedFd<'_>, length: u64) -> Result<(), Failure> {
    let stat = stat_open(file)?;
    if is_regular(&stat) && stat.st_size as u64 > length {
        retry_on_intr(|| riverhawk_system::fs::ftruncate(file, length))
            .map_err(during(Step::Truncate))?;
    }
    Ok(())
}

/// Syncs a file or directory. What cannot be synced (pipes, terminals, some directories) has
/// nothing to lose.
pub(crate) fn sync(file: impl AsFd) -> Result<(), Failure> {
    match retry_on_intr(|| riverhawk_system::fs::fsync(file.as_fd())) {
        Err(Errno::INVAL | Errno::ROFS | Errno::NOTSUP) => Ok(()),
        result => result.map_err(during(Step::Sync)),
    }
}

/// Size of the write buffer in bytes: a pipe's capacity.
const BUFFER: usize = 64 * 1024;

/// A buffered, counting writer.
#[derive(Debug)]
pub(crate) struct FileWriter<'a> {
    file: BorrowedFd<'a>,
    block_size: Option<NonZeroUsize>,
    buffer: Vec<u8>,
    written: u64,
    /// An error that `produce` only sees as an `io::Error` and may ignore.
    failure: Option<Failure>,
}

impl<'a> FileWriter<'a> {
    pub(crate) fn new(file: BorrowedFd<'a>, block_size: Option<NonZeroUsize>) -> Self {
        Self { file, block_size, buffer: Vec::new(), written: 0, failure: None }
    }

    /// Runs `produce`; gives the number of bytes. A failed write counts even if `produce` ignores
    /// it.
    pub(crate) fn run(
        mut self,
        produce: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<u64, Failure> {
        let produced = produce(&mut self);
        let flushed = self.flush();
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        produced.and(flushed).map_err(during(Step::Write))?;
        Ok(self.written)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.failure.is_some() {
            return Err(io::Error::other("an earlier write failed"));
        }
        match write_all(self.file, bytes, self.block_size) {
            Ok(()) => {
                self.written += bytes.len() as u64;
                Ok(())
            }
            Err(failure) => {
                let error = io::Error::other(failure.source.to_string());
                self.failure = Some(failure);
                Err(error)
            }
        }
    }
}

impl Write for FileWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.buffer.len() + bytes.len() > BUFFER {
            self.flush()?;
        }
        if bytes.len() >= BUFFER {
            self.put(bytes)?;
        } else {
            self.buffer.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut buffer = std::mem::take(&mut self.buffer);
        let result = self.put(&buffer);
        buffer.clear();
        self.buffer = buffer;
        result
    }
}
