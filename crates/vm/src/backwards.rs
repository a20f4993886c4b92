//! gawk's extensions `revoutput` and `revtwoway`.
//!
//! With the first, a file or coprocess opened while REVOUT is not zero is written backwards: the
//! bytes of each value, of OFS and of ORS are reversed. With the second, what is printed to the
//! coprocess `/magic/mirror` comes back reversed as one record, with the newlines at its end as RT.

mod printing;

use std::collections::HashSet;

const MIRROR: &[u8] = b"/magic/mirror";

#[derive(Default)]
pub struct ReversingOutputs {
    has_mirror: bool,
    reverses: Option<usize>,
    /// Outputs opened while REVOUT was not zero.
    reversed: HashSet<(bool, Vec<u8>)>,
    mirror: Option<Mirror>,
}

#[derive(Default)]
struct Mirror {
    waiting: Vec<u8>,
    closed: (bool, bool),
}
