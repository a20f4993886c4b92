//! Effects must agree with operands: a stale number whose operand is missing would never be stored.

use crate::unit;
use riverhawk_spesh::ir::{FrameName, Liveness, Snapshot};

#[test]
fn a_register_is_live_from_its_first_read_back_to_its_write() {
    let unit = unit(
        "function f(a, b, c) { c = a + 1; if (b) { a = c * 2 } else { a = 3 } return a } BEGIN { f(1, 2) }",
    );
    let snapshot = Snapshot::of(&unit);
    let frame = snapshot.frame(FrameName::Function(0)).expect("a function");
    let live = Liveness::of(&snapshot, frame);
    let start = frame.code.start;
    assert!(live.is_live(start, 0) && live.is_live(start, 1) && !live.is_live(start, 2));
    assert!(!live.is_live(start + 1, 0), "a is written on both ways before it is read");
    assert!(live.is_live(start + 1, 2));
}
