//! Consoles, which speak UTF-16 whatever their code page is.
#![allow(unsafe_code)] // Calls of the system.

use crate::fd::BorrowedFd;
use crate::io::{Errno, Result};
use std::mem::MaybeUninit;
use std::os::windows::io::AsRawHandle;
use std::sync::{Mutex, PoisonError};
use windows_sys::Win32::System::Console::{GetConsoleMode, ReadConsoleW, WriteConsoleW};

/// UTF-16 units of a call.
const UNITS: usize = 4096;

/// Control-Z at the beginning of a line is the end of the input.
const END: u16 = 0x1A;

/// Whether a handle is a console's.
pub(crate) fn is_console(fd: BorrowedFd<'_>) -> bool {
    let mut mode = 0;
    // SAFETY: the handle is open or null, and the call writes to `mode` alone.
    unsafe { GetConsoleMode(fd.as_raw_handle(), &mut mode) != 0 }
}

/// What was typed and has not been asked for yet.
#[derive(Default)]
struct Typed {
    bytes: Vec<u8>,
    /// The first half of a pair whose second is in the next call.
    half: Option<u16>,
}

/// Reads UTF-8. Lines end in `\n` alone, as those of files on UNIX do.
pub(crate) fn read(fd: BorrowedFd<'_>, room: &mut [MaybeUninit<u8>]) -> Result<usize> {
    static TYPED: Mutex<Option<Typed>> = Mutex::new(None);
    let mut typed = TYPED.lock().unwrap_or_else(PoisonError::into_inner);
    let typed = typed.get_or_insert_default();
    while typed.bytes.is_empty() {
        let mut units: Vec<u16> = typed.half.take().into_iter().collect();
        let before = units.len();
        units.resize(before + UNITS, 0);
        let mut count = 0;
        // SAFETY: the handle is open, and the call writes at most `UNITS` to our memory.
        let done = unsafe {
            let start = units[before..].as_mut_ptr().cast();
            ReadConsoleW(fd.as_raw_handle(), start, UNITS as u32, &mut count, std::ptr::null())
        };
        if done == 0 {
            return Err(Errno::last());
        }
        units.truncate(before + count as usize);
        if count == 0 || units.first() == Some(&END) {
            return Ok(0);
        }
        typed.half = units.pop_if(|last| matches!(last, 0xD800..=0xDBFF));
        let text = String::from_utf16_lossy(&units);
        typed.bytes = text.replace("\r\n", "\n").into_bytes();
    }
    let count = typed.bytes.len().min(room.len());
    for (place, byte) in room.iter_mut().zip(typed.bytes.drain(..count)) {
        place.write(byte);
    }
    Ok(count)
}

/// Writes UTF-8. What is none is shown as U+FFFD; a character may come in parts.
pub(crate) fn write(fd: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize> {
    /// The beginning of a character.
    static BEGUN: Mutex<Vec<u8>> = Mutex::new(Vec::new());
    let bytes = &bytes[..bytes.len().min(UNITS)];
    let mut begun = BEGUN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut all = std::mem::take(&mut *begun);
    all.extend_from_slice(bytes);
    if let Err(error) = std::str::from_utf8(&all) {
        let rest = &all[error.valid_up_to()..];
        // Only an unfinished character at the end waits; an error before it is shown at once.
        if error.error_len().is_none() && rest.len() < 4 {
            *begun = all.split_off(error.valid_up_to());
        }
    }
    let units: Vec<u16> = String::from_utf8_lossy(&all).encode_utf16().collect();
    let mut rest = &units[..];
    while !rest.is_empty() {
        let mut count = 0;
        // SAFETY: the handle is open, and the units stay during the call.
        let done = unsafe {
            let (start, length) = (rest.as_ptr(), rest.len() as u32);
            WriteConsoleW(fd.as_raw_handle(), start.cast(), length, &mut count, std::ptr::null())
        };
        if done == 0 {
            return Err(Errno::last());
        }
        rest = &rest[count as usize..];
    }
    Ok(bytes.len())
}
