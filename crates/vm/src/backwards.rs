//! gawk's extensions `revoutput` and `revtwoway`, for programs that load them.
//!
//! With the first, a file or coprocess that is opened while REVOUT is not zero is written
//! backwards: the bytes of each value, of OFS and of ORS are turned round, and what stands behind
//! what stays. With the second, what is printed to the coprocess `/magic/mirror` comes back from it
//! turned round in the same way: all that waits, as one record, and the newlines at its end are RT.

mod printing;

use std::collections::HashSet;

/// What talks back.
const MIRROR: &[u8] = b"/magic/mirror";

/// What goes backwards in a run.
#[derive(Default)]
pub struct ReversingOutputs {
    /// There is a mirror.
    has_mirror: bool,
    /// The variable REVOUT, when it counts.
    reverses: Option<usize>,
    /// Files, and coprocesses, that were opened while it was not zero.
    reversed: HashSet<(bool, Vec<u8>)>,
    mirror: Option<Mirror>,
}

/// A mirror that is open.
#[derive(Default)]
struct Mirror {
    /// What it has been told, turned round.
    waiting: Vec<u8>,
    closed: (bool, bool),
}
