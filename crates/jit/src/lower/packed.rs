//! The element that a run of instructions works on.

use cranelift_codegen::ir as clif;
use riverhawk_spesh::ir::Value;

/// A packed element while what is done with it is emitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedElement {
    pub element: Value,
    /// Where it is.
    pub address: clif::Value,
    /// What was there when it was found.
    pub word: clif::Value,
    /// The array, as the layout counts.
    pub array: clif::Value,
    /// The first step, which found it.
    pub found: (usize, usize),
    /// It is no hole any more.
    pub is_there: bool,
}
