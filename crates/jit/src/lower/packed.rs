//! The element that a run of instructions works on.

use cranelift_codegen::ir as clif;
use riverhawk_spesh::ir::Value;

#[derive(Clone, Copy, Debug)]
pub(super) struct PackedElement {
    pub element: Value,
    pub address: clif::Value,
    /// Its content when found.
    pub word: clif::Value,
    /// The base of the array's layout.
    pub array: clif::Value,
    pub found: (usize, usize),
    /// No longer a hole.
    pub is_there: bool,
}

/// What an element is expected to hold, so that one look at its tag serves all its uses.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content {
    /// A number, which is read and replaced.
    Number,
    /// A short text, which is copied.
    Short,
}
