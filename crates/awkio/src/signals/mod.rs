//! SIGPIPE, SIGINT and SIGQUIT, where there are signals.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "none.rs")]
mod this;

pub(crate) use this::{InterruptsIgnored, interrupted_fd};
pub use this::{die_by_sigpipe, interrupted, note_interrupts, take_over_sigpipe};

/// The effect of a broken pipe on the standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenPipe {
    /// Ends the process by SIGPIPE, without a message.
    Die,
    /// An ordinary error.
    Report,
}
