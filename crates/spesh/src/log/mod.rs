//! The log of the types that a running thread saw.
//!
//! Each thread appends to a buffer of its own, without locks, and hands it over when it is full.
//! Entries hold numbers and types, so a log that waits keeps no value alive.

mod entry;
mod logger;
mod quota;

pub use entry::{CorrelationId, LogEntry};
pub use logger::Logger;
pub(crate) use logger::{Batch, Receiver, Sent};
pub use quota::ThreadKind;
pub(crate) use quota::{Quota, ThreadNo};
