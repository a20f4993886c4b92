//! Adds up samples: the call tree, and the times below each site and in each target.

use super::target::{CodeKind, NO_TARGET, Target};
use std::collections::HashMap;

/// A node of the call tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// None for the root.
    pub target: Option<Target>,
    /// Index of the parent; the root is its own.
    pub parent: usize,
    /// Nanoseconds in it and not below: interpreted, and as machine code.
    pub time: [u64; 2],
}

/// Of a deeper stack only this many outermost and innermost sites count: a recursion of a million
/// calls would take milliseconds a sample.
const ENDS: usize = 512;

pub(super) struct Tree {
    targets: Vec<u32>,
    parents: Vec<u32>,
    times: Vec<[u64; 2]>,
    children: HashMap<(u32, u32), u32>,
    below: HashMap<u32, u64>,
    inclusive: Vec<u64>,
    seen: Vec<u64>,
    sample: u64,
}

impl Tree {
    pub(super) fn new(targets: usize) -> Tree {
        Tree {
            targets: vec![NO_TARGET],
            parents: vec![0],
            times: vec![[0; 2]],
            children: HashMap::new(),
            below: HashMap::new(),
            inclusive: vec![0; targets],
            seen: vec![0; targets],
            sample: 0,
        }
    }

    pub(super) fn add(&mut self, stack: &[u32], targets: &[u32], time: u64, code: CodeKind) {
        let (outer, inner) = match stack.len().checked_sub(2 * ENDS) {
            None => (stack, [].as_slice()),
            Some(_) => (&stack[..ENDS], &stack[stack.len() - ENDS..]),
        };
        let target = |site: u32| targets.get(site as usize).copied().unwrap_or(NO_TARGET);
        let mut at = 0;
        for &site in outer.iter().chain(inner) {
            at = self.child(at, target(site));
        }
        self.times[at as usize][usize::from(code != CodeKind::Interpreted)] += time;

        // Each target counts once, at its outermost site, so that the times of a function's sites
        // add up to its own.
        self.sample += 1;
        for &site in outer.iter().chain(inner) {
            let number = target(site) as usize;
            if self.seen.get(number).is_some_and(|&seen| seen != self.sample) {
                self.seen[number] = self.sample;
                self.inclusive[number] += time;
                *self.below.entry(site).or_default() += time;
            }
        }
    }

    fn child(&mut self, parent: u32, target: u32) -> u32 {
        *self.children.entry((parent, target)).or_insert_with(|| {
            self.targets.push(target);
            self.parents.push(parent);
            self.times.push([0; 2]);
            self.targets.len() as u32 - 1
        })
    }

    pub(super) fn below(&self, site: u32) -> u64 {
        self.below.get(&site).copied().unwrap_or(0)
    }

    pub(super) fn inclusive(&self) -> impl Iterator<Item = (u32, u64)> {
        (0..)
            .zip(&self.inclusive)
            .filter(|(_, time)| **time > 0)
            .map(|(number, time)| (number, *time))
    }

    pub(super) fn nodes(&self, target: impl Fn(u32) -> Target) -> Vec<Node> {
        let named = |number: u32| (number != NO_TARGET).then(|| target(number));
        let all = self.targets.iter().zip(&self.parents).zip(&self.times);
        all.map(|((&number, &parent), &time)| Node {
            target: named(number),
            parent: parent as usize,
            time,
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Targets 0 f, 1 g, 2 the rule; sites 0 and 1 call f, 2 calls g, 3 is the rule's mark.
    const TARGETS: [u32; 4] = [0, 0, 1, 2];

    fn inclusive(tree: &Tree) -> Vec<(u32, u64)> {
        tree.inclusive().collect()
    }

    #[test]
    fn a_sample_counts_once_for_each_function_that_it_is_in_however_that_recurs() {
        let mut tree = Tree::new(3);
        tree.add(&[3], &TARGETS, 1, CodeKind::Interpreted);
        tree.add(&[3, 0], &TARGETS, 10, CodeKind::Compiled);
        tree.add(&[3, 0, 2, 1, 2], &TARGETS, 100, CodeKind::Compiled);
        tree.add(&[3, 0, 1, 1, 1], &TARGETS, 1000, CodeKind::Compiled);
        assert_eq!(inclusive(&tree), [(0, 1110), (1, 100), (2, 1111)]);
        assert_eq!([0, 1, 2, 3].map(|site| tree.below(site)), [1110, 0, 100, 1111]);
        let nodes = tree.nodes(Target::Function);
        assert_eq!(nodes.iter().map(|node| node.time[0] + node.time[1]).sum::<u64>(), 1111);
        assert_eq!(nodes[1], Node { target: Some(Target::Function(2)), parent: 0, time: [1, 0] });
    }

    #[test]
    fn of_a_deep_stack_both_ends_are_kept() {
        let mut tree = Tree::new(3);
        let mut stack = vec![0; 1_000_000];
        stack[0] = 3;
        stack.push(2);
        tree.add(&stack, &TARGETS, 5, CodeKind::Compiled);
        let nodes = tree.nodes(Target::Function);
        assert_eq!(nodes.len(), 1 + 2 * ENDS);
        assert_eq!(nodes.last().and_then(|node| node.target), Some(Target::Function(1)));
        assert_eq!(inclusive(&tree), [(0, 5), (1, 5), (2, 5)]);
    }
}
