//! Where a record is.

/// Indexes into [`Records::bytes`](crate::Records::bytes), valid until the next refill or detachment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// The record's first byte.
    pub start: usize,
    /// After its last byte, where the separator begins.
    pub end: usize,
    /// After the separator; `end` if there is none.
    pub terminator_end: usize,
    /// All ASCII; false means unknown.
    pub ascii: bool,
}
