//! Systems that are no UNIX.

use std::io;
use std::path::Path;

use riverhawk_system::fd::OwnedFd;
use riverhawk_system::fs::OFlags;

/// For opening a file only to ask what it is.
pub(crate) const LOOK: OFlags = OFlags::RDONLY;

/// There are no commands.
pub(crate) fn adopt_orphans() {}

/// A file without a name.
pub(crate) fn scratch() -> io::Result<OwnedFd> {
    let words = "this platform has no files without a name";
    Err(io::Error::new(io::ErrorKind::Unsupported, words))
}

/// Files are looked at from time to time.
pub(crate) fn file_events() -> Option<OwnedFd> {
    None
}

/// Never called: there are no events.
pub(crate) fn watch(_: &OwnedFd, _: &Path, _: &Path) {}
