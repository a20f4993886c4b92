//! How blocks follow each other: dominators and loops.

use super::function::*;
use std::collections::{BTreeMap, BTreeSet};

/// How many loops each block is in.
pub fn loop_depths(function: &IrFunction) -> Vec<u32> {
    let mut depths = vec![0; function.blocks.len()];
    blocks_by_header(function).values().flatten().for_each(|&block| depths[block] += 1);
    depths
}

pub(super) fn blocks_by_header(function: &IrFunction) -> BTreeMap<usize, BTreeSet<usize>> {
    let mut by_header: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for found in loops(function) {
        by_header.entry(found.header).or_default().extend(found.blocks);
    }
    by_header
}

pub(super) fn reverse_postorder(function: &IrFunction) -> Vec<usize> {
    let count = function.blocks.len();
    let mut order = Vec::new();
    let mut seen = vec![false; count];
    let mut stack = vec![(0usize, 0usize)];
    seen[0] = true;
    while let Some((block, next)) = stack.pop() {
        match function.blocks[block].end.targets().get(next) {
            Some(target) => {
                stack.push((block, next + 1));
                let to = target.block.0 as usize;
                if to < count && !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

/// Immediate dominators, by the algorithm of Cooper, Harvey and Kennedy; none for unreachable
/// blocks.
pub(super) fn dominators(function: &IrFunction) -> Vec<Option<usize>> {
    let count = function.blocks.len();
    let mut order = reverse_postorder(function);
    order.reverse();
    let mut rank = vec![0; count];
    for (at, &block) in order.iter().enumerate() {
        rank[block] = at;
    }
    let mut predecessors = vec![Vec::new(); count];
    for &block in &order {
        for target in function.blocks[block].end.targets() {
            if let Some(list) = predecessors.get_mut(target.block.0 as usize) {
                list.push(block);
            }
        }
    }
    let mut dominators: Vec<Option<usize>> = vec![None; count];
    dominators[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev().filter(|&&block| block != 0) {
            let mut best: Option<usize> = None;
            for &from in predecessors[block].iter().filter(|&&from| dominators[from].is_some()) {
                best = Some(match best {
                    None => from,
                    Some(other) => common(&dominators, &rank, other, from),
                });
            }
            if dominators[block] != best {
                dominators[block] = best;
                changed = true;
            }
        }
    }
    dominators
}

fn common(dominators: &[Option<usize>], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let lower = if rank[a] < rank[b] { &mut a } else { &mut b };
        match dominators[*lower] {
            Some(up) => *lower = up,
            None => return 0,
        }
    }
    a
}

pub(super) fn dominates(dominators: &[Option<usize>], above: usize, mut below: usize) -> bool {
    while below != above {
        match dominators[below] {
            Some(up) if up != below => below = up,
            _ => return false,
        }
    }
    true
}

/// A header, and the blocks that jump back to it and that it dominates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Loop {
    pub header: usize,
    pub latch: usize,
    /// With header and latch.
    pub blocks: BTreeSet<usize>,
}

pub(super) fn loops(function: &IrFunction) -> Vec<Loop> {
    let dominators = dominators(function);
    let mut predecessors = vec![Vec::new(); function.blocks.len()];
    let mut back = Vec::new();
    for (from, block) in
        function.blocks.iter().enumerate().filter(|(from, _)| dominators[*from].is_some())
    {
        for target in block.end.targets() {
            let to = target.block.0 as usize;
            predecessors[to].push(from);
            if dominates(&dominators, to, from) {
                back.push((to, from));
            }
        }
    }
    back.dedup();
    let around = |(header, latch): (usize, usize)| {
        let mut blocks = BTreeSet::from([header, latch]);
        let mut waiting = vec![latch];
        while let Some(block) = waiting.pop().filter(|&block| block != header) {
            waiting.extend(predecessors[block].iter().filter(|&&from| blocks.insert(from)));
        }
        Loop { header, latch, blocks }
    };
    back.into_iter().map(around).collect()
}
