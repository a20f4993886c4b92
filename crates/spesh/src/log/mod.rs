//! The log of the types that a running thread saw.
//!
//! Each thread appends to its own buffer, without locks. Entries hold no values, so a waiting log
//! keeps none alive.

mod entry;
mod logger;
mod quota;

pub use entry::{CorrelationId, LogEntry};
pub use logger::Logger;
pub(crate) use logger::{Batch, Receiver, Sent};
pub use quota::ThreadKind;
pub(crate) use quota::{Quota, ThreadNo};
