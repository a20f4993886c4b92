//! Where a run cannot start commands, there are none to end.

use super::Manner;
use riverhawk_handle::Child;

/// Ends them without waiting.
pub(super) fn end(children: Vec<Child>) {
    children.iter().for_each(|child| drop(child.kill()));
}

/// Ends all descendants of this process; how many there are.
pub(super) fn end_all(_: Manner) -> usize {
    0
}
