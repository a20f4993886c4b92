//! Files. Permissions, owners, extended attributes and locks are not known.

use crate::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::io::{Errno, Result};
use crate::{Facts, Symlinks};
use std::fs::File;
use std::path::Path;

pub use crate::bare::*;
// Not that of rustix, which has no pipes here.
pub use crate::bare::FileType;
pub use rustix::fs::*;
use rustix::path::Arg;

impl FileType {
    /// From `st_mode`. A pipe has no type of its own here: it is unknown, as a socket is.
    pub const fn from_raw_mode(mode: RawMode) -> FileType {
        use rustix::fs::FileType as Known;
        match Known::from_raw_mode(mode) {
            Known::RegularFile => FileType::RegularFile,
            Known::Directory => FileType::Directory,
            Known::Symlink => FileType::Symlink,
            Known::CharacterDevice => FileType::CharacterDevice,
            Known::BlockDevice => FileType::BlockDevice,
            Known::Unknown => FileType::Unknown,
        }
    }
}

impl From<rustix::fs::FileType> for FileType {
    fn from(known: rustix::fs::FileType) -> FileType {
        FileType::from_raw_mode(known.as_raw_mode())
    }
}

/// Opens a file. Some hosts open a directory only where it is named as one.
///
/// # Errors
/// The system's.
pub fn open(path: impl Arg + Copy, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    match rustix::fs::open(path, flags, mode) {
        Err(Errno::ISDIR) if flags & OFlags::RWMODE == OFlags::RDONLY => {
            rustix::fs::open(path, flags | OFlags::DIRECTORY, mode)
        }
        opened => opened,
    }
}

/// An open directory.
#[derive(Debug)]
pub struct Dir(rustix::fs::Dir);

impl Dir {
    /// Takes an open directory.
    ///
    /// # Errors
    /// The system's.
    pub fn new(directory: OwnedFd) -> Result<Dir> {
        rustix::fs::Dir::new(directory).map(Dir)
    }

    /// Opens an open directory once more, with a position of its own.
    ///
    /// # Errors
    /// The system's.
    pub fn read_from(directory: impl AsFd) -> Result<Dir> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        openat(directory, c".", flags, Mode::empty()).and_then(Dir::new)
    }

    /// The next entry.
    pub fn read(&mut self) -> Option<Result<DirEntry>> {
        self.0.read()
    }

    /// Its descriptor.
    ///
    /// # Errors
    /// The system's.
    pub fn fd(&self) -> Result<BorrowedFd<'_>> {
        self.0.fd()
    }
}

impl Iterator for Dir {
    type Item = Result<DirEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read()
    }
}

/// What an entry of a directory is, if the directory says so.
pub fn type_of(entry: &DirEntry) -> FileType {
    entry.file_type().into()
}

/// Locks a file: there are no locks.
///
/// # Errors
/// Always.
pub fn flock(_: impl AsFd, _: FlockOperation) -> Result<()> {
    Err(Errno::NOTSUP)
}

impl Facts {
    /// Of what has a name.
    ///
    /// # Errors
    /// The system's.
    pub fn of_path(path: impl AsRef<Path>, links: Symlinks) -> std::io::Result<Facts> {
        let known = match links {
            Symlinks::Followed => stat(path.as_ref()),
            Symlinks::AsTheyAre => lstat(path.as_ref()),
        };
        Ok(Facts::of(&known?))
    }

    /// Of an open file.
    ///
    /// # Errors
    /// The system's.
    pub fn of_file(file: &File) -> std::io::Result<Facts> {
        Ok(Facts::of(&fstat(file)?))
    }

    fn of(known: &Stat) -> Facts {
        Facts {
            device: known.st_dev,
            inode: known.st_ino,
            mode: known.st_mode,
            links: known.st_nlink,
            user: 0,
            group: 0,
            special: known.st_rdev,
            size: known.st_size as u64,
            block_size: known.st_blksize as u64,
            blocks: known.st_blocks as u64,
            accessed: known.st_atim.tv_sec,
            modified: known.st_mtim.tv_sec,
            changed: known.st_ctim.tv_sec,
        }
    }
}
