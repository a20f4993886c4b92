//! No system at all, as in a browser: `wasm32-unknown-unknown`. Each call that would need one is
//! [`Errno::NOTSUP`](io::Errno::NOTSUP); files and streams are what the embedding program gives.
//!
//! There is no clock either: what runs here asks for [`now`](crate::now).

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

use std::ffi::OsString;

/// Ends the process; there is nowhere to write a message to.
pub fn exit_at_once(_: &[u8], _: u8) -> ! {
    std::process::abort()
}

/// The arguments of this process: none.
pub fn arguments() -> Vec<OsString> {
    Vec::new()
}

/// The number of this process, where processes have numbers.
pub fn process_id() -> Option<u32> {
    None
}
