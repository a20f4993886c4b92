//! A frame's statistics.
//!
//! A frame's hits are the sum of its callsites' hits. A callsite's are the sum of its tuples' hits,
//! of entries with incomplete types (`discarded`), and of entries still on a simulated stack.

use super::Version;
use crate::callsite::Callsite;
use crate::frame_id::FrameId;
use crate::outcome::OperatorOutcome;
use crate::thresholds::{CALLEES, FRAME_CALLEES, TUPLES};
use crate::tuple::TypeTuple;
use crate::types::Type;
use std::collections::BTreeMap;

/// Counts by type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TypeCounts(pub [u32; Type::COUNT]);

/// Counts by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutcomeCounts(pub [u32; OperatorOutcome::COUNT]);

/// A callee with its argument types.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalleeTuple {
    /// The callee.
    pub callee: FrameId,
    /// The shape of the call.
    pub callsite: Callsite,
    /// The argument types.
    pub tuple: TypeTuple,
}

/// Everything known of a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameStatistics {
    /// Entries.
    pub hits: u32,
    /// Iterations of its loops.
    pub osr_hits: u32,
    /// The buffer that last updated it.
    pub last_update: Version,
    /// Counts of its callees, which order specialisations.
    pub callees: BTreeMap<FrameId, u32>,
    /// By shape; `None` for calls without an interned callsite.
    pub by_callsite: BTreeMap<Option<Callsite>, CallsiteStatistics>,
}

/// Entries of one shape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallsiteStatistics {
    /// Entries.
    pub hits: u32,
    /// Loop iterations in these entries.
    pub osr_hits: u32,
    /// Their maximum stack depth; 1 is the bottom.
    pub max_depth: u32,
    /// Entries with incomplete types, or too many tuples.
    pub discarded: u32,
    /// Loop iterations in those.
    pub discarded_osr_hits: u32,
    /// By types; a shape without arguments has the empty tuple.
    pub by_tuple: BTreeMap<TypeTuple, TupleStatistics>,
}

/// Entries with one type tuple.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TupleStatistics {
    /// Entries.
    pub hits: u32,
    /// Loop iterations in these entries.
    pub osr_hits: u32,
    /// Their maximum stack depth.
    pub max_depth: u32,
    /// Element types of array arguments, by argument.
    pub elements: BTreeMap<u16, TypeCounts>,
    /// By bytecode offset.
    pub by_offset: BTreeMap<u32, OffsetStatistics>,
}

/// Observations at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetStatistics {
    /// Types read there, or returned to it.
    pub types: TypeCounts,
    /// Outcomes of the operator.
    pub outcomes: OutcomeCounts,
    /// Callees.
    pub invoked: BTreeMap<FrameId, u32>,
    /// Their argument types.
    pub callee_tuples: BTreeMap<CalleeTuple, u32>,
    /// Calls beyond the maximum number of keys.
    pub further_calls: u32,
}

impl TypeCounts {
    /// Counts one.
    #[inline]
    pub fn add(&mut self, ty: Type) {
        let count = &mut self.0[ty as usize];
        *count = count.saturating_add(1);
    }

    pub(crate) fn add_all(&mut self, others: &TypeCounts) {
        self.0
            .iter_mut()
            .zip(others.0)
            .for_each(|(count, more)| *count = count.saturating_add(more));
    }

    /// The types seen, in order.
    pub fn seen(&self) -> impl Iterator<Item = (Type, u32)> {
        Type::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}

impl OutcomeCounts {
    /// Counts one.
    #[inline]
    pub fn add(&mut self, outcome: OperatorOutcome) {
        let count = &mut self.0[outcome as usize];
        *count = count.saturating_add(1);
    }

    pub(crate) fn add_all(&mut self, others: &OutcomeCounts) {
        self.0
            .iter_mut()
            .zip(others.0)
            .for_each(|(count, more)| *count = count.saturating_add(more));
    }

    /// The outcomes seen, in order.
    pub fn seen(&self) -> impl Iterator<Item = (OperatorOutcome, u32)> {
        OperatorOutcome::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}

impl FrameStatistics {
    pub(crate) fn add_entry(&mut self, callsite: Option<Callsite>, depth: u32) {
        self.hits = self.hits.saturating_add(1);
        let at = self.by_callsite.entry(callsite).or_default();
        at.hits = at.hits.saturating_add(1);
        at.max_depth = at.max_depth.max(depth);
    }

    pub(crate) fn add_osr_hit(&mut self, callsite: Option<Callsite>) {
        self.osr_hits = self.osr_hits.saturating_add(1);
        let at = self.by_callsite.entry(callsite).or_default();
        at.osr_hits = at.osr_hits.saturating_add(1);
    }

    pub(crate) fn add_callee(&mut self, callee: FrameId) {
        count_up_to(FRAME_CALLEES, &mut self.callees, callee);
    }
}

impl CallsiteStatistics {
    /// None if there would be too many tuples.
    pub(crate) fn tuple(&mut self, tuple: &TypeTuple) -> Option<&mut TupleStatistics> {
        // Two look-ups: the tuple nearly always exists, and `entry` would need a clone.
        if !self.by_tuple.contains_key(tuple) {
            if self.by_tuple.len() >= TUPLES {
                return None;
            }
            self.by_tuple.insert(tuple.clone(), TupleStatistics::default());
        }
        self.by_tuple.get_mut(tuple)
    }
}

impl OffsetStatistics {
    pub(crate) fn add_invoked(&mut self, callee: FrameId) {
        self.further_calls += count_up_to(CALLEES, &mut self.invoked, callee);
    }

    pub(crate) fn add_callee_tuple(&mut self, tuple: CalleeTuple) {
        count_up_to(CALLEES, &mut self.callee_tuples, tuple);
    }
}

/// Counts, and returns what could not be counted because the map is full.
fn count_up_to<K: Ord>(limit: usize, counts: &mut BTreeMap<K, u32>, key: K) -> u32 {
    if let Some(count) = counts.get_mut(&key) {
        *count = count.saturating_add(1);
    } else if counts.len() < limit {
        counts.insert(key, 1);
    } else {
        return 1;
    }
    0
}
