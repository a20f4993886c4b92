//! Where systems differ. Each of these modules has the same functions.
#![allow(unsafe_code)] // System calls.

#[cfg_attr(any(target_os = "linux", target_os = "android"), path = "linux.rs")]
#[cfg_attr(all(unix, not(any(target_os = "linux", target_os = "android"))), path = "apple.rs")]
#[cfg_attr(not(unix), path = "elsewhere.rs")]
mod this;
#[cfg(unix)]
mod unix;

#[cfg(unix)]
pub(crate) use unix::*;

pub(crate) use this::*;
