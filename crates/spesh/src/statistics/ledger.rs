//! The statistics of the frames at hand.
//!
//! Statistics belong to their frames, so that they are freed together. While the worker deals with
//! a buffer it takes out those it needs, and puts them back after: counting takes no locks, and the
//! planner sees plain trees.

use super::Version;
use super::tree::FrameStatistics;
use crate::frame::{Produced, Registry, StaticFrame};
use crate::frame_id::FrameId;
use crate::thresholds::TURN_BUDGET;
use crate::tuple::SpecialisationKey;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A frame whose statistics are at hand.
pub(crate) struct OpenFrame {
    pub(crate) frame: Arc<StaticFrame>,
    pub(crate) statistics: Box<FrameStatistics>,
    /// What had become of its specialisations when it was opened.
    pub(crate) produced: BTreeMap<SpecialisationKey, Produced>,
}

/// The frames whose statistics are at hand.
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

    /// The buffer that is being dealt with.
    pub(crate) fn version(&self) -> Version {
        self.version
    }

    /// The frame with its statistics; none when the program it belongs to is gone.
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

    /// As [`Ledger::open`], to add to it: the planner will look at it.
    pub(crate) fn update(&mut self, id: FrameId) -> Option<&mut OpenFrame> {
        let version = self.version;
        self.open(id)?;
        self.updated.insert(id);
        let open = self.frames.get_mut(&id)?;
        open.statistics.last_update = version;
        Some(open)
    }

    /// Opens every frame that an open one calls, directly or not: the planner orders by calls.
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

    /// The frames that were added to.
    pub(crate) fn updated(&self) -> &BTreeSet<FrameId> {
        &self.updated
    }

    /// Hangs the statistics back onto their frames.
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
