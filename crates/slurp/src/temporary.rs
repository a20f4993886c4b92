//! The temporary file of an atomic write: new, in the directory of its target, and gone on every
//! way out but success.

use crate::error::{Failure, Step, during};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, Mode, OFlags, openat, unlinkat};
use rustix::io::{Errno, retry_on_intr};
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};

/// What temporary names begin with. A process that is killed in the middle of an atomic write
/// leaves such a file behind, half written; it may be removed whenever no writer is at work in the
/// directory.
pub const TEMPORARY_PREFIX: &str = ".riverhawk-";

/// How often a name is drawn before giving up. Two of the 2^64 names meet once in a lifetime;
/// somebody who can guess them is kept out by `O_EXCL`, and must not keep us here for ever.
const TRIES: usize = 64;

/// An unfinished file. Dropping it, also while panicking, removes it.
#[derive(Debug)]
pub(crate) struct Temporary<D: AsFd> {
    directory: D,
    pub(crate) name: OsString,
    /// Taken out when the file is closed.
    file: Option<OwnedFd>,
    remove: bool,
}

impl<D: AsFd> Temporary<D> {
    /// Creates a file nobody else has, with these permissions less the umask.
    pub(crate) fn create(directory: D, mode: Mode) -> Result<Self, Failure> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut last = Errno::EXIST;
        for _ in 0..TRIES {
            let name = OsString::from(format!("{TEMPORARY_PREFIX}{:016x}", unpredictable()));
            match retry_on_intr(|| openat(&directory, &name, flags, mode)) {
                Ok(file) => return Ok(Self { directory, name, file: Some(file), remove: true }),
                Err(Errno::EXIST) => {}
                Err(error) => {
                    last = error;
                    break;
                }
            }
        }
        Err(during(Step::CreateTemporary)(last))
    }

    /// The open file; the error can only be met after [`close`](Self::close).
    pub(crate) fn file(&self) -> Result<BorrowedFd<'_>, Failure> {
        self.file.as_ref().map(AsFd::as_fd).ok_or_else(|| during(Step::Close)(Errno::BADF))
    }

    /// Closes the file, which is where network file systems say that they lost something.
    pub(crate) fn close(&mut self) -> Result<(), Failure> {
        self.file.take().map_or(Ok(()), crate::close::close)
    }

    /// The file is no longer temporary: it has the name it was made for.
    pub(crate) fn keep(mut self) {
        self.remove = false;
    }
}

impl<D: AsFd> Drop for Temporary<D> {
    fn drop(&mut self) {
        if self.remove {
            // Whatever failed before is the error worth telling; a directory that lets nothing be
            // removed is not.
            let _ = unlinkat(&self.directory, &self.name, AtFlags::empty());
        }
    }
}

/// 64 bits from the hash seed that the standard library takes from the operating system.
fn unpredictable() -> u64 {
    RandomState::new().hash_one(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_repeat() {
        let names: std::collections::HashSet<u64> = (0..10_000).map(|_| unpredictable()).collect();
        assert_eq!(names.len(), 10_000);
    }
}
