//! A plan and its items.

use crate::frame_id::FrameId;
use crate::tuple::{SpecialisationKey, TypeTuple};
use std::ops::Range;

/// What to specialise, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecialisationPlan {
    /// Callees before their callers.
    pub items: Vec<Planned>,
}

/// What a specialisation relies on. Candidates are tried in this order, the most specific first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlannedKind {
    /// One frequent tuple.
    Observed,
    /// Types that several tuples share.
    Derived,
    /// The callsite alone.
    Certain,
}

/// One specialisation to be produced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Its basis.
    pub kind: PlannedKind,
    /// The frame.
    pub frame: FrameId,
    /// The shape and types of its calls.
    pub key: SpecialisationKey,
    /// Omitted parameters are uninitialised local variables, whose tests can be folded.
    pub omitted: Range<usize>,
    /// The tuples it is for; for a certain specialisation those that no other serves.
    pub evidence: Vec<TypeTuple>,
    /// Entries with those tuples.
    pub hits: u32,
    /// Loop iterations in those entries.
    pub osr_hits: u32,
    /// All entries with the callsite.
    pub callsite_hits: u32,
    /// All loop iterations with the callsite.
    pub callsite_osr_hits: u32,
    /// The maximum stack depth of those entries.
    pub max_depth: u32,
}

impl PlannedKind {
    /// The name shown in plans.
    pub const fn name(self) -> &'static str {
        match self {
            PlannedKind::Observed => "Observed type",
            PlannedKind::Derived => "Derived type",
            PlannedKind::Certain => "Certain",
        }
    }
}
