//! Windows: handles under the names of descriptors, the standard library's files, and few calls of
//! the system besides. No permissions, owners, signals or descriptors that do not block.

mod arguments;
mod console;
mod directory;
mod errno;
/// What programs are told about the system's errors.
pub mod errors {
    pub use super::errno::{number, words};
}
pub mod event;
pub mod fd;
pub mod fs;
pub mod io;
mod lock;
pub mod names;
pub mod stdio;
pub mod termios;

use crate::command_line;
use std::ffi::OsString;
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use windows_sys::Win32::System::Environment::GetCommandLineW;

/// Writes an ASCII message to standard error and ends the process, without memory, locks or what else
/// is to be done at its end.
pub fn exit_at_once(message: &[u8], status: u8) -> ! {
    // Nothing is left to be done about a message that cannot be written.
    let _ = io::write_file(stdio::stderr(), message);
    io::exit(status)
}

/// The arguments of this process. Those with wildcards outside of quotes are the files that match, as no
/// shell here puts them in their place.
pub fn arguments() -> Vec<OsString> {
    let list = |folder: &[u16]| {
        let folder = if folder.is_empty() { ".".into() } else { OsString::from_wide(folder) };
        // Where nothing can be listed, nothing matches, and the argument stays.
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().encode_wide().collect()).collect()
    };
    let arguments = command_line::split(&process_line());
    let name = arguments.first().map(|name| command_line::text_of(name));
    let others = arguments.iter().skip(1);
    let files = others.flat_map(|argument| command_line::expand(argument, &list));
    name.into_iter().chain(files).map(|units| OsString::from_wide(&units)).collect()
}

#[allow(unsafe_code)] // The process's own memory.
fn process_line() -> Vec<u16> {
    // SAFETY: the system keeps the line, which ends in a zero, as long as the process lives.
    unsafe {
        let line = GetCommandLineW();
        let length = (0..).take_while(|&at| *line.add(at) != 0).count();
        std::slice::from_raw_parts(line, length).to_vec()
    }
}

/// The number of this process, where processes have numbers.
pub fn process_id() -> Option<u32> {
    Some(std::process::id())
}
