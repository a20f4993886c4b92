//! The span of a mark word.

/// How many bytes one mark word stands for.
pub const BLOCK: usize = 64;
