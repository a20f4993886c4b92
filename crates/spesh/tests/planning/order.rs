//! In which order things are planned.

use crate::observed::{Observed, callsite};
use proptest::prelude::*;
use riverhawk_spesh::Type::Num;
use riverhawk_spesh::*;
use std::collections::BTreeSet;

fn hot(observed: &mut Observed, depths: &[(u64, u32)]) {
    for (id, depth) in depths {
        observed.seen_at(*id, callsite(&[Num]), &[Num], 300, 0, *depth);
    }
}

fn order(observed: &Observed) -> Vec<u64> {
    observed.plan().items.iter().map(|planned| planned.frame.0).collect()
}

#[test]
fn a_callee_precedes_its_caller() {
    let mut chain = Observed::default();
    hot(&mut chain, &[(1, 1), (2, 2), (3, 3)]);
    chain.calls(1, 2).calls(2, 3);
    assert_eq!(order(&chain), [3, 2, 1]);
}

#[test]
fn a_callee_precedes_its_caller_whatever_depths_were_seen() {
    let mut chain = Observed::default();
    hot(&mut chain, &[(1, 9), (2, 5), (3, 1)]);
    chain.calls(1, 2).calls(2, 3);
    assert_eq!(order(&chain), [3, 2, 1]);
}

#[test]
fn a_callee_called_through_a_frame_that_is_not_hot_still_precedes() {
    let mut chain = Observed::default();
    hot(&mut chain, &[(1, 9), (3, 1)]);
    chain.calls(1, 2).calls(2, 3);
    assert_eq!(order(&chain), [3, 1]);
}

#[test]
fn depth_decides_between_strangers() {
    let mut strangers = Observed::default();
    hot(&mut strangers, &[(1, 14), (2, 15), (3, 13), (4, 32), (5, 14), (6, 14)]);
    assert_eq!(order(&strangers), [4, 2, 1, 5, 6, 3]);
}

#[test]
fn frames_that_call_each_other_come_together_the_deepest_first() {
    let mut circle = Observed::default();
    hot(&mut circle, &[(1, 1), (2, 2), (3, 3), (4, 1), (5, 9)]);
    circle.calls(1, 2).calls(2, 3).calls(3, 2).calls(3, 4).calls(5, 5);
    assert_eq!(order(&circle), [5, 4, 3, 2, 1]);
}

#[test]
fn a_loop_is_not_planned_before_what_it_calls() {
    // With fewer OSR hits than a body of 8 KiB needs hits, the loop was specialised without it.
    let of = |turns: u32| {
        let mut program = Observed::default();
        program.seen(1, &[], 1, turns).calls(1, 2);
        program.seen_at(2, callsite(&[Num]), &[Num], turns, 0, 2).frame(2).bytecode_bytes = 8_192;
        order(&program)
    };
    assert_eq!(of(199), [0; 0]);
    assert_eq!(of(200), [2, 1]);
}

#[test]
fn a_chain_of_a_hundred_thousand_calls_overflows_no_stack() {
    let mut chain = Observed::default();
    for id in 0..100_000 {
        chain.calls(id, id + 1);
    }
    hot(&mut chain, &[(0, 5), (100_000, 1), (50_000, 3)]);
    assert_eq!(order(&chain), [100_000, 50_000, 0]);
}

#[test]
fn candidates_of_one_frame_stand_from_special_to_general() {
    let mut frame = Observed::default();
    frame.seen(1, &[Num], 800, 0);
    frame.seen(1, &[Type::Str], 200, 0);
    assert_eq!(frame.rows(), ["f1 observed (num) 800/1000", "f1 certain 200/1000"]);
}

/// Directly or not.
fn reaches(calls: &[(u64, u64)], from: u64, to: u64) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![from]);
    while let Some(at) = waiting.pop() {
        for (_, callee) in calls.iter().filter(|(caller, _)| *caller == at) {
            if *callee == to {
                return true;
            }
            if seen.insert(*callee) {
                waiting.push(*callee);
            }
        }
    }
    false
}

proptest! {
    #[test]
    fn in_any_call_graph_callees_precede_callers(
        calls in prop::collection::vec((0u64..12, 0u64..12), 0..40),
        depths in prop::collection::btree_map(0u64..12, 1u32..20, 0..12),
    ) {
        let mut graph = Observed::default();
        for (caller, callee) in &calls {
            graph.calls(*caller, *callee);
        }
        let depths: Vec<_> = depths.into_iter().collect();
        hot(&mut graph, &depths);
        let order = order(&graph);
        prop_assert_eq!(order.iter().copied().collect::<BTreeSet<_>>(), depths.iter().map(|(id, _)| *id).collect());
        prop_assert_eq!(order.len(), depths.len());
        for (at, first) in order.iter().enumerate() {
            for second in &order[at + 1..] {
                // None calls a later one, unless in a cycle.
                prop_assert!(
                    !reaches(&calls, *first, *second) || reaches(&calls, *second, *first),
                    "{first} calls {second} and precedes it in {order:?}"
                );
            }
        }
    }
}
