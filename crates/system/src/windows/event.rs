//! Waiting for handles. Windows cannot wait for a pipe: they are looked at again and again.
#![allow(unsafe_code)] // Calls of the system.

use crate::fd::{AsFd, BorrowedFd};
use crate::io::{Errno, Result, ioctl_fionread};
use std::os::windows::io::AsRawHandle;
use std::time::{Duration, Instant};
use windows_sys::Win32::Foundation::WAIT_OBJECT_0;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_TYPE_CHAR, FILE_TYPE_DISK, FILE_TYPE_PIPE, GetFileType,
};
use windows_sys::Win32::System::Threading::WaitForSingleObject;

pub use crate::no_rustix::{PollFlags, Timespec};

/// Between two looks at first, and at most: what waits for long may wait a little longer.
const FIRST_NAP: Duration = Duration::from_micros(200);
const LONGEST_NAP: Duration = Duration::from_millis(5);

/// A handle to wait for.
#[derive(Clone, Debug)]
pub struct PollFd<'fd> {
    fd: BorrowedFd<'fd>,
    events: PollFlags,
    revents: PollFlags,
}

impl<'fd> PollFd<'fd> {
    /// Waits for `events` of `fd`, and its end.
    pub fn new<Fd: AsFd>(fd: &'fd Fd, events: PollFlags) -> PollFd<'fd> {
        PollFd::from_borrowed_fd(fd.as_fd(), events)
    }

    /// Waits for `events` of `fd`, and its end.
    pub fn from_borrowed_fd(fd: BorrowedFd<'fd>, events: PollFlags) -> PollFd<'fd> {
        PollFd { fd, events, revents: PollFlags::empty() }
    }

    /// What has happened.
    pub fn revents(&self) -> PollFlags {
        self.revents
    }

    fn look(&mut self) {
        let handle = self.fd.as_raw_handle();
        // SAFETY: the handle is open or null.
        let known = match unsafe { GetFileType(handle) } {
            FILE_TYPE_PIPE => match ioctl_fionread(self.fd) {
                Ok(0) => PollFlags::OUT,
                Ok(_) => PollFlags::IN | PollFlags::OUT,
                Err(Errno::PIPE) => PollFlags::IN | PollFlags::HUP,
                // A writing end, or a pipe that cannot be asked: the call waits.
                Err(_) => PollFlags::IN | PollFlags::OUT,
            },
            // Reading them waits, if it does, in the call.
            FILE_TYPE_DISK | FILE_TYPE_CHAR => PollFlags::IN | PollFlags::OUT,
            // SAFETY: the handle is open or null. A process is signalled when it has ended.
            _ => match unsafe { WaitForSingleObject(handle, 0) } {
                WAIT_OBJECT_0 => PollFlags::IN,
                _ => PollFlags::empty(),
            },
        };
        self.revents = known & (self.events | PollFlags::ERR | PollFlags::HUP);
    }
}

/// Waits until something has happened to one of them, or for `limit`; to how many.
///
/// # Errors
/// None.
pub fn poll(fds: &mut [PollFd<'_>], limit: Option<&Timespec>) -> Result<usize> {
    let begin = Instant::now();
    let limit = limit.and_then(|&limit| Duration::try_from(limit).ok());
    let mut nap = FIRST_NAP;
    loop {
        fds.iter_mut().for_each(PollFd::look);
        let count = fds.iter().filter(|fd| !fd.revents.is_empty()).count();
        let left = limit.map(|limit| limit.saturating_sub(begin.elapsed()));
        if count > 0 || left == Some(Duration::ZERO) {
            return Ok(count);
        }
        std::thread::sleep(left.map_or(nap, |left| nap.min(left)));
        nap = (nap * 2).min(LONGEST_NAP);
    }
}
