//! The standard streams, which stay what they are.

pub use rustix::stdio::*;
