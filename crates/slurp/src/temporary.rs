//! The temporary file of an atomic write, removed unless it succeeds.

use crate::error::{Failure, Step, during};
use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use riverhawk_system::fs::{AtFlags, Mode, OFlags, openat, unlinkat};
use riverhawk_system::io::{Errno, retry_on_intr};
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};

/// The beginning of temporary names. A killed process leaves such a file, which may be removed
/// while no writer is active.
pub const TEMPORARY_PREFIX: &str = ".riverhawk-";

/// Attempts to find a free name: a process that guesses names must not block us forever.
const TRIES: usize = 64;

/// An unfinished file, removed on drop, also by a panic.
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

    /// Fails only after [`close`](Self::close).
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

/// 64 bits from the standard library's hash seed, which comes from the operating system.
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
