//! The planner: a pure function from statistics to what is worth specialising.
//!
//! Among the frames that the latest buffer updated, it finds hot callsites and their dominant types
//! (`choose`). It puts callees before callers (`order`), so that callers can inline them.

mod choose;
mod derive;
mod observed;
mod order;
mod planned;

pub use observed::ObservedFrame;
pub use planned::{Planned, PlannedKind, SpecialisationPlan};

use crate::frame_id::FrameId;
use crate::thresholds::Thresholds;
use std::collections::{BTreeMap, BTreeSet};

/// Plans for the `updated` frames. `frames` includes all their callees.
pub fn plan(
    frames: &BTreeMap<FrameId, ObservedFrame<'_>>,
    updated: &BTreeSet<FrameId>,
    thresholds: &Thresholds,
) -> SpecialisationPlan {
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
    SpecialisationPlan { items: order::callees_first(items, frames) }
}
