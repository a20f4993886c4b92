//! Systems without signals: nothing asks a run to end.

use super::BrokenPipe;
use riverhawk_system::fd::BorrowedFd;
use std::io;

/// What a broken pipe does at start. On Windows commands in pipelines are common, and their readers end
/// early, as on UNIX.
pub fn take_over_sigpipe() -> BrokenPipe {
    if cfg!(windows) { BrokenPipe::Die } else { BrokenPipe::Report }
}

/// Ends the process, as nothing else may be said: 141 is the shell's status for SIGPIPE.
pub fn die_by_sigpipe() -> ! {
    std::process::exit(141)
}

/// While a command is waited for; there are no interrupts to ignore.
pub(crate) struct InterruptsIgnored(());

impl InterruptsIgnored {
    pub(crate) fn new() -> Self {
        Self(())
    }
}

/// A run that follows files ends by its end alone.
///
/// # Errors
/// None.
pub fn note_interrupts() -> io::Result<()> {
    Ok(())
}

/// Whether a signal asked the run to end.
pub fn interrupted() -> bool {
    false
}

pub(crate) fn interrupted_fd() -> Option<BorrowedFd<'static>> {
    None
}
