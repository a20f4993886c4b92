//! Inherited file descriptors, where a process has them.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "none.rs")]
mod this;

pub use this::fill_standard_descriptors;
pub(crate) use this::{close_inherited, duplicate};
