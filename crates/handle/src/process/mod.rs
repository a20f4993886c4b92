//! Child processes: started by shell command or argument vector, connected to handles, waited for
//! from any thread.

mod child;
mod pty;
mod spawn;

pub use child::{Child, ChildEnd, Ended};
pub use spawn::{Process, Redirect, Spawn};
