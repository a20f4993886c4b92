//! The order of a plan: callees before callers by the call graph, with cycles kept together. Stack
//! depth orders only what is left, since a callee in a rare branch may have been seen only near the
//! bottom.

use super::observed::ObservedFrame;
use super::planned::Planned;
use crate::frame_id::FrameId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

pub(super) fn callees_first(
    items: Vec<Planned>,
    frames: &BTreeMap<FrameId, ObservedFrame<'_>>,
) -> Vec<Planned> {
    let mut items_of: BTreeMap<FrameId, Vec<Planned>> = BTreeMap::new();
    for item in items {
        items_of.entry(item.frame).or_default().push(item);
    }
    let graph = CallGraph::reachable_from(items_of.keys().copied(), frames);
    let circles = graph.circles();
    let mut circle_of = vec![0; graph.frames.len()];
    for (circle, members) in circles.iter().enumerate() {
        members.iter().for_each(|&member| circle_of[member] = circle);
    }

    // The cycles that each one calls, and those that call it.
    let mut callees = vec![BTreeSet::new(); circles.len()];
    let mut callers = vec![BTreeSet::new(); circles.len()];
    for (caller, called) in graph.calls.iter().enumerate() {
        for &callee in called {
            let (caller, callee) = (circle_of[caller], circle_of[callee]);
            if caller != callee {
                callees[caller].insert(callee);
                callers[callee].insert(caller);
            }
        }
    }
    let mut waits_for: Vec<usize> = callees.iter().map(BTreeSet::len).collect();

    // The deepest first, then the first registered.
    let rank = |circle: usize| {
        let members = &circles[circle];
        let depth = members.iter().map(|&member| graph.depths[member]).max();
        let first = members.iter().map(|&member| graph.frames[member]).min();
        (depth, Reverse(first), circle)
    };
    let mut ready: BinaryHeap<_> =
        (0..circles.len()).filter(|&circle| waits_for[circle] == 0).map(rank).collect();
    let mut ordered = Vec::new();
    while let Some((_, _, circle)) = ready.pop() {
        let of_circle =
            circles[circle].iter().filter_map(|&member| items_of.remove(&graph.frames[member]));
        let mut together: Vec<Planned> = of_circle.flatten().collect();
        together.sort_by(|a, b| {
            let rank = |item: &Planned| {
                (Reverse(item.max_depth), item.frame, item.kind, Reverse(item.hits))
            };
            rank(a).cmp(&rank(b)).then_with(|| a.key.cmp(&b.key))
        });
        ordered.append(&mut together);
        for &caller in &callers[circle] {
            waits_for[caller] -= 1;
            if waits_for[caller] == 0 {
                ready.push(rank(caller));
            }
        }
    }
    ordered
}

struct CallGraph {
    frames: Vec<FrameId>,
    depths: Vec<u32>,
    calls: Vec<Vec<usize>>,
}

impl CallGraph {
    fn reachable_from(
        start: impl Iterator<Item = FrameId>,
        observed: &BTreeMap<FrameId, ObservedFrame<'_>>,
    ) -> CallGraph {
        let callees = |id: &FrameId| {
            observed.get(id).into_iter().flat_map(|frame| frame.statistics.callees.keys().copied())
        };
        let mut reached: BTreeSet<FrameId> = start.collect();
        let mut waiting: Vec<FrameId> = reached.iter().copied().collect();
        while let Some(id) = waiting.pop() {
            waiting.extend(
                callees(&id)
                    .filter(|callee| observed.contains_key(callee) && reached.insert(*callee)),
            );
        }
        let frames: Vec<FrameId> = reached.into_iter().collect();
        let depth = |id: &FrameId| {
            let by_callsite = observed
                .get(id)
                .into_iter()
                .flat_map(|frame| frame.statistics.by_callsite.values());
            by_callsite.map(|at| at.max_depth).max().unwrap_or(0)
        };
        let depths = frames.iter().map(depth).collect();
        let calls = frames
            .iter()
            .map(|id| callees(id).filter_map(|id| frames.binary_search(&id).ok()).collect())
            .collect();
        CallGraph { frames, depths, calls }
    }

    /// Tarjan's algorithm (SIAM J. Comput. 1, 1972), with an explicit stack since call chains may
    /// be long.
    fn circles(&self) -> Vec<Vec<usize>> {
        const UNSEEN: usize = usize::MAX;
        let count = self.frames.len();
        let (mut seen, mut seen_at, mut lowest) = (0, vec![UNSEEN; count], vec![0; count]);
        let (mut path, mut is_on_path) = (Vec::new(), vec![false; count]);
        let mut circles = Vec::new();
        for root in 0..count {
            if seen_at[root] != UNSEEN {
                continue;
            }
            // Each frame with its number of visited callees.
            let mut visits = vec![(root, 0)];
            while let Some((frame, followed)) = visits.last_mut() {
                let (frame, call) = (*frame, *followed);
                *followed += 1;
                if call == 0 {
                    (seen_at[frame], lowest[frame]) = (seen, seen);
                    seen += 1;
                    path.push(frame);
                    is_on_path[frame] = true;
                }
                if let Some(&callee) = self.calls[frame].get(call) {
                    if seen_at[callee] == UNSEEN {
                        visits.push((callee, 0));
                    } else if is_on_path[callee] {
                        lowest[frame] = lowest[frame].min(seen_at[callee]);
                    }
                    continue;
                }
                visits.pop();
                if let Some(&(caller, _)) = visits.last() {
                    lowest[caller] = lowest[caller].min(lowest[frame]);
                }
                if lowest[frame] == seen_at[frame] {
                    let from = path.iter().rposition(|&on_path| on_path == frame).unwrap_or(0);
                    let circle = path.split_off(from);
                    circle.iter().for_each(|&member| is_on_path[member] = false);
                    circles.push(circle);
                }
            }
        }
        circles
    }
}
