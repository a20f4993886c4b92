//! The statistics of a frame: a tree of counts, frame -> callsite -> type tuple -> offset.
//!
//! A frame's hits are the sum of its callsites' hits. A callsite's hits are the sum of its tuples'
//! hits, of the entries whose types are not all known (`discarded`), and of the entries that are
//! still on a simulated stack.

use super::Version;
use crate::callsite::Callsite;
use crate::frame_id::FrameId;
use crate::outcome::Outcome;
use crate::thresholds::{CALLEES, FRAME_CALLEES, TUPLES};
use crate::tuple::TypeTuple;
use crate::types::Type;
use std::collections::BTreeMap;

/// How often each type was seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TypeCounts(pub [u32; Type::COUNT]);

/// How often an operator went each of its ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutcomeCounts(pub [u32; Outcome::COUNT]);

/// A callee with the types it was called with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalleeTuple {
    /// Who was called.
    pub callee: FrameId,
    /// With which shape.
    pub callsite: Callsite,
    /// With which types.
    pub tuple: TypeTuple,
}

/// All that is known of a frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameStatistics {
    /// Entries.
    pub hits: u32,
    /// Turns of its loops.
    pub osr_hits: u32,
    /// The buffer that last added to it.
    pub last_update: Version,
    /// Which frames it calls, and how often: specialisations are ordered by it. Also counted where
    /// tuples are not known.
    pub callees: BTreeMap<FrameId, u32>,
    /// By the shape of the call; `None` counts calls without an interned callsite.
    pub by_callsite: BTreeMap<Option<Callsite>, CallsiteStatistics>,
}

/// The entries that came with one shape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallsiteStatistics {
    /// Entries.
    pub hits: u32,
    /// Turns of loops in these entries.
    pub osr_hits: u32,
    /// The deepest that such an entry stood on the stack; 1 is the bottom.
    pub max_depth: u32,
    /// Entries of which not all types are known, because the log broke off or there were too many
    /// tuples.
    pub discarded: u32,
    /// Turns of loops in those.
    pub discarded_osr_hits: u32,
    /// By types. A shape without arguments has one tuple, the empty one.
    pub by_tuple: BTreeMap<TypeTuple, TupleStatistics>,
}

/// The entries that came with one tuple of types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TupleStatistics {
    /// Entries.
    pub hits: u32,
    /// Turns of loops in these entries.
    pub osr_hits: u32,
    /// The deepest that such an entry stood on the stack.
    pub max_depth: u32,
    /// By argument, the elements seen in the arrays that were passed.
    pub elements: BTreeMap<u16, TypeCounts>,
    /// By place in the bytecode.
    pub by_offset: BTreeMap<u32, OffsetStatistics>,
}

/// What was seen at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetStatistics {
    /// Types read there, or returned to it.
    pub types: TypeCounts,
    /// Ways the operator went.
    pub outcomes: OutcomeCounts,
    /// Frames that were called.
    pub invoked: BTreeMap<FrameId, u32>,
    /// The types they were called with.
    pub callee_tuples: BTreeMap<CalleeTuple, u32>,
    /// Calls that found no more room above.
    pub further_calls: u32,
}

impl TypeCounts {
    /// Counts one.
    #[inline]
    pub fn add(&mut self, ty: Type) {
        let count = &mut self.0[ty as usize];
        *count = count.saturating_add(1);
    }

    /// Counts as many as others have counted.
    pub(crate) fn add_all(&mut self, others: &TypeCounts) {
        self.0
            .iter_mut()
            .zip(others.0)
            .for_each(|(count, more)| *count = count.saturating_add(more));
    }

    /// The types that were seen, in their order.
    pub fn seen(&self) -> impl Iterator<Item = (Type, u32)> {
        Type::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}

impl OutcomeCounts {
    /// Counts one.
    #[inline]
    pub fn add(&mut self, outcome: Outcome) {
        let count = &mut self.0[outcome as usize];
        *count = count.saturating_add(1);
    }

    /// Counts as many as others have counted.
    pub(crate) fn add_all(&mut self, others: &OutcomeCounts) {
        self.0
            .iter_mut()
            .zip(others.0)
            .for_each(|(count, more)| *count = count.saturating_add(more));
    }

    /// The ways that were taken, in their order.
    pub fn seen(&self) -> impl Iterator<Item = (Outcome, u32)> {
        Outcome::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}

impl FrameStatistics {
    /// Counts an entry.
    pub(crate) fn add_entry(&mut self, callsite: Option<Callsite>, depth: u32) {
        self.hits = self.hits.saturating_add(1);
        let at = self.by_callsite.entry(callsite).or_default();
        at.hits = at.hits.saturating_add(1);
        at.max_depth = at.max_depth.max(depth);
    }

    /// Counts a turn of a loop.
    pub(crate) fn add_osr_hit(&mut self, callsite: Option<Callsite>) {
        self.osr_hits = self.osr_hits.saturating_add(1);
        let at = self.by_callsite.entry(callsite).or_default();
        at.osr_hits = at.osr_hits.saturating_add(1);
    }

    /// Counts a call out of the frame.
    pub(crate) fn add_callee(&mut self, callee: FrameId) {
        count_up_to(FRAME_CALLEES, &mut self.callees, callee);
    }
}

impl CallsiteStatistics {
    /// The statistics of a tuple, begun if needed; none when there are too many tuples.
    pub(crate) fn tuple(&mut self, tuple: &TypeTuple) -> Option<&mut TupleStatistics> {
        // Looked up twice: a tuple is nearly always there, and cloning it for `entry` would cost
        // more.
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
    /// Counts a call.
    pub(crate) fn add_invoked(&mut self, callee: FrameId) {
        self.further_calls += count_up_to(CALLEES, &mut self.invoked, callee);
    }

    /// Counts the types that a callee was called with.
    pub(crate) fn add_callee_tuple(&mut self, tuple: CalleeTuple) {
        count_up_to(CALLEES, &mut self.callee_tuples, tuple);
    }
}

/// Counts a key unless the map is full; how many were turned away.
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
