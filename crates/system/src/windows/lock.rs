//! Whole-file locks. Those of Windows keep others from reading and writing what is locked; so that these do
//! not, as with `flock`, what is locked is one byte that no file reaches to.
#![allow(unsafe_code)] // Calls of the system.

use crate::fd::AsFd;
use crate::fs::FlockOperation;
use crate::io::{Errno, Result};
use std::os::windows::io::AsRawHandle;
use windows_sys::Win32::Foundation::ERROR_LOCK_VIOLATION;
use windows_sys::Win32::Storage::FileSystem::{
    LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx, UnlockFileEx,
};
use windows_sys::Win32::System::IO::OVERLAPPED;

/// Locks a file, once for each time that it was opened, or unlocks it.
///
/// # Errors
/// [`Errno::WOULDBLOCK`] if another has it and nothing waits, or the system's.
pub fn flock(fd: impl AsFd, operation: FlockOperation) -> Result<()> {
    let handle = fd.as_fd().as_raw_handle();
    let mut place = OVERLAPPED::default();
    // A program that locks all of a file locks this byte, too.
    place.Anonymous.Anonymous.Offset = u32::MAX - 1;
    place.Anonymous.Anonymous.OffsetHigh = i32::MAX.cast_unsigned();
    let flags = match operation {
        FlockOperation::Unlock => None,
        FlockOperation::LockShared => Some(0),
        FlockOperation::LockExclusive => Some(LOCKFILE_EXCLUSIVE_LOCK),
        FlockOperation::NonBlockingLockShared => Some(LOCKFILE_FAIL_IMMEDIATELY),
        FlockOperation::NonBlockingLockExclusive => {
            Some(LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY)
        }
    };
    // SAFETY: the handle is open and waits in its calls, so that `place` is not used after them.
    let done = unsafe {
        match flags {
            Some(flags) => LockFileEx(handle, flags, 0, 1, 0, &mut place),
            None => UnlockFileEx(handle, 0, 1, 0, &mut place),
        }
    };
    match (done, Errno::last()) {
        (0, error) if error.raw_os_error() == ERROR_LOCK_VIOLATION as i32 => Err(Errno::WOULDBLOCK),
        (0, error) => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{File, OpenOptions};
    use std::io::{Read, Write};

    #[test]
    fn a_locked_file_is_refused_to_who_locks_and_open_to_others() -> std::io::Result<()> {
        let path = std::env::temp_dir().join(format!("riverhawk-lock-{}", std::process::id()));
        let first = File::create(&path)?;
        let mut second = OpenOptions::new().read(true).write(true).open(&path)?;
        flock(&first, FlockOperation::LockExclusive)?;
        for refused in
            [FlockOperation::NonBlockingLockShared, FlockOperation::NonBlockingLockExclusive]
        {
            assert_eq!(flock(&second, refused), Err(Errno::WOULDBLOCK));
        }
        second.write_all(b"written\n")?;
        flock(&first, FlockOperation::Unlock)?;
        flock(&first, FlockOperation::LockShared)?;
        flock(&second, FlockOperation::NonBlockingLockShared)?;
        let mut text = String::new();
        File::open(&path)?.read_to_string(&mut text)?;
        drop((first, second));
        std::fs::remove_file(&path)?;
        assert_eq!(text, "written\n");
        Ok(())
    }
}
