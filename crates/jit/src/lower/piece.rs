//! Pieces of unmaterialised texts.

use cranelift_codegen::ir as clif;
use riverhawk_spesh::ir::{Known, Slot, Value};

#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub s: Slot,
    pub from: Value,
    pub length: Option<Value>,
    pub known: Option<Known>,
}

/// A cold block still to be emitted, which compares a piece with a slot.
pub(super) struct SlowComparison {
    pub block: clif::Block,
    pub piece: Piece,
    pub other: Slot,
}
