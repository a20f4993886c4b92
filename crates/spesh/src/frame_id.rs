//! What frames are named by.

/// The number of a static frame, in the order of registration with its specialiser; never used
/// twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameId(pub u64);
