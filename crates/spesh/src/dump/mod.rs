//! Readable statistics and plans. They are sorted and show no addresses or times, so that equal
//! runs give equal dumps.

mod plan;
mod statistics;

pub(crate) use plan::show_planned;
pub(crate) use statistics::show_statistics;

use crate::callsite::Callsite;
use crate::frame::FrameFacts;
use crate::frame_id::FrameId;
use std::fmt;

/// A frame's name in dumps: `'f' (frame 3, prog.awk:1)`.
pub(crate) fn show_frame(id: FrameId, facts: Option<&FrameFacts>) -> String {
    match facts {
        Some(facts) => format!("'{}' (frame {}, {})", facts.name, id.0, facts.place),
        None => format!("frame {}, which is gone", id.0),
    }
}

/// Names of frames; a freed one has no facts.
pub type Names<'a> = &'a dyn Fn(FrameId) -> String;

struct Shape(Option<Callsite>);

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(callsite) => write!(f, "Callsite: {callsite}"),
            None => f.write_str("No interned callsite"),
        }
    }
}

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
