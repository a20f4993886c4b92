//! Statistics and plans as people read them.
//!
//! No addresses, no times, everything in order: two runs that saw the same give the same bytes.

mod plan;
mod statistics;

pub use plan::show_planned;
pub use statistics::show_statistics;

use crate::callsite::Callsite;
use crate::frame::FrameFacts;
use crate::frame_id::FrameId;
use std::fmt;

/// What a frame is called: `'f' (frame 3, prog.awk:1)`.
pub fn show_frame(id: FrameId, facts: Option<&FrameFacts>) -> String {
    match facts {
        Some(facts) => format!("'{}' (frame {}, {})", facts.name, id.0, facts.place),
        None => format!("frame {}, which is gone", id.0),
    }
}

/// What frames are called; one that is gone has no facts.
pub type Names<'a> = &'a dyn Fn(FrameId) -> String;

/// The shape of a call, or that there is none.
struct Shape(Option<Callsite>);

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(callsite) => write!(f, "Callsite: {callsite}"),
            None => f.write_str("No interned callsite"),
        }
    }
}

/// Values with commas between them.
struct Listed<I>(I);

impl<I: Iterator<Item: fmt::Display> + Clone> fmt::Display for Listed<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, item) in self.0.clone().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{item}")?;
        }
        Ok(())
    }
}
