//! Terminals.
#![allow(unsafe_code)] // A call of the system.

use crate::fd::{AsFd, BorrowedFd};
use crate::io::{Errno, Result};
use std::io::IsTerminal;
use std::os::windows::io::AsRawHandle;
use windows_sys::Win32::System::Console::{CONSOLE_SCREEN_BUFFER_INFO, GetConsoleScreenBufferInfo};

pub use crate::no_rustix::Winsize;

/// Whether it is a console, or a pipe that a terminal of MSYS stands behind.
pub fn isatty(fd: impl AsFd) -> bool {
    let fd: BorrowedFd<'_> = fd.as_fd();
    fd.is_terminal()
}

/// The size of a console's window.
///
/// # Errors
/// It is no console that is written to.
pub fn tcgetwinsize(fd: impl AsFd) -> Result<Winsize> {
    let mut known = CONSOLE_SCREEN_BUFFER_INFO::default();
    // SAFETY: the handle is open during the call, which writes to `known` alone.
    if unsafe { GetConsoleScreenBufferInfo(fd.as_fd().as_raw_handle(), &mut known) } == 0 {
        return Err(Errno::last());
    }
    let window = known.srWindow;
    let side = |from: i16, to: i16| u16::try_from(to - from + 1).unwrap_or(0);
    Ok(Winsize { ws_row: side(window.Top, window.Bottom), ws_col: side(window.Left, window.Right) })
}
