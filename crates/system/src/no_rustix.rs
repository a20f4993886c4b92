//! What `rustix` has where it is, for platforms without it: errors, how files are opened, asked about
//! and waited for.

use crate::bare::FileType;
use crate::io::Errno;
use std::fmt;
use std::io;
use std::time::Duration;

impl From<io::Error> for Errno {
    fn from(error: io::Error) -> Errno {
        // The standard library refuses itself what no system is asked for.
        Errno::from_io_error(&error).unwrap_or(match error.kind() {
            io::ErrorKind::Unsupported => Errno::NOTSUP,
            _ => Errno::INVAL,
        })
    }
}

impl fmt::Debug for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Errno({}: {self})", self.raw_os_error())
    }
}

impl std::error::Error for Errno {}

/// Where relative names begin.
pub const CWD: Cwd = Cwd;

/// The process's folder.
#[derive(Clone, Copy, Debug)]
pub struct Cwd;

/// Bits of a type and of permissions.
pub type RawMode = u32;

bitflags::bitflags! {
    /// Permissions of a new file, which are not known.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Mode: RawMode {
        const _ = !0;
    }
}

impl Mode {
    /// From bits.
    pub const fn from_raw_mode(mode: RawMode) -> Mode {
        Mode::from_bits_retain(mode)
    }
}

bitflags::bitflags! {
    /// How a file is opened.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct OFlags: u32 {
        /// To read.
        const RDONLY = 0;
        /// To write.
        const WRONLY = 1;
        /// Both.
        const RDWR = 2;
        /// Which of these.
        const ACCMODE = 3;
        /// Which of these.
        const RWMODE = 3;
        /// Makes it if it is not there.
        const CREATE = 1 << 2;
        /// It must not be there.
        const EXCL = 1 << 3;
        /// Empties it.
        const TRUNC = 1 << 4;
        /// Each write is at its end.
        const APPEND = 1 << 5;
        /// It must be a folder.
        const DIRECTORY = 1 << 6;
        /// A symbolic link is an error.
        const NOFOLLOW = 1 << 7;
        /// Always so.
        const CLOEXEC = 1 << 8;
        /// Always so.
        const NOCTTY = 1 << 9;
        /// Has no effect: files do not block, and pipes have no names here.
        const NONBLOCK = 1 << 10;
    }
}

bitflags::bitflags! {
    /// How a name is understood.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct AtFlags: u32 {
        /// A symbolic link stands for itself.
        const SYMLINK_NOFOLLOW = 1;
        /// As the process is now, which is always so.
        const EACCESS = 2;
        /// A folder is removed.
        const REMOVEDIR = 4;
    }
}

bitflags::bitflags! {
    /// What may be done with a file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Access: u32 {
        /// It may be written to.
        const WRITE_OK = 2;
        /// It may be read.
        const READ_OK = 4;
    }
}

const TYPE: u32 = 0o170_000;
const TYPES: [(FileType, u32); 5] = [
    (FileType::RegularFile, 0o100_000),
    (FileType::Directory, 0o040_000),
    (FileType::Symlink, 0o120_000),
    (FileType::Fifo, 0o010_000),
    (FileType::CharacterDevice, 0o020_000),
];

impl FileType {
    /// From `st_mode`.
    pub fn from_raw_mode(mode: RawMode) -> FileType {
        let known = TYPES.iter().find(|(_, bits)| mode & TYPE == *bits);
        known.map_or(FileType::Unknown, |(kind, _)| *kind)
    }

    /// Its bits in `st_mode`.
    pub fn as_raw_mode(self) -> RawMode {
        TYPES.iter().find(|(kind, _)| *kind == self).map_or(0, |(_, bits)| *bits)
    }
}

/// A span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timespec {
    /// Seconds.
    pub tv_sec: i64,
    /// Nanoseconds besides.
    pub tv_nsec: i64,
}

impl TryFrom<Duration> for Timespec {
    type Error = std::num::TryFromIntError;

    fn try_from(time: Duration) -> std::result::Result<Timespec, Self::Error> {
        Ok(Timespec { tv_sec: time.as_secs().try_into()?, tv_nsec: time.subsec_nanos().into() })
    }
}

impl TryFrom<Timespec> for Duration {
    type Error = std::num::TryFromIntError;

    fn try_from(time: Timespec) -> std::result::Result<Duration, Self::Error> {
        Ok(Duration::new(time.tv_sec.try_into()?, time.tv_nsec.try_into()?))
    }
}

bitflags::bitflags! {
    /// What is waited for, and what has happened.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct PollFlags: u16 {
        /// Bytes to read, or the end.
        const IN = 1;
        /// Room to write.
        const OUT = 4;
        /// An error.
        const ERR = 8;
        /// The other end is closed.
        const HUP = 16;
    }
}

/// A terminal's size in characters.
#[derive(Clone, Copy, Debug)]
pub struct Winsize {
    /// Its lines.
    pub ws_row: u16,
    /// Its columns.
    pub ws_col: u16,
}
