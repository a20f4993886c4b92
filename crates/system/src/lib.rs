//! What the system of each platform is asked, in one shape: that of `rustix`, which it is on UNIX.
//!
//! Elsewhere there is what the crates above use. What the platform has not is an error there,
//! [`io::Errno::NOTSUP`], never a success that pretends.
//!
//! Not here: child processes, terminals and signals. Their shape differs, so the crates that have
//! them keep a module for each platform.
//!
//! ```
//! use riverhawk_system::fs::{FileType, Mode, OFlags, fstat, open};
//!
//! let folder = open(&std::env::temp_dir(), OFlags::RDONLY, Mode::empty())?;
//! assert_eq!(FileType::from_raw_mode(fstat(&folder)?.st_mode), FileType::Directory);
//! # Ok::<(), std::io::Error>(())
//! ```

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(target_os = "wasi", path = "wasi/mod.rs")]
#[cfg_attr(windows, path = "windows/mod.rs")]
#[cfg_attr(not(any(unix, target_os = "wasi", windows)), path = "none/mod.rs")]
mod this;

#[cfg(not(unix))]
mod bare;
#[cfg(not(any(unix, target_os = "wasi")))]
pub mod buffer;
#[cfg(not(any(unix, target_os = "wasi")))]
mod c_errors;
#[cfg(any(windows, test))]
mod command_line;
#[cfg(any(unix, target_os = "wasi"))]
pub mod errors;
#[cfg(any(unix, target_os = "wasi"))]
mod exit;
#[cfg(not(any(unix, target_os = "wasi")))]
mod no_rustix;

mod facts;

use std::time::Instant;

#[cfg(any(unix, target_os = "wasi"))]
pub use exit::exit_at_once;
pub use facts::{Facts, Symlinks};
pub use this::*;

/// Whether there is a clock. Without one, asking the standard library for the time ends the program.
pub const HAS_CLOCK: bool = cfg!(any(unix, target_os = "wasi", windows));

/// The time, if there is a clock.
pub fn now() -> Option<Instant> {
    HAS_CLOCK.then(Instant::now)
}

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
