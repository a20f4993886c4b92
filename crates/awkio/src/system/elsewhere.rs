//! Systems that are no UNIX.

use std::io;
use std::path::Path;

use riverhawk_system::fd::OwnedFd;
use riverhawk_system::fs::OFlags;

/// For opening a file only to ask what it is.
pub(crate) const LOOK: OFlags = OFlags::RDONLY;

/// There are no commands.
pub(crate) fn adopt_orphans() {}

/// A file that goes with its last handle, among the user's temporary files.
#[cfg(windows)]
pub(crate) fn scratch() -> io::Result<OwnedFd> {
    use std::hash::{BuildHasher, RandomState};
    use std::os::windows::fs::OpenOptionsExt;
    const DELETED_ON_CLOSE: u32 = 0x0400_0000;
    let name = format!(".riverhawk-{:016x}", RandomState::new().hash_one(0));
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).create_new(true).custom_flags(DELETED_ON_CLOSE);
    options.open(std::env::temp_dir().join(name)).map(OwnedFd::from)
}

/// A file without a name.
#[cfg(not(windows))]
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
