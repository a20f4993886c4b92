//! Child processes.

mod child;
mod pty;
mod spawn;

pub use child::{Child, ChildEnd, Ended, WeakChild};
pub use spawn::{Process, Redirect, Spawn};
