//! WASI, preview 1: files below the folders that the host has opened, standard streams, clocks. No
//! processes, signals, threads, locks, owners, permissions or links between descriptors.

pub mod fs;
pub mod io;
pub mod stdio;
pub mod termios;

use std::ffi::OsString;

pub use rustix::{buffer, event, fd, time};

/// The arguments of this process.
pub fn arguments() -> Vec<OsString> {
    std::env::args_os().collect()
}

/// The number of this process, where processes have numbers.
pub fn process_id() -> Option<u32> {
    None
}

/// Names of the system as bytes, and bytes as names.
pub mod names {
    pub use std::os::wasi::ffi::{OsStrExt, OsStringExt};

    /// What separates the folders of a list such as `AWKPATH`.
    pub const PATH_SEPARATOR: u8 = b':';

    /// Whether it separates the parts of a path.
    pub fn is_separator(byte: u8) -> bool {
        byte == b'/'
    }

    /// Whether a name says in which folder the file is.
    pub fn has_folder(name: &[u8]) -> bool {
        name.contains(&b'/')
    }
}
