//! Streams made of streams.

mod bridge;
mod concat;
mod filter;
mod limited;
mod tee;

pub use bridge::StreamReader;
pub use concat::Concat;
pub use filter::{Collect, Reject, Select};
pub use limited::Limited;
pub use tee::Tee;
