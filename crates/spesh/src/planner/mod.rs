//! The planner: from statistics to what is worth specialising.
//!
//! A pure function: the same statistics give the same plan, in the same order. It looks at the
//! frames that the latest buffer added to (P1), and asks of each whether it is hot (P2), of each of
//! its callsites whether that is hot (P3), and of each hot callsite which types dominate it
//! (`choose`, P5-P9). What stands already is not planned again (P10). What is left is put in an
//! order in which a frame comes after those it calls (`order`, P14), so that there is something to
//! inline.

mod choose;
mod derive;
mod order;
mod planned;

pub use planned::{Plan, Planned, PlannedKind};

use crate::frame::{FrameFacts, Produced};
use crate::frame_id::FrameId;
use crate::statistics::FrameStatistics;
use crate::thresholds::Thresholds;
use crate::tuple::SpecialisationKey;
use std::collections::{BTreeMap, BTreeSet};

/// A frame as the planner sees it.
#[derive(Clone, Copy, Debug)]
pub struct ObservedFrame<'a> {
    /// What never changes about it.
    pub facts: &'a FrameFacts,
    /// What was seen.
    pub statistics: &'a FrameStatistics,
    /// What has been produced for it.
    pub produced: &'a BTreeMap<SpecialisationKey, Produced>,
}

/// Plans for the frames that are `updated`. `frames` has these and those that they call, directly
/// or not, as far as statistics of them are kept.
pub fn plan(
    frames: &BTreeMap<FrameId, ObservedFrame<'_>>,
    updated: &BTreeSet<FrameId>,
    thresholds: &Thresholds,
) -> Plan {
    let mut items = Vec::new();
    for (id, frame) in updated.iter().filter_map(|id| Some((*id, frames.get(id)?))) {
        let (bytes, statistics) = (frame.facts.bytecode_bytes, frame.statistics);
        let is_hot = |hits, osr_hits| thresholds.is_hot(bytes, hits, osr_hits);
        if bytes >= thresholds.max_bytecode || !is_hot(statistics.hits, statistics.osr_hits) {
            continue;
        }
        for (callsite, at) in &statistics.by_callsite {
            if is_hot(at.hits, at.osr_hits) {
                items.extend(choose::for_callsite(id, frame, *callsite, at, thresholds));
            }
        }
    }
    Plan { items: order::callees_first(items, frames) }
}
