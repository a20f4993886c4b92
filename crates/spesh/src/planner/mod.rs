//! The planner: from statistics to what is worth specialising.
//!
//! A pure function: the same statistics give the same plan, in the same order. Of the frames that
//! the latest buffer added to, it asks whether the frame and its callsites are hot, and which types
//! dominate a hot callsite (`choose`). What is planned already is left out. The rest is ordered so
//! that a frame comes after those it calls (`order`), and there is something to inline.

mod choose;
mod derive;
mod observed;
mod order;
mod planned;

pub use observed::ObservedFrame;
pub use planned::{Plan, Planned, PlannedKind};

use crate::frame_id::FrameId;
use crate::thresholds::Thresholds;
use std::collections::{BTreeMap, BTreeSet};

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
