//! A frame on a simulated stack, and its events.

use super::Version;
use super::ledger::Ledger;
use super::tree::{CalleeTuple, CallsiteStatistics, OutcomeCounts, TupleStatistics, TypeCounts};
use crate::callsite::Callsite;
use crate::frame_id::FrameId;
use crate::log::CorrelationId;
use crate::outcome::OperatorOutcome;
use crate::tuple::TypeTuple;
use crate::types::{Tag, Type, TypeClass};

/// 1,024 events take 40 KiB.
const MAX_PENDING: usize = 1_024;

#[derive(Debug)]
pub(crate) struct SimulatedFrame {
    pub(crate) correlation: CorrelationId,
    pub(crate) frame: FrameId,
    pub(crate) callsite: Option<Callsite>,
    /// 1 at the bottom of the stack.
    pub(crate) depth: u32,
    pub(crate) entered: Version,
    pub(crate) types: Types,
    /// Events by offset that wait until the entry's types are known.
    pub(crate) pending: Vec<(u32, Seen)>,
    pub(crate) pending_osr_hits: u32,
    /// Counts since the first iteration of its loops.
    pub(crate) places: Places,
    /// Offset and callee.
    pub(crate) last_invoke: Option<(u32, FrameId)>,
    /// Where the caller called it; none if an unlogged frame is between.
    pub(crate) called_at: Option<u32>,
}

#[derive(Debug)]
pub(crate) enum Seen {
    Type(Type),
    Outcome(OperatorOutcome),
    Invoked(FrameId),
    CalleeTuple(CalleeTuple),
}

#[derive(Debug)]
pub(crate) enum Types {
    /// Not all are known yet.
    Gathering(Vec<(Option<Tag>, Option<TypeClass>)>),
    /// The entry has been counted for this tuple.
    Known(TypeTuple),
    /// The log is incomplete, or there is no callsite.
    Unknown,
}

impl Types {
    pub(crate) fn of(callsite: Option<Callsite>) -> Types {
        let Some(callsite) = callsite else { return Types::Unknown };
        let slots = (0..callsite.arity()).map(|at| {
            // An omitted argument before others is not logged.
            let is_logged = callsite.argument(at).is_some_and(|argument| argument.is_typed());
            (if is_logged { None } else { Some(Tag::Untyped) }, None)
        });
        Types::Gathering(slots.collect())
    }
}

/// Whether the log may still have arguments of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentLog {
    /// More may be in the next buffer.
    MoreMayCome,
    Logged,
}

impl SimulatedFrame {
    pub(crate) fn argument(&mut self, index: u16) -> Option<&mut (Option<Tag>, Option<TypeClass>)> {
        match &mut self.types {
            Types::Gathering(slots) => slots.get_mut(usize::from(index)),
            Types::Known(_) | Types::Unknown => None,
        }
    }

    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        !self.pending.is_empty() && self.pending.len().is_multiple_of(MAX_PENDING)
    }

    #[inline]
    pub(crate) fn see(&mut self, offset: u32, seen: Seen) {
        if matches!(self.types, Types::Unknown) {
            return;
        }
        let is_counted = self.pending_osr_hits > 0
            && match seen {
                Seen::Type(ty) => {
                    self.places.find(offset).map(|(_, types, _)| types.add(ty)).is_some()
                }
                Seen::Outcome(outcome) => {
                    self.places.find(offset).map(|(.., outcomes)| outcomes.add(outcome)).is_some()
                }
                Seen::Invoked(_) | Seen::CalleeTuple(_) => false,
            };
        if !is_counted {
            self.pending.push((offset, seen));
        }
    }

    /// Adds up the events. An entry without all its types counts for no tuple.
    pub(crate) fn add_to_statistics(
        &mut self,
        caller: Option<&mut SimulatedFrame>,
        ledger: &mut Ledger<'_>,
        arguments: ArgumentLog,
    ) {
        let is_counted = !matches!(self.types, Types::Gathering(_));
        // Counts by place arise only in loops.
        if is_counted && self.pending.is_empty() && self.pending_osr_hits == 0 {
            return;
        }
        let Some(open) = ledger.update(self.frame) else {
            self.pending.clear();
            self.places = Places::default();
            return;
        };
        let bytecode_bytes = open.frame.facts().bytecode_bytes;
        let at = open.statistics.by_callsite.entry(self.callsite).or_default();
        if let Types::Gathering(slots) = &self.types {
            self.types = match count_entry(slots, at, self.depth) {
                Some(tuple) => Types::Known(tuple),
                None if arguments == ArgumentLog::Logged => {
                    at.discarded = at.discarded.saturating_add(1);
                    Types::Unknown
                }
                None => return,
            };
            if let (Types::Known(tuple), Some(callsite)) = (&self.types, self.callsite)
                && let (Some(offset), Some(caller)) = (self.called_at, caller)
            {
                let tuple = CalleeTuple { callee: self.frame, callsite, tuple: tuple.clone() };
                caller.see(offset, Seen::CalleeTuple(tuple));
            }
        }
        let node = match &self.types {
            Types::Known(tuple) => at.tuple(tuple),
            Types::Gathering(_) | Types::Unknown => None,
        };
        let osr_hits = std::mem::take(&mut self.pending_osr_hits);
        let places = std::mem::take(&mut self.places);
        match node {
            Some(node) => {
                node.osr_hits = node.osr_hits.saturating_add(osr_hits);
                // An offset past the end comes from another frame's log, or a damaged one.
                let is_within = |offset: u32| offset < bytecode_bytes;
                for (offset, seen) in
                    self.pending.drain(..).filter(|(offset, _)| is_within(*offset))
                {
                    count_seen(node, offset, seen);
                }
                for (offset, types, outcomes) in
                    places.seen.into_iter().filter(|(offset, ..)| is_within(*offset))
                {
                    let place = node.by_offset.entry(offset).or_default();
                    place.types.add_all(&types);
                    place.outcomes.add_all(&outcomes);
                }
            }
            None => {
                at.discarded_osr_hits = at.discarded_osr_hits.saturating_add(osr_hits);
                self.pending.clear();
            }
        }
    }
}

fn count_entry(
    slots: &[(Option<Tag>, Option<TypeClass>)],
    at: &mut CallsiteStatistics,
    depth: u32,
) -> Option<TypeTuple> {
    let types: Option<Box<[Type]>> =
        slots.iter().map(|(tag, class)| Type::resolve((*tag)?, *class)).collect();
    let tuple = TypeTuple(types?);
    let node = at.tuple(&tuple)?;
    node.hits = node.hits.saturating_add(1);
    node.max_depth = node.max_depth.max(depth);
    for (index, (_, class)) in (0u16..).zip(slots) {
        if let Some(TypeClass::Elements(ty)) = class {
            node.elements.entry(index).or_default().add(*ty);
        }
    }
    Some(tuple)
}

fn count_seen(node: &mut TupleStatistics, offset: u32, seen: Seen) {
    let place = node.by_offset.entry(offset).or_default();
    match seen {
        Seen::Type(ty) => place.types.add(ty),
        Seen::Outcome(outcome) => place.outcomes.add(outcome),
        Seen::Invoked(callee) => place.add_invoked(callee),
        Seen::CalleeTuple(tuple) => place.add_callee_tuple(tuple),
    }
}

/// Counts by place. A loop visits its places in the same order each time, so the next place is
/// nearly always the one after the last, and no look-up in the tree is needed.
#[derive(Debug, Default)]
pub(crate) struct Places {
    seen: Vec<(u32, TypeCounts, OutcomeCounts)>,
    last: usize,
}

const MAX_PLACES: usize = 64;

impl Places {
    /// None when the list is full.
    #[inline]
    fn find(&mut self, offset: u32) -> Option<&mut (u32, TypeCounts, OutcomeCounts)> {
        let is_at = |at: usize| self.seen.get(at).is_some_and(|(known, ..)| *known == offset);
        if is_at(self.last + 1) {
            self.last += 1;
        } else if !is_at(self.last) {
            self.last = self.look_for(offset)?;
        }
        self.seen.get_mut(self.last)
    }

    #[cold]
    fn look_for(&mut self, offset: u32) -> Option<usize> {
        let known = self.seen.iter().position(|(known, ..)| *known == offset);
        if known.is_none() && self.seen.len() < MAX_PLACES {
            self.seen.push((offset, TypeCounts::default(), OutcomeCounts::default()));
            return Some(self.seen.len() - 1);
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_places_finds_each_until_it_is_full_in_whatever_order_they_come() {
        let mut places = Places::default();
        let mut expected = std::collections::BTreeMap::<u32, u32>::new();
        for turn in 0..50 {
            for step in 0..MAX_PLACES as u32 + 9 {
                let offset = (step * (1 + turn % 3)) % (MAX_PLACES as u32 + 5) * 16;
                if let Some((_, types, _)) = places.find(offset) {
                    types.add(Type::Num);
                    *expected.entry(offset).or_default() += 1;
                }
            }
        }
        assert_eq!(places.seen.len(), MAX_PLACES);
        let counted =
            places.seen.iter().map(|(offset, types, _)| (*offset, types.0[Type::Num as usize]));
        assert_eq!(counted.collect::<std::collections::BTreeMap<_, _>>(), expected);
        assert!(expected.values().all(|&count| count >= 30), "{expected:?}");
    }
}
