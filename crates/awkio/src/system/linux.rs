//! Linux and Android.

use riverhawk_system::fd::OwnedFd;
use std::io;
use std::path::Path;

use riverhawk_system::fs::inotify::{self, CreateFlags, WatchFlags, add_watch};
use riverhawk_system::fs::{MemfdFlags, OFlags, memfd_create};
use riverhawk_system::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// For opening a file only to ask what it is.
pub(crate) const LOOK: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);

/// A process that another has started: a descriptor, which unlike its number stays its own.
pub(crate) struct Process(OwnedFd);

impl Process {
    /// The process that has this number now.
    pub(crate) fn find(number: i32) -> Option<Process> {
        pidfd_open(Pid::from_raw(number)?, PidfdFlags::empty()).ok().map(Process)
    }

    /// Whether it still runs, and so gets the signal.
    pub(crate) fn signal(&self, signal: Signal) -> bool {
        pidfd_send_signal(&self.0, signal).is_ok()
    }
}

/// So that descendants of ended commands are found.
pub(crate) fn adopt_orphans() {
    // SAFETY: sets an attribute of the process.
    unsafe {
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    }
}

/// A file without a name.
pub(crate) fn scratch() -> io::Result<OwnedFd> {
    Ok(memfd_create(c"riverhawk", MemfdFlags::CLOEXEC)?)
}

/// Becomes readable when something has happened to a file that is watched, if the system has that.
pub(crate) fn file_events() -> Option<OwnedFd> {
    inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()
}

/// Watches a file, and its folder for another of its name.
pub(crate) fn watch(events: &OwnedFd, file: &Path, folder: &Path) {
    let of_file = WatchFlags::MODIFY | WatchFlags::ATTRIB | WatchFlags::MOVE_SELF;
    let of_folder =
        WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::MOVED_FROM | WatchFlags::DELETE;
    let _ = add_watch(events, file, of_file);
    let _ = add_watch(events, folder, of_folder);
}
