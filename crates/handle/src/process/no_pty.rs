//! Where a child has no pseudo-terminal.

use crate::device::Device;
use riverhawk_system::fd::OwnedFd;
use std::io;
use std::process::Command;
use std::sync::Arc;

/// Our side, and the child's.
pub(super) fn open() -> io::Result<(Arc<dyn Device>, OwnedFd)> {
    let words = "this platform has no pseudo-terminals";
    Err(io::Error::new(io::ErrorKind::Unsupported, words))
}

/// Never called: there is no terminal.
pub(super) fn take_terminal(_: &mut Command) {}
