//! The entries of a folder.

use super::fs::{AtFlags, FileType, final_path, statat};
use crate::fd::{AsFd, BorrowedFd, OwnedFd};
use crate::io::{Errno, Result};
use crate::names::OsStringExt;
use std::ffi::{CStr, CString};
use std::fs::ReadDir;

/// An open folder.
#[derive(Debug)]
pub struct Dir {
    folder: OwnedFd,
    /// Boxed, as it holds the longest name there is.
    entries: Box<ReadDir>,
    /// What the standard library leaves out.
    dots: std::array::IntoIter<&'static CStr, 2>,
}

/// An entry of a folder.
#[derive(Debug)]
pub struct DirEntry {
    name: CString,
    number: u64,
    kind: FileType,
}

impl Dir {
    /// Takes an open folder.
    ///
    /// # Errors
    /// The system's.
    pub fn new(folder: OwnedFd) -> Result<Dir> {
        let entries = Box::new(std::fs::read_dir(final_path(folder.as_fd())?)?);
        Ok(Dir { folder, entries, dots: [c".", c".."].into_iter() })
    }

    /// As [`new`](Dir::new), and leaves the folder open.
    ///
    /// # Errors
    /// The system's.
    pub fn read_from(folder: impl AsFd) -> Result<Dir> {
        Dir::new(folder.as_fd().try_clone_to_owned()?)
    }

    /// The next entry.
    pub fn read(&mut self) -> Option<Result<DirEntry>> {
        if let Some(name) = self.dots.next() {
            return Some(Ok(self.entry(name.into(), FileType::Directory)));
        }
        Some(match self.entries.next()? {
            Ok(entry) => {
                let kind = entry.file_type().map_or(FileType::Unknown, |kind| {
                    if kind.is_symlink() {
                        FileType::Symlink
                    } else if kind.is_dir() {
                        FileType::Directory
                    } else {
                        FileType::RegularFile
                    }
                });
                match CString::new(entry.file_name().into_vec()) {
                    Ok(name) => Ok(self.entry(name, kind)),
                    Err(_) => Err(Errno::INVAL),
                }
            }
            Err(error) => Err(error.into()),
        })
    }

    fn entry(&self, name: CString, kind: FileType) -> DirEntry {
        let known = statat(&self.folder, &name, AtFlags::SYMLINK_NOFOLLOW);
        DirEntry { name, number: known.map_or(0, |known| known.st_ino), kind }
    }

    /// Its handle.
    ///
    /// # Errors
    /// None.
    pub fn fd(&self) -> Result<BorrowedFd<'_>> {
        Ok(self.folder.as_fd())
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
        &self.name
    }

    /// Its number on the volume, or 0.
    pub fn ino(&self) -> u64 {
        self.number
    }
}

/// What an entry of a folder is.
pub fn type_of(entry: &DirEntry) -> FileType {
    entry.kind
}
