//! Statistics: what the log adds up to.
//!
//! [`tree`] is the sum (frame, callsite, type tuple, offset); `simulation` replays a log into a
//! call stack, which tells whose tuple an event belongs to; `ledger` lends the worker the trees of
//! the frames at hand; `ageing` finds those that are no longer updated; [`evidence`] says when what
//! was seen at one place counts as one thing.

pub(crate) mod ageing;
pub mod evidence;
pub(crate) mod ledger;
pub(crate) mod simulated_frame;
pub(crate) mod simulation;
pub mod tree;

pub use tree::{CallsiteStatistics, FrameStatistics, OffsetStatistics, TupleStatistics};

/// Counts the buffers that the worker has dealt with: one up for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u64);
