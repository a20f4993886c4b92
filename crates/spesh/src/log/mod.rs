//! The log: each thread writes the types it saw to a buffer of its own, without locks.

mod entry;
mod logger;
mod quota;

pub use entry::{CorrelationId, LogEntry};
pub use logger::Logger;
pub(crate) use logger::{Batch, Receiver, Sent};
pub use quota::ThreadKind;
pub(crate) use quota::{Quota, ThreadNo};
