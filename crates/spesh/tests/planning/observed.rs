//! Handwritten statistics for the planner.

use riverhawk_spesh::ArgumentShape::{Array, Scalar};
use riverhawk_spesh::planner::{ObservedFrame, plan};
use riverhawk_spesh::statistics::Version;
use riverhawk_spesh::*;
use std::collections::BTreeMap;

#[derive(Default)]
pub struct Observed {
    frames: BTreeMap<FrameId, (FrameFacts, FrameStatistics, BTreeMap<SpecialisationKey, Produced>)>,
}

pub fn callsite(types: &[Type]) -> Option<Callsite> {
    let shape: Vec<ArgumentShape> =
        types.iter().map(|ty| if *ty == Type::Array { Array } else { Scalar }).collect();
    Callsite::intern(&shape)
}

impl Observed {
    pub fn frame(&mut self, id: u64) -> &mut FrameFacts {
        let facts = || FrameFacts {
            name: format!("f{id}"),
            place: format!("prog.awk:{id}"),
            bytecode_bytes: 100,
            parameters: ["a", "b", "c", "d"].map(String::from).into(),
            is_called: true,
            gains_from_types: true,
        };
        &mut self
            .frames
            .entry(FrameId(id))
            .or_insert_with(|| (facts(), Default::default(), Default::default()))
            .0
    }

    pub fn statistics(&mut self, id: u64) -> &mut FrameStatistics {
        self.frame(id);
        &mut self.frames.get_mut(&FrameId(id)).unwrap().1
    }

    pub fn produced(&mut self, id: u64) -> &mut BTreeMap<SpecialisationKey, Produced> {
        self.frame(id);
        &mut self.frames.get_mut(&FrameId(id)).unwrap().2
    }

    pub fn seen(&mut self, id: u64, types: &[Type], hits: u32, osr_hits: u32) -> &mut Observed {
        self.seen_at(id, callsite(types), types, hits, osr_hits, 1)
    }

    pub fn seen_at(
        &mut self,
        id: u64,
        callsite: Option<Callsite>,
        types: &[Type],
        hits: u32,
        osr_hits: u32,
        depth: u32,
    ) -> &mut Observed {
        let statistics = self.statistics(id);
        statistics.last_update = Version(1);
        statistics.hits += hits;
        statistics.osr_hits += osr_hits;
        let at = statistics.by_callsite.entry(callsite).or_default();
        at.hits += hits;
        at.osr_hits += osr_hits;
        at.max_depth = at.max_depth.max(depth);
        if callsite.is_some() {
            let tuple = at.by_tuple.entry(TypeTuple(types.into())).or_default();
            tuple.hits += hits;
            tuple.osr_hits += osr_hits;
            tuple.max_depth = tuple.max_depth.max(depth);
        }
        self
    }

    pub fn calls(&mut self, caller: u64, callee: u64) -> &mut Observed {
        self.frame(callee);
        *self.statistics(caller).callees.entry(FrameId(callee)).or_default() += 1;
        self
    }

    pub fn plan_with(&self, thresholds: &Thresholds) -> SpecialisationPlan {
        let frames: BTreeMap<FrameId, ObservedFrame<'_>> = self
            .frames
            .iter()
            .map(|(id, (facts, statistics, produced))| {
                (*id, ObservedFrame { facts, statistics, produced })
            })
            .collect();
        plan(&frames, &self.frames.keys().copied().collect(), thresholds)
    }

    pub fn plan(&self) -> SpecialisationPlan {
        self.plan_with(&Thresholds::USUAL)
    }

    pub fn rows(&self) -> Vec<String> {
        rows(&self.plan())
    }
}

/// One row for each item: `f1 observed (num, *) 331/367`.
pub fn rows(plan: &SpecialisationPlan) -> Vec<String> {
    let row = |planned: &Planned| {
        let kind = match planned.kind {
            PlannedKind::Observed => "observed",
            PlannedKind::Derived => "derived",
            PlannedKind::Certain => "certain",
        };
        let types = planned.key.types.as_ref().map_or(String::new(), |types| {
            let names: Vec<&str> =
                types.0.iter().map(|ty| ty.map_or("*", |ty| ty.name())).collect();
            format!(" ({})", names.join(", "))
        });
        format!("f{} {kind}{types} {}/{}", planned.frame.0, planned.hits, planned.callsite_hits)
    };
    plan.items.iter().map(row).collect()
}
