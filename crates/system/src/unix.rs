//! UNIX.

use crate::{Facts, Symlinks};
use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

pub use rustix::{buffer, event, fd, io, net, pipe, process, pty, stdio, termios, thread, time};

/// Files.
pub mod fs {
    pub use rustix::fs::*;

    /// Whether files have permissions and owners.
    pub const HAS_PERMISSIONS: bool = true;

    /// What an entry of a directory is, if the directory says so.
    pub fn type_of(entry: &DirEntry) -> FileType {
        entry.file_type()
    }

    /// A file has no extended attribute of a name.
    pub const NO_ATTRIBUTE: rustix::io::Errno = rustix::io::Errno::NODATA;
}

/// The number of this process, where processes have numbers.
pub fn process_id() -> Option<u32> {
    Some(std::process::id())
}

/// What is known of files.
impl Facts {
    /// Of what has a name.
    ///
    /// # Errors
    /// The system's.
    pub fn of_path(path: impl AsRef<Path>, links: Symlinks) -> std::io::Result<Facts> {
        match links {
            Symlinks::Followed => std::fs::metadata(path),
            Symlinks::AsTheyAre => std::fs::symlink_metadata(path),
        }
        .map(|known| Facts::of(&known))
    }

    /// Of an open file.
    ///
    /// # Errors
    /// The system's.
    pub fn of_file(file: &File) -> std::io::Result<Facts> {
        file.metadata().map(|known| Facts::of(&known))
    }

    fn of(known: &Metadata) -> Facts {
        Facts {
            device: known.dev(),
            inode: known.ino(),
            mode: known.mode(),
            links: known.nlink(),
            user: known.uid(),
            group: known.gid(),
            special: known.rdev(),
            size: known.size(),
            block_size: known.blksize(),
            blocks: known.blocks(),
            accessed: known.atime(),
            modified: known.mtime(),
            changed: known.ctime(),
        }
    }
}

/// Names of the system as bytes, and bytes as names.
pub mod names {
    pub use std::os::unix::ffi::{OsStrExt, OsStringExt};

    /// What separates the folders of a list such as `AWKPATH`.
    pub const PATH_SEPARATOR: u8 = b':';

    /// Whether it separates the parts of a path.
    pub fn is_separator(byte: u8) -> bool {
        byte == b'/'
    }

    /// Whether a name says in which folder the file is.
    pub fn has_folder(name: &[u8]) -> bool {
        name.contains(&b'/')
    }
}
