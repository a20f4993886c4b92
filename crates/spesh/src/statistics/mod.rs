//! Statistics: the sum of the log.
//!
//! [`tree`] counts; `simulation` replays a log to find the tuple of each event; `ledger` lends the
//! trees to the worker; `ageing` finds old ones; [`evidence`] judges the counts.

pub(crate) mod ageing;
pub mod evidence;
pub(crate) mod ledger;
pub(crate) mod simulated_frame;
pub(crate) mod simulation;
pub mod tree;

pub use tree::{CallsiteStatistics, FrameStatistics, OffsetStatistics, TupleStatistics};

/// The number of buffers that the worker has processed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u64);
