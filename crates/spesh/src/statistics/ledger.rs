//! The statistics of the frames in use.
//!
//! A frame owns its statistics. The worker borrows them while it processes a buffer, so that
//! counting takes no locks and the planner sees plain trees.

use super::Version;
use super::tree::FrameStatistics;
use crate::frame::{Produced, RegisteredFrame, Registry};
use crate::frame_id::FrameId;
use crate::thresholds::TURN_BUDGET;
use crate::tuple::SpecialisationKey;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(crate) struct OpenFrame {
    pub(crate) frame: Arc<RegisteredFrame>,
    pub(crate) statistics: Box<FrameStatistics>,
    /// Its specialisations when it was opened.
    pub(crate) produced: BTreeMap<SpecialisationKey, Produced>,
}

pub(crate) struct Ledger<'r> {
    registry: &'r Registry,
    version: Version,
    frames: BTreeMap<FrameId, OpenFrame>,
    updated: BTreeSet<FrameId>,
}

impl<'r> Ledger<'r> {
    pub(crate) fn new(registry: &'r Registry, version: Version) -> Ledger<'r> {
        Ledger { registry, version, frames: BTreeMap::new(), updated: BTreeSet::new() }
    }

    pub(crate) fn version(&self) -> Version {
        self.version
    }

    /// None when the frame was freed.
    pub(crate) fn open(&mut self, id: FrameId) -> Option<&mut OpenFrame> {
        use std::collections::btree_map::Entry;
        match self.frames.entry(id) {
            Entry::Occupied(open) => Some(open.into_mut()),
            Entry::Vacant(place) => {
                let frame = self.registry.find(id)?;
                let mut known = frame.known();
                let statistics = known.statistics.take().unwrap_or_default();
                let produced = known.produced.clone();
                known.anew = false;
                drop(known);
                Some(place.insert(OpenFrame { frame, statistics, produced }))
            }
        }
    }

    /// As [`Ledger::open`], and marks it for the planner.
    pub(crate) fn update(&mut self, id: FrameId) -> Option<&mut OpenFrame> {
        let version = self.version;
        self.open(id)?;
        self.updated.insert(id);
        let open = self.frames.get_mut(&id)?;
        open.statistics.last_update = version;
        Some(open)
    }

    /// Opens all callees, since the planner orders by calls.
    pub(crate) fn open_callees(&mut self) {
        let mut waiting: Vec<FrameId> = self.frames.keys().copied().collect();
        while let Some(id) = waiting.pop() {
            let Some(open) = self.frames.get(&id) else { continue };
            let callees: Vec<FrameId> = open
                .statistics
                .callees
                .keys()
                .copied()
                .filter(|callee| !self.frames.contains_key(callee))
                .collect();
            for callee in callees {
                if self.open(callee).is_some() {
                    waiting.push(callee);
                }
            }
        }
    }

    pub(crate) fn frames(&self) -> &BTreeMap<FrameId, OpenFrame> {
        &self.frames
    }

    pub(crate) fn updated(&self) -> &BTreeSet<FrameId> {
        &self.updated
    }

    pub(crate) fn close(self) {
        for open in self.frames.into_values() {
            let mut known = open.frame.known();
            if known.anew {
                continue;
            }
            if open.statistics.osr_hits >= TURN_BUDGET {
                open.frame.stop_watching();
            }
            if open.statistics.hits > 0 || open.statistics.osr_hits > 0 {
                known.statistics = Some(open.statistics);
            }
        }
    }
}
