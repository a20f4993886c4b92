//! The log: what a running thread leaves behind about the types it saw.
//!
//! Each thread appends to a buffer of its own, without locks, and hands it over when it is full. An
//! entry holds numbers and types, so a log that waits keeps nothing alive that the program has let
//! go of (S5).

mod entry;
mod logger;
mod quota;

pub use entry::{CorrelationId, LogEntry};
pub use logger::Logger;
pub(crate) use logger::{Batch, Receiver, Sent};
pub use quota::ThreadKind;
pub(crate) use quota::{Quota, ThreadNo};
