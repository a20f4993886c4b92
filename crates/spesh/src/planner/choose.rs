//! Which specialisations a hot callsite gets.

use super::derive::{SeenTuple, derive};
use super::observed::ObservedFrame;
use super::planned::{Planned, PlannedKind};
use crate::callsite::Callsite;
use crate::frame::Produced;
use crate::frame_id::FrameId;
use crate::statistics::{CallsiteStatistics, TupleStatistics};
use crate::thresholds::Thresholds;
use crate::tuple::{GuardedTypes, SpecialisationKey, TypeTuple};

/// Plans for one hot callsite of a frame.
///
/// A tuple with 25 % of the hits or OSR hits gets its own specialisation (*observed*). Others may
/// share one for the types they have in common (*derived*). If the rest is still hot, it gets one
/// that relies on the callsite alone (*certain*).
pub(super) fn for_callsite(
    id: FrameId,
    frame: &ObservedFrame<'_>,
    callsite: Option<Callsite>,
    at: &CallsiteStatistics,
    thresholds: &Thresholds,
) -> Vec<Planned> {
    let mut choice = Choice {
        id,
        frame,
        callsite,
        at,
        hits_left: at.hits,
        osr_hits_left: at.osr_hits,
        items: Vec::new(),
    };
    let mut unserved: Vec<SeenTuple<'_>> = at.by_tuple.iter().collect();
    let has_types = callsite.is_some_and(|callsite| callsite.arity() > 0);
    if has_types && frame.facts.gains_from_types {
        let is_observed = |tuple: &TupleStatistics| {
            is_share(tuple.hits, at.hits, thresholds.observed_percent)
                || is_share(tuple.osr_hits, at.osr_hits, thresholds.observed_percent)
        };
        // A tuple without its own specialisation may still be part of something more general.
        unserved
            .retain(|served| !(is_observed(served.1) && choice.serve(served.0.into(), &[*served])));
        // A specialisation of an earlier plan may serve it.
        unserved.retain(|served| !choice.is_served(served));
        let total = u64::from(at.hits) + u64::from(at.osr_hits);
        let mut unused = unserved.clone();
        while let Some(types) = derive(&unused, total, thresholds.derived_percent) {
            let (evidence, others): (Vec<_>, Vec<_>) =
                unused.into_iter().partition(|(tuple, _)| types.admit(tuple));
            if choice.serve(types.clone(), &evidence) {
                unserved.retain(|(tuple, _)| !types.admit(tuple));
            }
            unused = others;
        }
    }
    if thresholds.is_hot(frame.facts.bytecode_bytes, choice.hits_left, choice.osr_hits_left) {
        choice.add_certain(&unserved);
    }
    choice.items
}

/// Whether a part is at least `percent` of a whole. Zero never is.
fn is_share(part: u32, whole: u32, percent: u64) -> bool {
    part > 0 && u64::from(part) * 100 >= u64::from(whole) * percent
}

fn tuples(seen: &[SeenTuple<'_>]) -> Vec<TypeTuple> {
    seen.iter().map(|(tuple, _)| TypeTuple::clone(tuple)).collect()
}

struct Choice<'a> {
    id: FrameId,
    frame: &'a ObservedFrame<'a>,
    callsite: Option<Callsite>,
    at: &'a CallsiteStatistics,
    hits_left: u32,
    osr_hits_left: u32,
    items: Vec<Planned>,
}

impl Choice<'_> {
    /// Whether there is now a specialisation for these types; not if it failed too often.
    fn serve(&mut self, types: GuardedTypes, evidence: &[SeenTuple<'_>]) -> bool {
        let key = SpecialisationKey { callsite: self.callsite, types: Some(types) };
        let produced = self.frame.produced.get(&key);
        if produced.is_some_and(|produced| produced.is_exhausted()) {
            return false;
        }
        let sum = |part: fn(&TupleStatistics) -> u32| {
            evidence.iter().fold(0u32, |sum, (_, tuple)| sum.saturating_add(part(tuple)))
        };
        let (hits, osr_hits) = (sum(|tuple| tuple.hits), sum(|tuple| tuple.osr_hits));
        self.hits_left = self.hits_left.saturating_sub(hits);
        self.osr_hits_left = self.osr_hits_left.saturating_sub(osr_hits);
        if !produced.is_some_and(|produced| produced.standing) {
            let kind =
                if evidence.len() == 1 { PlannedKind::Observed } else { PlannedKind::Derived };
            let max_depth = evidence.iter().map(|(_, tuple)| tuple.max_depth).max().unwrap_or(0);
            self.add(kind, key, tuples(evidence), (hits, osr_hits), max_depth);
        }
        true
    }

    fn is_served(&mut self, (tuple, statistics): &SeenTuple<'_>) -> bool {
        let admits = |(key, produced): (&SpecialisationKey, &Produced)| {
            produced.standing
                && key.callsite == self.callsite
                && key.types.as_ref().is_some_and(|types| types.admit(tuple))
        };
        let is_served = self.frame.produced.iter().any(admits);
        if is_served {
            self.hits_left = self.hits_left.saturating_sub(statistics.hits);
            self.osr_hits_left = self.osr_hits_left.saturating_sub(statistics.osr_hits);
        }
        is_served
    }

    fn add_certain(&mut self, unserved: &[SeenTuple<'_>]) {
        let key = SpecialisationKey { callsite: self.callsite, types: None };
        if self
            .frame
            .produced
            .get(&key)
            .is_none_or(|produced| !produced.standing && !produced.is_exhausted())
        {
            let left = (self.hits_left, self.osr_hits_left);
            self.add(PlannedKind::Certain, key, tuples(unserved), left, self.at.max_depth);
        }
    }

    fn add(
        &mut self,
        kind: PlannedKind,
        key: SpecialisationKey,
        evidence: Vec<TypeTuple>,
        (hits, osr_hits): (u32, u32),
        max_depth: u32,
    ) {
        // A call of unknown shape may pass any arguments.
        let parameters = self.frame.facts.parameters.len();
        let passed = self.callsite.map_or(parameters, |callsite| callsite.arity().min(parameters));
        self.items.push(Planned {
            kind,
            frame: self.id,
            key,
            omitted: passed..parameters,
            evidence,
            hits,
            osr_hits,
            callsite_hits: self.at.hits,
            callsite_osr_hits: self.at.osr_hits,
            max_depth,
        });
    }
}
