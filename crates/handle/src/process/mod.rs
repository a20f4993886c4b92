//! Child processes.

#[cfg_attr(target_family = "wasm", path = "no_child.rs")]
mod child;
mod ended;
#[cfg(not(target_family = "wasm"))]
#[cfg_attr(not(unix), path = "no_pty.rs")]
mod pty;
mod spawn;
#[cfg_attr(target_family = "wasm", path = "no_start.rs")]
mod start;

pub use child::{Child, ChildEnd, WeakChild};
pub use ended::Ended;
pub use spawn::{Process, Redirect, Spawn};
