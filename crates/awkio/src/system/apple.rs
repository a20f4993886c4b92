//! macOS: descendants of commands are not found, as there is no `/proc`; only commands are ended.

use riverhawk_system::fd::OwnedFd;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use riverhawk_system::fs::OFlags;
use riverhawk_system::process::{Pid, Signal, kill_process};

/// For opening a file only to ask what it is; without waiting, should it be a FIFO.
pub(crate) const LOOK: OFlags = OFlags::NONBLOCK.union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// A process that another has started, by its number.
pub(crate) struct Process(Pid);

impl Process {
    /// The process that has this number now.
    pub(crate) fn find(number: i32) -> Option<Process> {
        Pid::from_raw(number).map(Process)
    }

    /// Whether it still runs, and so gets the signal.
    pub(crate) fn signal(&self, signal: Signal) -> bool {
        kill_process(self.0, signal).is_ok()
    }
}

/// Orphans go to the system's first process.
pub(crate) fn adopt_orphans() {}

/// A file whose name is removed at once.
pub(crate) fn scratch() -> io::Result<OwnedFd> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("riverhawk-{}-{count}", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file.into())
}

/// Files are looked at from time to time.
pub(crate) fn file_events() -> Option<OwnedFd> {
    None
}

/// Never called: there are no events.
pub(crate) fn watch(_: &OwnedFd, _: &Path, _: &Path) {}
