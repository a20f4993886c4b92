//! One entry of the log.

use crate::callsite::Callsite;
use crate::frame_id::FrameId;
use crate::outcome::OperatorOutcome;
use crate::types::{Tag, Type, TypeClass};

/// Identifies an entry into a frame, counted by each thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CorrelationId(pub u32);

impl CorrelationId {
    /// The frame and its events are not logged.
    pub const NONE: CorrelationId = CorrelationId(0);

    /// Whether the frame's events are logged: the one test before each event.
    #[inline(always)]
    pub fn is_logged(self) -> bool {
        self.0 != 0
    }
}

/// An event. It never holds a value, so a log keeps none alive. Offsets are in the frame's
/// bytecode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum LogEntry {
    /// A frame was entered.
    Entry {
        /// The entry.
        correlation: CorrelationId,
        /// The frame.
        frame: FrameId,
        /// The shape, if it is known before the arguments.
        callsite: Option<Callsite>,
    },
    /// An argument's tag.
    Parameter {
        /// The entry.
        correlation: CorrelationId,
        /// Which argument, from 0.
        index: u16,
        /// The tag.
        tag: Tag,
    },
    /// The class of a strnum or an array.
    Resolved {
        /// The entry.
        correlation: CorrelationId,
        /// Which argument, from 0.
        index: u16,
        /// The class.
        class: TypeClass,
    },
    /// A value was read, or returned by a built-in.
    Type {
        /// The entry.
        correlation: CorrelationId,
        /// Where.
        offset: u32,
        /// Its type.
        ty: Type,
    },
    /// A function is about to be entered.
    Invoke {
        /// The calling frame's entry.
        correlation: CorrelationId,
        /// Where.
        offset: u32,
        /// The called frame.
        callee: FrameId,
    },
    /// A loop iterated.
    Osr {
        /// The entry.
        correlation: CorrelationId,
        /// The loop header.
        offset: u32,
    },
    /// A frame returned to a logged caller.
    Return {
        /// The left frame's entry.
        correlation: CorrelationId,
        /// Where the call is.
        offset: u32,
        /// The result's type; none from a rule.
        ty: Option<Type>,
    },
    /// A frame returned to a caller that is not logged: a candidate, or a frame whose budget is
    /// spent. Without this event simulated stacks would grow with each call from a candidate.
    ReturnToUnlogged {
        /// The left frame's entry.
        correlation: CorrelationId,
    },
    /// An operator took one of its paths.
    Outcome {
        /// The entry.
        correlation: CorrelationId,
        /// Where.
        offset: u32,
        /// Which path.
        outcome: OperatorOutcome,
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
