//! Windows: handles under the names of descriptors, the standard library's files, and few calls of
//! the system besides. No permissions, owners, signals or descriptors that do not block.

mod arguments;
pub mod buffer;
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
pub mod names;
pub mod stdio;
pub mod termios;

/// Writes an ASCII message to standard error and ends the process, without memory, locks or what else
/// is to be done at its end.
pub fn exit_at_once(message: &[u8], status: u8) -> ! {
    // Nothing is left to be done about a message that cannot be written.
    let _ = io::write_file(stdio::stderr(), message);
    io::exit(status)
}

/// The number of this process, where processes have numbers.
pub fn process_id() -> Option<u32> {
    Some(std::process::id())
}
