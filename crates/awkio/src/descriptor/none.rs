//! Systems on which a process inherits no descriptors but the standard streams.

use riverhawk_system::fd::OwnedFd;
use std::io;

/// A second descriptor of an inherited file.
pub(crate) fn duplicate(_: i32) -> io::Result<OwnedFd> {
    let words = "this platform has no file descriptors to inherit";
    Err(io::Error::new(io::ErrorKind::Unsupported, words))
}

/// There are none.
pub(crate) fn close_inherited(_: i32) {}

/// The system fills them.
pub fn fill_standard_descriptors() {}
