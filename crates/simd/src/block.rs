//! The span of a mark word.

/// Bytes per mark word.
pub const BLOCK: usize = 64;
