//! The write loop, and what follows it: cutting off the old end, bringing it to the disk.

use crate::error::{Failure, Step, during};
use crate::open::{is_regular, stat_open};
use rustix::fd::{AsFd, BorrowedFd};
use rustix::io::{Errno, retry_on_intr};
use std::io::{self, Write};
use std::num::NonZeroUsize;

/// How much of a write must be on the disk before it counts as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// The operating system's own time: after a power failure the old content, the new, or on some
    /// file systems none.
    #[default]
    None,
    /// The content is on the disk (`fsync` of the file, in atomic writes before the rename).
    File,
    /// The content and the name are: the directory is synced, too.
    FileAndDirectory,
}

/// Writes all of `bytes`, at most `block_size` at a time, going on after interruptions and partial
/// writes.
#[inline]
pub(crate) fn write_all(
    file: BorrowedFd<'_>,
    mut bytes: &[u8],
    block_size: Option<NonZeroUsize>,
) -> Result<(), Failure> {
    while !bytes.is_empty() {
        let block = block_size.map_or(bytes, |size| &bytes[..bytes.len().min(size.get())]);
        let count =
            retry_on_intr(|| rustix::io::write(file, block)).map_err(during(Step::Write))?;
        if count == 0 {
            // Nothing in POSIX allows it, and trying again would never end.
            return Err(during(Step::Write)(std::io::Error::from(std::io::ErrorKind::WriteZero)));
        }
        bytes = &bytes[count..];
    }
    Ok(())
}

/// Cuts a regular file that is longer than `length`. Asking for the size first is cheaper than
/// cutting in vain, and what is not regular has nothing to cut.
#[inline]
pub(crate) fn truncate_to(file: BorrowedFd<'_>, length: u64) -> Result<(), Failure> {
    let stat = stat_open(file)?;
    if is_regular(&stat) && stat.st_size as u64 > length {
        retry_on_intr(|| rustix::fs::ftruncate(file, length)).map_err(during(Step::Truncate))?;
    }
    Ok(())
}

/// Brings a file or directory to the disk. What cannot be synced by its nature (pipes, terminals,
/// some file systems' directories) has nothing to lose.
pub(crate) fn sync(file: impl AsFd) -> Result<(), Failure> {
    match retry_on_intr(|| rustix::fs::fsync(file.as_fd())) {
        Err(Errno::INVAL | Errno::ROFS | Errno::NOTSUP) => Ok(()),
        result => result.map_err(during(Step::Sync)),
    }
}

/// Bytes gathered before they are written: as much as a pipe holds.
const BUFFER: usize = 64 * 1024;

/// A writer for contents that come in pieces. Counts what it writes.
#[derive(Debug)]
pub(crate) struct FileWriter<'a> {
    file: BorrowedFd<'a>,
    block_size: Option<NonZeroUsize>,
    buffer: Vec<u8>,
    written: u64,
    /// What went wrong below `produce`, which only sees an `io::Error` and may swallow it.
    failure: Option<Failure>,
}

impl<'a> FileWriter<'a> {
    pub(crate) fn new(file: BorrowedFd<'a>, block_size: Option<NonZeroUsize>) -> Self {
        Self { file, block_size, buffer: Vec::new(), written: 0, failure: None }
    }

    /// Lets `produce` write, and returns how many bytes that were. A failed write counts even if
    /// `produce` ignores it.
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
