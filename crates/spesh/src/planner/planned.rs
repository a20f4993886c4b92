//! A plan, and what one item of it says.

use crate::frame_id::FrameId;
use crate::tuple::{SpecialisationKey, TypeTuple};
use std::ops::Range;

/// What to specialise, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Callees before their callers.
    pub items: Vec<Planned>,
}

/// What a specialisation rests on. Candidates of one callsite are tried in this order: the most
/// special first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlannedKind {
    /// One tuple of types, often enough seen.
    Observed,
    /// The types of some arguments, common to several tuples.
    Derived,
    /// The callsite alone: no types are certain.
    Certain,
}

/// One specialisation to be produced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// What it rests on.
    pub kind: PlannedKind,
    /// Of which frame.
    pub frame: FrameId,
    /// For which calls.
    pub key: SpecialisationKey,
    /// The parameters that such calls do not pass: local variables, unassigned at the start. Tests
    /// of them, and the code after these, can go.
    pub omitted: Range<usize>,
    /// The tuples to specialise by; for a certain specialisation those that nothing else serves.
    pub evidence: Vec<TypeTuple>,
    /// Entries with those tuples, or for a certain one with none that has a specialisation.
    pub hits: u32,
    /// Turns of loops in those entries.
    pub osr_hits: u32,
    /// All entries with the callsite.
    pub callsite_hits: u32,
    /// All turns of loops with the callsite.
    pub callsite_osr_hits: u32,
    /// The deepest that those entries stood on the stack.
    pub max_depth: u32,
}

impl PlannedKind {
    /// As plans show it.
    pub const fn name(self) -> &'static str {
        match self {
            PlannedKind::Observed => "Observed type",
            PlannedKind::Derived => "Derived type",
            PlannedKind::Certain => "Certain",
        }
    }
}
