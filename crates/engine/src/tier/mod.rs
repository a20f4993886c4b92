//! What makes programs faster, wired to what runs them.
//!
//! The interpreter (`vm`) knows a trait through which it is watched; the specialiser (`spesh`)
//! knows frames by number and a log. RunningFrame the two meet: [`watcher`] is the tier that counts and
//! writes the log, one for each thread; [`watched`] is what all threads that run one program share
//! of it; [`processwide`] is what all programs share, above all the specialiser's thread; [`facts`]
//! says what the specialiser must know about each frame; [`producer`] has a plan compiled (`jit`),
//! and [`candidates`] is where the threads find the result; [`code_use`] says where machine code
//! was entered and left.
//!
//! Nothing of it exists until a program has been running for [`watcher::WARM_UP`] loop turns and
//! calls.

mod candidates;
mod code_use;
mod facts;
mod processwide;
mod producer;
mod programs;
mod watched;
mod watcher;

pub(crate) use watched::{Done, Watched};
pub(crate) use watcher::Watcher;
