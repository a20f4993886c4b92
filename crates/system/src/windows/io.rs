//! Reading, writing, and errors.
#![allow(unsafe_code)] // Calls of the system.

use super::console;
use crate::buffer::Buffer;
use crate::fd::{AsFd, BorrowedFd, OwnedFd, RawFd};
use std::fs::File;
use std::io::{self, Seek, SeekFrom};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::os::windows::io::{AsRawHandle, FromRawHandle};
use std::sync::{Mutex, PoisonError};
use windows_sys::Win32::Foundation::CloseHandle;
use windows_sys::Win32::Storage::FileSystem::{ReadFile, WriteFile};
use windows_sys::Win32::System::IO::OVERLAPPED;
use windows_sys::Win32::System::Pipes::PeekNamedPipe;
use windows_sys::Win32::System::Threading::{GetCurrentProcess, TerminateProcess};

pub use super::errno::Errno;

/// Of a call of the system.
pub type Result<T> = std::result::Result<T, Errno>;

/// The size of a call.
const MAX_CALL: usize = 1 << 30;

/// Runs `call` again as long as it is interrupted, which is never.
///
/// # Errors
/// Those of `call`.
pub fn retry_on_intr<T>(mut call: impl FnMut() -> Result<T>) -> Result<T> {
    call()
}

/// Reads once; 0 bytes are the end. From a console: lines as UTF-8 that end in `\n`.
///
/// # Errors
/// The system's.
pub fn read<B: Buffer>(fd: impl AsFd, mut buffer: B) -> Result<B::Output> {
    let fd = fd.as_fd();
    let count = match console::is_console(fd) {
        true => console::read(fd, buffer.room())?,
        false => read_file(fd, buffer.room(), std::ptr::null_mut())?,
    };
    // SAFETY: the read has initialised that many.
    Ok(unsafe { buffer.filled(count) })
}

/// Reads once at an offset, and leaves the position where it is.
///
/// # Errors
/// The system's; or what is read has no position.
pub fn pread<B: Buffer>(fd: impl AsFd, mut buffer: B, offset: u64) -> Result<B::Output> {
    /// A read at an offset moves the position on Windows. One at a time, so that none puts it back
    /// to where another has moved it.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let fd = fd.as_fd();
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let at = with_file(fd, |mut file| file.stream_position())?;
    let mut place = OVERLAPPED::default();
    place.Anonymous.Anonymous.Offset = offset as u32;
    place.Anonymous.Anonymous.OffsetHigh = (offset >> 32) as u32;
    let count = read_file(fd, buffer.room(), &mut place);
    with_file(fd, |mut file| file.seek(SeekFrom::Start(at)))?;
    // SAFETY: the read has initialised that many.
    Ok(unsafe { buffer.filled(count?) })
}

fn read_file(
    fd: BorrowedFd<'_>,
    room: &mut [MaybeUninit<u8>],
    place: *mut OVERLAPPED,
) -> Result<usize> {
    let (mut count, length) = (0, room.len().min(MAX_CALL) as u32);
    // SAFETY: the handle is open, and the room's memory and `place` are ours during the call, which
    // ends with the read: no handle here was opened for overlapping calls.
    let done = unsafe {
        ReadFile(fd.as_raw_handle(), room.as_mut_ptr().cast(), length, &mut count, place)
    };
    match (done, Errno::last()) {
        // The writers of a pipe are gone, or the offset is behind the end.
        (0, Errno::PIPE | Errno::END) => Ok(0),
        (0, error) => Err(error),
        _ => Ok(count as usize),
    }
}

/// Writes once; how many bytes were taken. To a console: UTF-8.
///
/// # Errors
/// The system's.
pub fn write(fd: impl AsFd, bytes: &[u8]) -> Result<usize> {
    let fd = fd.as_fd();
    if console::is_console(fd) { console::write(fd, bytes) } else { write_file(fd, bytes) }
}

pub(super) fn write_file(fd: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize> {
    let (mut count, length) = (0, bytes.len().min(MAX_CALL) as u32);
    // SAFETY: the handle is open, and the bytes stay during the call.
    let done = unsafe {
        WriteFile(fd.as_raw_handle(), bytes.as_ptr(), length, &mut count, std::ptr::null_mut())
    };
    if done == 0 { Err(Errno::last()) } else { Ok(count as usize) }
}

/// A second handle of the same open file.
///
/// # Errors
/// The system's.
pub fn fcntl_dupfd_cloexec(fd: impl AsFd, _: i32) -> Result<OwnedFd> {
    Ok(fd.as_fd().try_clone_to_owned()?)
}

/// Calls that do not block: no handle has them.
///
/// # Errors
/// Always, unless nothing is asked for.
pub fn ioctl_fionbio(_: impl AsFd, value: bool) -> Result<()> {
    if value { Err(Errno::NOTSUP) } else { Ok(()) }
}

/// How many bytes wait in a pipe.
///
/// # Errors
/// It is no pipe.
pub fn ioctl_fionread(fd: impl AsFd) -> Result<u64> {
    let (mut waiting, nothing) = (0, std::ptr::null_mut());
    // SAFETY: the handle is open, and nothing is read.
    let known = unsafe {
        PeekNamedPipe(
            fd.as_fd().as_raw_handle(),
            std::ptr::null_mut(),
            0,
            nothing,
            &mut waiting,
            nothing,
        )
    };
    if known == 0 { Err(Errno::last()) } else { Ok(u64::from(waiting)) }
}

/// Closes a handle.
///
/// # Errors
/// The system's; the handle is closed anyway.
///
/// # Safety
/// The handle is open, and the caller's.
pub unsafe fn try_close(handle: RawFd) -> Result<()> {
    // SAFETY: the caller's.
    if unsafe { CloseHandle(handle) } == 0 { Err(Errno::last()) } else { Ok(()) }
}

/// Ends the process at once.
pub(super) fn exit(status: u8) -> ! {
    // SAFETY: the handle is this process's; the call has no other precondition.
    unsafe { TerminateProcess(GetCurrentProcess(), status.into()) };
    // It does not return for this process.
    std::process::abort()
}

/// The standard library's file of a handle, which stays open.
pub(crate) fn with_file<T>(
    fd: BorrowedFd<'_>,
    call: impl FnOnce(&File) -> io::Result<T>,
) -> Result<T> {
    // SAFETY: the handle is open during the call, and never closed by this file.
    let file = ManuallyDrop::new(unsafe { File::from_raw_handle(fd.as_raw_handle()) });
    Ok(call(&file)?)
}
