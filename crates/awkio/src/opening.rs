//! Opening a FIFO waits for its other end; that wait ends with the run.

use crate::cancel;
use riverhawk_system::fd::{AsFd, OwnedFd};
use riverhawk_system::fs::{FileType, Mode, OFlags, Stat};
use riverhawk_system::io::Errno;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::time::Duration;

/// Between two attempts to write to a FIFO without readers, in a run that can be stopped.
const TRIED_EVERY: Duration = Duration::from_millis(2);

/// Opens a file, which is made if `flags` say so.
pub(super) fn open(path: &OsStr, flags: OFlags) -> io::Result<File> {
    let open = |flags| riverhawk_system::fs::open(path, flags, Mode::from_raw_mode(0o666));
    open_by(open, flags | OFlags::CLOEXEC, || riverhawk_system::fs::stat(path))
}

/// Opens what `open` opens with given flags, and `stat` describes.
pub(super) fn open_by(
    open: impl Fn(OFlags) -> riverhawk_system::io::Result<OwnedFd>,
    flags: OFlags,
    stat: impl Fn() -> riverhawk_system::io::Result<Stat>,
) -> io::Result<File> {
    let is_stoppable = cancel::is_possible();
    let waiting = if is_stoppable { OFlags::NONBLOCK } else { OFlags::empty() };
    loop {
        match open(flags | waiting) {
            Err(Errno::INTR) => cancel::interrupted()?,
            Err(Errno::NXIO) if is_stoppable && is_fifo(stat()) => {
                cancel::sleep(TRIED_EVERY);
                cancel::interrupted()?;
            }
            Ok(fd) if is_stoppable => return wait_for_writer(File::from(fd), flags),
            result => return Ok(File::from(result?)),
        }
    }
}

/// A file opened without waiting becomes one like others.
fn wait_for_writer(file: File, flags: OFlags) -> io::Result<File> {
    let stat = riverhawk_system::fs::fstat(&file)?;
    if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile {
        return Ok(file);
    }
    if is_fifo(Ok(stat)) && !flags.contains(OFlags::WRONLY) {
        // Without a writer it would seem to be at its end.
        cancel::wait_until_readable(file.as_fd())?;
    }
    riverhawk_system::fs::fcntl_setfl(&file, flags.intersection(OFlags::APPEND))?;
    Ok(file)
}

fn is_fifo(stat: riverhawk_system::io::Result<Stat>) -> bool {
    stat.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Fifo)
}
