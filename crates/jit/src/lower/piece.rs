//! Pieces of texts that are looked at and not made.

use cranelift_codegen::ir as clif;
use riverhawk_spesh::ir::{Known, Slot, Value};

/// What says which piece of a text is looked at.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub s: Slot,
    pub from: Value,
    pub length: Option<Value>,
    pub known: Option<Known>,
}

/// A cold block that is still to be emitted: whether a piece is equal to what a slot holds.
pub(super) struct SlowComparison {
    pub block: clif::Block,
    pub piece: Piece,
    pub other: Slot,
}
