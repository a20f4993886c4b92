//! Where the descendants of a process cannot be found: the commands of a run are ended, and not what
//! they have started.

use super::Manner;
use riverhawk_handle::Child;

/// Ends them without waiting.
pub(super) fn end(children: Vec<Child>) {
    children.iter().for_each(|child| drop(child.kill()));
}

/// Whether [`end_all`] finds what a run has started.
pub(super) const FINDS_DESCENDANTS: bool = false;

/// Ends all descendants of this process that are found: none.
pub(super) fn end_all(_: Manner) -> usize {
    0
}
