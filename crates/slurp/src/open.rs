//! Opening a file by name, with an optional lock.

use crate::error::{Failure, Step, during};
use crate::lock::{Lock, Locking};
use riverhawk_system::fd::{AsFd, OwnedFd};
use riverhawk_system::fs::{FileType, Mode, OFlags, Stat};
use riverhawk_system::io::{Errno, retry_on_intr};
use std::path::Path;
use std::time::Instant;

/// Opens `path`. Waits for a FIFO; a terminal never becomes the controlling one.
///
/// With a lock, the file is the one that `path` names *after* the lock was taken: an atomic writer
/// may have given the name to another inode.
#[inline]
pub(crate) fn open(
    path: &Path,
    flags: OFlags,
    mode: Mode,
    locking: Locking,
) -> Result<OwnedFd, Failure> {
    let open_once = || {
        let flags = flags | OFlags::CLOEXEC | OFlags::NOCTTY;
        retry_on_intr(|| riverhawk_system::fs::open(path, flags, mode)).map_err(during(Step::Open))
    };
    if locking.lock == Lock::None {
        return open_once();
    }
    let mut begin = None;
    loop {
        let file = open_once()?;
        let begin = *begin.get_or_insert_with(Instant::now);
        locking.take(file.as_fd(), begin)?;
        let locked = stat_open(file.as_fd())?;
        match riverhawk_system::fs::stat(path) {
            Ok(named) if is_same_file(&named, &locked) => return Ok(file),
            Ok(_) | Err(Errno::NOENT) => {}
            Err(error) => return Err(during(Step::Lock)(error)),
        }
    }
}

#[inline]
pub(crate) fn stat_open(file: impl AsFd) -> Result<Stat, Failure> {
    riverhawk_system::fs::fstat(file).map_err(during(Step::Resolve))
}

pub(crate) fn is_same_file(one: &Stat, other: &Stat) -> bool {
    (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
}

/// Has a size and can be truncated.
#[inline]
pub(crate) fn is_regular(stat: &Stat) -> bool {
    FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile
}
