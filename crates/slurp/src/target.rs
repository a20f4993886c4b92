//! The target of an atomic write: the file behind symbolic links, as a name in an open directory.

use crate::error::{ErrorKind, Failure, Step, during};
use crate::open::{is_regular, is_same_file};
use riverhawk_system::fd::OwnedFd;
use riverhawk_system::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use riverhawk_system::io::{Errno, retry_on_intr};
use riverhawk_system::names::{self, OsStrExt, OsStringExt};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

const MAX_LINKS: usize = 40;

/// A name in an open directory, independent of the working directory.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) directory: OwnedFd,
    pub(crate) name: OsString,
    /// For calls that take paths.
    pub(crate) path: PathBuf,
    pub(crate) old: Option<Stat>,
}

impl Target {
    /// Resolves `path`. A dangling link leads to a new file.
    pub(crate) fn resolve(path: &Path) -> Result<Self, Failure> {
        let old = match riverhawk_system::fs::stat(path) {
            Ok(stat) => Some(stat),
            Err(Errno::NOENT) => None,
            Err(error) => return Err(during(Step::Resolve)(error)),
        };
        if let Some(stat) = &old
            && !is_regular(stat)
        {
            return Err(not_regular(stat));
        }
        Self::at(follow_links(path)?, old)
    }

    /// `path` itself, which must not exist, even as a link.
    pub(crate) fn new_file(path: &Path) -> Result<Self, Failure> {
        Self::at(path.to_owned(), None)
    }

    fn at(path: PathBuf, old: Option<Stat>) -> Result<Self, Failure> {
        // It names a directory, or nothing.
        let ends_with_slash =
            path.as_os_str().as_bytes().last().is_some_and(|&last| names::is_separator(last));
        let name = match path.file_name() {
            Some(name) if !ends_with_slash => name.to_owned(),
            _ => {
                return Err(during(Step::Resolve)(if path.as_os_str().is_empty() {
                    Errno::NOENT
                } else {
                    Errno::ISDIR
                }));
            }
        };
        let directory = open_directory(parent(&path), SEARCH_ONLY)?;
        if let Some(old) = &old {
            // Links under /proc/self/fd may have a stale target: check that it is the file that
            // `path` names.
            match riverhawk_system::fs::statat(&directory, &name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(found) if is_same_file(&found, old) => {}
                Ok(_) | Err(Errno::NOENT) => {
                    let message = "it has no name under which it could be replaced";
                    return Err(Failure::new(Step::Resolve, ErrorKind::NotARegularFile, message));
                }
                Err(error) => return Err(during(Step::Resolve)(error)),
            }
        }
        Ok(Self { directory, name, path, old })
    }

    pub(crate) fn sync_directory(&self) -> Result<(), Failure> {
        sync_directory_of(&self.path)
    }
}

pub(crate) fn sync_directory_of(path: &Path) -> Result<(), Failure> {
    let directory = open_directory(parent(path), OFlags::RDONLY)
        .map_err(|failure| Failure { step: Step::Sync, ..failure })?;
    crate::writing::sync(directory)
}

/// Needs no permission to list the directory.
#[cfg(target_os = "linux")]
const SEARCH_ONLY: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const SEARCH_ONLY: OFlags = OFlags::RDONLY;

fn open_directory(path: &Path, flags: OFlags) -> Result<OwnedFd, Failure> {
    let flags = flags | OFlags::DIRECTORY | OFlags::CLOEXEC;
    retry_on_intr(|| riverhawk_system::fs::open(path, flags, Mode::empty()))
        .map_err(during(Step::Open))
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Resolves symbolic links in `path`.
pub(crate) fn follow_links(path: &Path) -> Result<PathBuf, Failure> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match riverhawk_system::fs::readlink(&path, Vec::new()) {
            Ok(target) => {
                let target = OsString::from_vec(target.into_bytes());
                path = parent(&path).join(OsStr::new(&target));
            }
            // Not a link, or missing.
            Err(Errno::INVAL | Errno::NOENT) => return Ok(path),
            Err(error) => return Err(during(Step::Resolve)(error)),
        }
    }
    Err(during(Step::Resolve)(Errno::LOOP))
}

pub(crate) fn not_regular(stat: &Stat) -> Failure {
    if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
        return during(Step::Open)(Errno::ISDIR);
    }
    Failure::new(
        Step::Open,
        ErrorKind::NotARegularFile,
        "not a regular file, it cannot be replaced",
    )
}
