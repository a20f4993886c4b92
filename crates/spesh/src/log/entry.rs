//! One entry of the log.

use crate::callsite::Callsite;
use crate::frame_id::FrameId;
use crate::outcome::Outcome;
use crate::types::{Class, Tag, Type};

/// Identifies an entry into a frame, counted by each thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CorrelationId(pub u32);

impl CorrelationId {
    /// The frame and its events are not logged.
    pub const NONE: CorrelationId = CorrelationId(0);

    /// Whether the frame's events are logged: the interpreter's one test before each event.
    #[inline(always)]
    pub fn is_logged(self) -> bool {
        self.0 != 0
    }
}

/// An event. No kind can hold a value, so a log keeps nothing alive.
///
/// Offsets are in the bytecode of the event's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum LogEntry {
    /// A frame was entered.
    Entry {
        /// Identifies this entry.
        correlation: CorrelationId,
        /// The frame.
        frame: FrameId,
        /// The shape of the call, if known beforehand.
        callsite: Option<Callsite>,
    },
    /// An argument's tag.
    Parameter {
        /// The entry into the frame.
        correlation: CorrelationId,
        /// Which argument, from 0.
        index: u16,
        /// What it shows.
        tag: Tag,
    },
    /// The class of an argument that is a strnum or an array.
    Resolved {
        /// The entry into the frame.
        correlation: CorrelationId,
        /// Which argument, from 0.
        index: u16,
        /// What it is.
        class: Class,
    },
    /// A value was read: a field, a global, an element, the result of `getline` or a built-in.
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
    /// A loop iterated.
    Osr {
        /// The entry into the frame.
        correlation: CorrelationId,
        /// The loop header.
        offset: u32,
    },
    /// A frame returned to a logged caller.
    Return {
        /// The entry into the left frame.
        correlation: CorrelationId,
        /// Where the call is.
        offset: u32,
        /// The type of the result; none from a rule.
        ty: Option<Type>,
    },
    /// A frame returned to an unlogged caller: a candidate, or a frame whose budget is spent.
    /// Without it a simulated stack would grow with each call from candidates.
    ReturnToUnlogged {
        /// The entry into the left frame.
        correlation: CorrelationId,
    },
    /// An operator took one of its paths.
    Outcome {
        /// The entry into the frame.
        correlation: CorrelationId,
        /// Where.
        offset: u32,
        /// Which path.
        outcome: Outcome,
    },
}

const _: () = assert!(size_of::<LogEntry>() == 24);
const _: () = assert!(align_of::<LogEntry>() == 8);

impl LogEntry {
    /// The entry into the event's frame.
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
