//! The temporary file of an atomic write, removed on every way but success.

use crate::error::{Failure, Step, during};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, Mode, OFlags, openat, unlinkat};
use rustix::io::{Errno, retry_on_intr};
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};

/// What temporary names begin with. A killed process leaves such a file, which may be removed while
/// no writer is at work.
pub const TEMPORARY_PREFIX: &str = ".riverhawk-";

/// How often a name is drawn. `O_EXCL` keeps out whoever guesses it, and must not keep us here for
/// ever.
const TRIES: usize = 64;

/// An unfinished file. Dropping it, also while panicking, removes it.
#[derive(Debug)]
pub(crate) struct Temporary<D: AsFd> {
    directory: D,
    pub(crate) name: OsString,
    file: Option<OwnedFd>,
    remove: bool,
}

impl<D: AsFd> Temporary<D> {
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

    /// There is an error only after [`close`](Self::close).
    pub(crate) fn file(&self) -> Result<BorrowedFd<'_>, Failure> {
        self.file.as_ref().map(AsFd::as_fd).ok_or_else(|| during(Step::Close)(Errno::BADF))
    }

    pub(crate) fn close(&mut self) -> Result<(), Failure> {
        self.file.take().map_or(Ok(()), crate::close::close)
    }

    pub(crate) fn keep(mut self) {
        self.remove = false;
    }
}

impl<D: AsFd> Drop for Temporary<D> {
    fn drop(&mut self) {
        if self.remove {
            // The failure before is the one to report.
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
