//! Files, of which there are none.

use crate::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::io::{Errno, Result};
use crate::{Facts, Symlinks};
use std::ffi::{CStr, CString};
use std::fs::File;
use std::path::Path;

pub use crate::bare::*;
pub use crate::no_rustix::{Access, AtFlags, CWD, Cwd, Mode, OFlags, RawMode};
pub use std::io::SeekFrom;

/// What is known of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stat {
    /// Its device.
    pub st_dev: u64,
    /// Its number there.
    pub st_ino: u64,
    /// Its type and permissions.
    pub st_mode: RawMode,
    /// Bytes.
    pub st_size: i64,
    /// Its names.
    pub st_nlink: u64,
    /// The owner.
    pub st_uid: u32,
    /// The group.
    pub st_gid: u32,
}

/// An open folder, of which no call makes one.
#[derive(Debug)]
pub struct Dir(std::convert::Infallible);

/// An entry of a folder.
#[derive(Debug)]
pub struct DirEntry(std::convert::Infallible);

impl Dir {
    /// Takes an open folder.
    ///
    /// # Errors
    /// Always.
    pub fn new(_: OwnedFd) -> Result<Dir> {
        Err(Errno::NOTSUP)
    }

    /// Opens an open folder once more.
    ///
    /// # Errors
    /// Always.
    pub fn read_from(_: impl AsFd) -> Result<Dir> {
        Err(Errno::NOTSUP)
    }

    /// The next entry.
    pub fn read(&mut self) -> Option<Result<DirEntry>> {
        match self.0 {}
    }

    /// Its descriptor.
    ///
    /// # Errors
    /// None.
    pub fn fd(&self) -> Result<BorrowedFd<'_>> {
        match self.0 {}
    }
}

impl Iterator for Dir {
    type Item = Result<DirEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read()
    }
}

impl DirEntry {
    /// Its name.
    pub fn file_name(&self) -> &CStr {
        match self.0 {}
    }

    /// Its number.
    pub fn ino(&self) -> u64 {
        match self.0 {}
    }
}

/// What an entry of a folder is.
pub fn type_of(entry: &DirEntry) -> FileType {
    match entry.0 {}
}

macro_rules! refused {
    ($($(#[$about:meta])* $name:ident($($argument:ty),*) -> $answer:ty;)*) => {
        $($(#[$about])*
        ///
        /// # Errors
        /// Always.
        pub fn $name($(_: $argument),*) -> Result<$answer> {
            Err(Errno::NOTSUP)
        })*
    };
}

refused! {
    /// What is known of an open file.
    fstat(impl AsFd) -> Stat;
    /// Cuts an open file off, or adds zeros.
    ftruncate(impl AsFd, u64) -> ();
    /// Writes what was written to the disk.
    fsync(impl AsFd) -> ();
    /// Moves the position; gives the new one.
    seek(impl AsFd, SeekFrom) -> u64;
    /// The position.
    tell(impl AsFd) -> u64;
    /// How a file was opened.
    fcntl_getfl(impl AsFd) -> OFlags;
    /// Calls that do not block.
    fcntl_setfl(impl AsFd, OFlags) -> ();
    /// Locks a file.
    flock(impl AsFd, FlockOperation) -> ();
}

macro_rules! refused_names {
    ($($(#[$about:meta])* $name:ident<$($kind:ident),*>($($argument:ty),*) -> $answer:ty;)*) => {
        $($(#[$about])*
        ///
        /// # Errors
        /// Always.
        pub fn $name<$($kind),*>($(_: $argument),*) -> Result<$answer> {
            Err(Errno::NOTSUP)
        })*
    };
}

refused_names! {
    /// Opens a file.
    open<Name>(Name, OFlags, Mode) -> OwnedFd;
    /// Opens a file below an open folder.
    openat<Folder, Name>(Folder, Name, OFlags, Mode) -> OwnedFd;
    /// What is known of a file, through symbolic links.
    stat<Name>(Name) -> Stat;
    /// What is known of a file, which may be a symbolic link.
    lstat<Name>(Name) -> Stat;
    /// What is known of a file below an open folder.
    statat<Folder, Name>(Folder, Name, AtFlags) -> Stat;
    /// Whether something may be done with a file.
    accessat<Folder, Name>(Folder, Name, Access, AtFlags) -> ();
    /// Gives a file another name.
    renameat<From, Name, To, NewName>(From, Name, To, NewName) -> ();
    /// Gives a file a second name.
    linkat<From, Name, To, NewName>(From, Name, To, NewName, AtFlags) -> ();
    /// Removes a name.
    unlinkat<Folder, Name>(Folder, Name, AtFlags) -> ();
    /// Where a symbolic link leads.
    readlink<Name>(Name, Vec<u8>) -> CString;
}

impl Facts {
    /// Of what has a name.
    ///
    /// # Errors
    /// Always.
    pub fn of_path(_: impl AsRef<Path>, _: Symlinks) -> std::io::Result<Facts> {
        Err(Errno::NOTSUP.into())
    }

    /// Of an open file.
    ///
    /// # Errors
    /// Always.
    pub fn of_file(_: &File) -> std::io::Result<Facts> {
        Err(Errno::NOTSUP.into())
    }
}
