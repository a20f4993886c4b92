//! A followed file, whose current end is not the end of the input.
//!
//! The reader has a [`Source`], its follower a [`Tail`], which sees growth, truncation and
//! renaming, and decides on the end.

use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use riverhawk_system::{Facts, Symlinks};
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use riverhawk_compress::Guess;
use riverhawk_stream::{Room as Space, Source};

use crate::error::OpenError;
use crate::name::{FileName, os_string};
use crate::operand::{self, Opened, Operand};
use crate::reader::RecordReader;
use crate::reading::{Directories, Reading, Room, guess_at};
use crate::wait::until_readable;

/// A followed file, as its follower sees it.
pub struct Tail {
    shared: Arc<Shared>,
    /// None for a stream without a name.
    path: Option<PathBuf>,
    /// Device and inode.
    identity: (u64, u64),
}

struct Shared {
    fd: OwnedFd,
    /// Others can be polled and end by themselves.
    grows: bool,
    offset: AtomicU64,
    end: AtomicU64,
}

const ENDLESS: u64 = u64::MAX;

/// What is new in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Nothing.
    None,
    /// More to read.
    More,
    /// Shorter than what was read of it.
    Truncated,
}

/// What has a file's name now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// Still this file.
    Same,
    /// Nothing.
    None,
    /// Something that is no regular file.
    NoFile,
    /// Another file: its device and inode.
    Other((u64, u64)),
}

/// `WouldBlock` at its current end.
struct Growing {
    shared: Arc<Shared>,
    refuses_compressed: bool,
}

impl Source for Growing {
    fn read(&mut self, room: &mut Space<'_>) -> io::Result<usize> {
        let shared = &*self.shared;
        let (at, end) = (shared.offset.load(Ordering::Relaxed), shared.end.load(Ordering::Relaxed));
        if at >= end {
            return Ok(0);
        }
        if !shared.grows && !until_readable(shared.fd.as_fd(), Duration::ZERO)? {
            return if end == ENDLESS { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(0) };
        }
        if self.refuses_compressed && at == 0 && shared.grows {
            refuse_compressed(&shared.fd)?;
        }
        let count = room.read_fd(&shared.fd)?;
        shared.offset.store(at + count as u64, Ordering::Relaxed);
        if count == 0 && shared.grows && end == ENDLESS {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        Ok(count)
    }
}

fn refuse_compressed(file: impl AsFd) -> io::Result<()> {
    match guess_at(file, 0) {
        Guess::Compressed(codec) => {
            let message = format!(
                "the file is compressed ({}), and only plain files can be followed",
                codec.name()
            );
            Err(io::Error::new(io::ErrorKind::InvalidData, message))
        }
        _ => Ok(()),
    }
}

impl Tail {
    /// # Errors
    /// The system's, or that it is a directory.
    pub(super) fn open(
        name: &[u8],
        reading: &Reading,
        room: Room,
    ) -> Result<(RecordReader, Tail), OpenError> {
        let failed = |source| OpenError::new(name, source);
        let (fd, path) = match operand::open(name, Directories::Refused)? {
            Operand::Directory(_) | Operand::Reader(_) => return Err(OpenError::directory(name)),
            Operand::Stdin => (
                riverhawk_system::io::fcntl_dupfd_cloexec(riverhawk_system::stdio::stdin(), 3)
                    .map_err(io::Error::from),
                None,
            ),
            Operand::File(Opened { file, .. }) => match FileName::for_reading(name) {
                FileName::Path(path) => (Ok(file.into()), Some(PathBuf::from(os_string(path)))),
                _ => (Ok(file.into()), None),
            },
        };
        let file = File::from(fd.map_err(failed)?);
        let facts = Facts::of_file(&file).map_err(failed)?;
        let shared = Shared {
            grows: facts.is_file(),
            // May have been read by another process.
            offset: AtomicU64::new(riverhawk_system::fs::tell(&file).unwrap_or(0)),
            end: AtomicU64::new(ENDLESS),
            fd: file.into(),
        };
        let path = path.filter(|_| shared.grows);
        Ok(Tail::over(shared, path, facts.identity(), reading, room))
    }

    /// For a truncated file.
    ///
    /// # Errors
    /// There is no free descriptor, or the file is not seekable.
    pub(super) fn rewound(
        &self,
        reading: &Reading,
        room: Room,
    ) -> io::Result<(RecordReader, Tail)> {
        let fd = riverhawk_system::io::fcntl_dupfd_cloexec(&self.shared.fd, 3)?;
        riverhawk_system::fs::seek(&fd, riverhawk_system::fs::SeekFrom::Start(0))?;
        let shared =
            Shared { fd, grows: true, offset: AtomicU64::new(0), end: AtomicU64::new(ENDLESS) };
        Ok(Tail::over(shared, self.path.clone(), self.identity, reading, room))
    }

    fn over(
        shared: Shared,
        path: Option<PathBuf>,
        identity: (u64, u64),
        reading: &Reading,
        room: Room,
    ) -> (RecordReader, Tail) {
        let shared = Arc::new(shared);
        let source =
            Growing { shared: shared.clone(), refuses_compressed: reading.decompress.is_some() };
        (RecordReader::of_growing(source, room, reading), Tail { shared, path, identity })
    }

    pub(super) fn stream(&self) -> Option<BorrowedFd<'_>> {
        (!self.shared.grows).then(|| self.shared.fd.as_fd())
    }

    pub(super) fn path(&self) -> Option<&PathBuf> {
        self.path.as_ref()
    }

    /// What is new in the file.
    pub fn news(&self) -> News {
        if !self.shared.grows {
            let ready = until_readable(self.shared.fd.as_fd(), Duration::ZERO).unwrap_or(true);
            return if ready { News::More } else { News::None };
        }
        let read = self.shared.offset.load(Ordering::Relaxed);
        // If fstat fails, reading reports why.
        let size = riverhawk_system::fs::fstat(&self.shared.fd)
            .map_or(u64::MAX, |stat| stat.st_size as u64);
        match size.cmp(&read) {
            std::cmp::Ordering::Less => News::Truncated,
            std::cmp::Ordering::Equal => News::None,
            std::cmp::Ordering::Greater => News::More,
        }
    }

    /// What has its name now.
    pub fn holder(&self) -> Holder {
        let Some(path) = &self.path else { return Holder::Same };
        match Facts::of_path(path, Symlinks::Followed) {
            Ok(found) if found.identity() == self.identity => Holder::Same,
            Ok(found) if !found.is_file() => Holder::NoFile,
            Ok(found) => Holder::Other(found.identity()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Holder::None,
            // It may be a momentary failure.
            Err(_) => Holder::Same,
        }
    }

    /// Makes the current end final.
    pub fn end(&self) {
        let fd = &self.shared.fd;
        let end = match self.shared.grows {
            true => riverhawk_system::fs::fstat(fd).map_or(0, |stat| stat.st_size as u64),
            // Arrived but not read.
            false => {
                self.shared.offset.load(Ordering::Relaxed)
                    + riverhawk_system::io::ioctl_fionread(fd).unwrap_or(0)
            }
        };
        self.shared.end.store(end, Ordering::Relaxed);
    }
}
