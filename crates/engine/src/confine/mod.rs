//! The kernel's part of the sandbox.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "none.rs")]
mod this;

pub(crate) use this::confine;

/// What to do with directories among the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directories {
    Listed,
    Refused,
}

#[cfg_attr(not(target_os = "linux"), allow(dead_code))] // Linux alone enforces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Enforced {
    Fully,
    /// An older kernel that does not restrict connections.
    Partly,
    Not,
}
