//! Files where they are not UNIX's: without permissions, owners and extended attributes.

use crate::fd::{AsFd, BorrowedFd};
use crate::fs::Mode;
use crate::io::{Errno, Result};
use std::ffi::CStr;

/// Whether files have permissions and owners.
pub const HAS_PERMISSIONS: bool = false;

/// A file has no extended attribute of a name. Never given, as no attribute can be asked for.
pub const NO_ATTRIBUTE: Errno = Errno::NOENT;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileType {
    /// A regular file.
    RegularFile,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A terminal or console, or a device like it.
    CharacterDevice,
    /// A disk, or a device like it.
    BlockDevice,
    /// Something else.
    Unknown,
}

impl FileType {
    /// Whether it is a regular file.
    pub fn is_file(self) -> bool {
        self == FileType::RegularFile
    }

    /// Whether it is a directory.
    pub fn is_dir(self) -> bool {
        self == FileType::Directory
    }
}

/// A user's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uid(u32);

impl Uid {
    /// From a number.
    pub const fn from_raw(number: u32) -> Uid {
        Uid(number)
    }
}

/// A group's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gid(u32);

impl Gid {
    /// From a number.
    pub const fn from_raw(number: u32) -> Gid {
        Gid(number)
    }
}

/// How a lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlockOperation {
    /// With other shared locks.
    LockShared,
    /// Alone.
    LockExclusive,
    /// Released.
    Unlock,
    /// As `LockShared`, without waiting.
    NonBlockingLockShared,
    /// As `LockExclusive`, without waiting.
    NonBlockingLockExclusive,
}

bitflags::bitflags! {
    /// How an extended attribute is set.
    #[derive(Clone, Copy, Debug)]
    pub struct XattrFlags: u32 {}
}

/// Changes permissions: there are none.
pub fn fchmod(_: impl AsFd, _: Mode) -> Result<()> {
    Err(Errno::NOTSUP)
}

/// Changes the owner: there is none.
pub fn fchown(_: impl AsFd, _: Option<Uid>, _: Option<Gid>) -> Result<()> {
    Err(Errno::NOTSUP)
}

/// Names of extended attributes: there are none.
pub fn flistxattr(_: impl AsFd, _: &mut [u8]) -> Result<usize> {
    Err(Errno::NOTSUP)
}

/// As [`flistxattr`].
pub fn listxattr<Path>(_: Path, _: &mut [u8]) -> Result<usize> {
    Err(Errno::NOTSUP)
}

/// As [`flistxattr`].
pub fn getxattr<Path>(_: Path, _: &CStr, _: &mut [u8]) -> Result<usize> {
    Err(Errno::NOTSUP)
}

/// As [`flistxattr`].
pub fn fsetxattr(_: impl AsFd, _: &CStr, _: &[u8], _: XattrFlags) -> Result<()> {
    Err(Errno::NOTSUP)
}

/// As [`flistxattr`].
pub fn fremovexattr(_: BorrowedFd<'_>, _: &CStr) -> Result<()> {
    Err(Errno::NOTSUP)
}
