//! Child processes.

#[cfg_attr(not(unix), path = "no_child.rs")]
mod child;
mod ended;
#[cfg(unix)]
mod pty;
mod spawn;
#[cfg_attr(not(unix), path = "no_start.rs")]
mod start;

pub use child::{Child, ChildEnd, WeakChild};
pub use ended::Ended;
pub use spawn::{Process, Redirect, Spawn};
