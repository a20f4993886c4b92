//! Where systems differ. Each of these modules has the same functions.

#[cfg_attr(any(target_os = "linux", target_os = "android"), path = "linux.rs")]
#[cfg_attr(all(unix, not(any(target_os = "linux", target_os = "android"))), path = "apple.rs")]
#[cfg_attr(target_family = "wasm", path = "wasi.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod this;

#[cfg_attr(not(unix), path = "elsewhere.rs")]
mod unix;

pub(crate) use this::*;
pub(crate) use unix::*;
