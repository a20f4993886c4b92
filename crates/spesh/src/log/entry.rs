//! One entry of the log.

use crate::callsite::Callsite;
use crate::frame_id::FrameId;
use crate::outcome::Outcome;
use crate::types::{Class, Tag, Type};

/// Which entry into a frame an event belongs to: each thread counts the entries that it logs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CorrelationId(pub u32);

impl CorrelationId {
    /// The frame is not logged, nor is anything that happens in it.
    pub const NONE: CorrelationId = CorrelationId(0);

    /// Whether events of the frame are logged: the one test that an interpreter makes before each
    /// event.
    #[inline(always)]
    pub fn is_logged(self) -> bool {
        self.0 != 0
    }
}

/// What happened. There is no kind that could hold a value, so a log keeps nothing alive.
///
/// Offsets are places in the bytecode of the frame that the entry belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum LogEntry {
    /// A frame was entered.
    Entry {
        /// This entry into it.
        correlation: CorrelationId,
        /// The frame.
        frame: FrameId,
        /// The shape of the call; none for a call whose shape is not known beforehand.
        callsite: Option<Callsite>,
    },
    /// An argument came in.
    Parameter {
        /// The entry into the frame.
        correlation: CorrelationId,
        /// Which argument, from 0.
        index: u16,
        /// What it shows.
        tag: Tag,
    },
    /// What stands behind an argument that is a strnum or an array.
    Resolved {
        /// The entry into the frame.
        correlation: CorrelationId,
        /// Which argument, from 0.
        index: u16,
        /// What it is.
        class: Class,
    },
    /// A value was read: a field, a global, an element, what `getline` or a built-in returned.
    Type {
        /// The entry into the frame.
        correlation: CorrelationId,
        /// Where.
        offset: u32,
        /// Its type.
        ty: Type,
    },
    /// A function is about to be entered.
    Invoke {
        /// The entry into the calling frame.
        correlation: CorrelationId,
        /// Where.
        offset: u32,
        /// The frame that is called.
        callee: FrameId,
    },
    /// A loop went round.
    Osr {
        /// The entry into the frame.
        correlation: CorrelationId,
        /// The loop header.
        offset: u32,
    },
    /// A frame was left for a caller that is logged.
    Return {
        /// The entry into the frame that is left.
        correlation: CorrelationId,
        /// Where the caller called it.
        offset: u32,
        /// The type of the result; none from a rule.
        ty: Option<Type>,
    },
    /// A frame was left for a caller that is not logged: specialised code, or a frame whose budget
    /// is spent. Without it a simulated stack would grow with each call out of specialised code.
    ReturnToUnlogged {
        /// The entry into the frame that is left.
        correlation: CorrelationId,
    },
    /// An operator went one of its ways.
    Outcome {
        /// The entry into the frame.
        correlation: CorrelationId,
        /// Where.
        offset: u32,
        /// Which way.
        outcome: Outcome,
    },
}

const _: () = assert!(size_of::<LogEntry>() == 24);
const _: () = assert!(align_of::<LogEntry>() == 8);

impl LogEntry {
    /// The entry into a frame that this belongs to.
    pub fn correlation(&self) -> CorrelationId {
        match *self {
            LogEntry::Entry { correlation, .. }
            | LogEntry::Parameter { correlation, .. }
            | LogEntry::Resolved { correlation, .. }
            | LogEntry::Type { correlation, .. }
            | LogEntry::Invoke { correlation, .. }
            | LogEntry::Osr { correlation, .. }
            | LogEntry::Return { correlation, .. }
            | LogEntry::ReturnToUnlogged { correlation }
            | LogEntry::Outcome { correlation, .. } => correlation,
        }
    }
}
