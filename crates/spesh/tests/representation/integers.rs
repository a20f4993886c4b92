//! Which loops get a version over integers, and what it looks like.

use crate::{numeric_loop, optimised};
use riverhawk_spesh::ir::{
    BlockEnd, Inst, Integer, IntegerRange, IrFunction, ValueType, dump, loop_depths, verify,
};

fn integers(function: &IrFunction) -> Vec<Integer> {
    let steps = function.blocks.iter().flat_map(|block| &block.steps);
    steps
        .filter_map(
            |step| if let Inst::Integer(integer) = step.inst { Some(integer) } else { None },
        )
        .collect()
}

/// Integer operations in loops, except those of edges to the doubles.
fn in_loops(function: &IrFunction) -> Vec<Integer> {
    let depths = loop_depths(function);
    let blocks =
        function.blocks.iter().zip(depths).filter(|(block, depth)| *depth > 0 && !block.is_rare);
    let steps = blocks.flat_map(|(block, _)| &block.steps);
    steps
        .filter_map(
            |step| if let Inst::Integer(integer) = step.inst { Some(integer) } else { None },
        )
        .collect()
}

#[test]
fn loops_that_gain_nothing_have_one_version() {
    for program in [
        "BEGIN { while (i < 100) { x = x * y + z; i++ } }",
        "BEGIN { while (i < 100) { x = sin(x) + 1; i++ } }",
        "BEGIN { while (i < 100) { t = t \"x\"; i++ } }",
        "BEGIN { while (i < 100) { x = x + 0.5; i++ } }",
    ] {
        let function = optimised(numeric_loop(program));
        assert_eq!(integers(&function), [], "{program}: {}", dump(&function));
    }
}

#[test]
fn a_sum_of_integers_is_looked_at_once_a_turn() {
    let function = optimised(numeric_loop("BEGIN { while (i < 100) { s += i; i++ } }"));
    assert_eq!(verify(&function), Ok(()));
    let looked_at =
        in_loops(&function).into_iter().filter(|integer| matches!(integer, Integer::IsWithin(..)));
    // The counter is below 100 wherever the loop continues.
    assert_eq!(looked_at.count(), 1, "{}", dump(&function));
    let doubles =
        in_loops(&function).into_iter().filter(|integer| matches!(integer, Integer::Number(_)));
    assert_eq!(doubles.count(), 0, "{}", dump(&function));
}

#[test]
fn remainders_and_quotients_of_integers_are_integers() {
    let function =
        optimised(numeric_loop("BEGIN { while (n > 1) { n = n % 2 ? 3 * n + 1 : n / 2; c++ } }"));
    let inside = in_loops(&function);
    let has = |wanted: fn(&Integer) -> bool| inside.iter().any(wanted);
    assert!(has(|integer| matches!(integer, Integer::Rem(_, 2))), "{}", dump(&function));
    assert!(has(|integer| matches!(integer, Integer::Div(_, 2))), "{}", dump(&function));
    assert!(has(|integer| matches!(integer, Integer::Mul(..))), "{}", dump(&function));
}

#[test]
fn subscripts_are_integers_when_they_are_counted() {
    let function = optimised(numeric_loop("BEGIN { while (j <= n) { c[j] = 1; j += i } }"));
    let keys =
        function.blocks.iter().flat_map(|block| &block.steps).filter_map(|step| match step.inst {
            Inst::Element { key, .. } => Some(function.type_of(key)),
            _ => None,
        });
    let keys: Vec<ValueType> = keys.collect();
    assert!(
        keys.contains(&ValueType::Integer) && keys.contains(&ValueType::Number),
        "{}",
        dump(&function)
    );
}

#[test]
fn ranges_leave_room_for_what_is_done_with_them() {
    // 3n + 1 must stay below 2^53 without a check.
    let function = optimised(numeric_loop("BEGIN { while (n < m) { n = 3 * n + 1; c += n % 5 } }"));
    let ranges = integers(&function).into_iter().filter_map(|integer| match integer {
        Integer::IsWhole(_, range) | Integer::IsWithin(_, range) => Some(range),
        _ => None,
    });
    let ranges: Vec<IntegerRange> = ranges.collect();
    assert!(
        ranges.iter().any(|range| range.bits < 52) && ranges.iter().all(|range| range.bits <= 53),
        "{ranges:?}"
    );
}

#[test]
fn an_inner_loop_has_a_head_of_its_own() {
    // The entry is in the inner loop, and the outer loop shares its header.
    let function = optimised(numeric_loop(
        "BEGIN { do { do { x = x * y; i++ } while (i < 10); z = z * x; i = 0; k++ } while (k < 10) }",
    ));
    assert_eq!(verify(&function), Ok(()));
    let depths = loop_depths(&function);
    assert_eq!(depths.iter().max(), Some(&2), "{}", dump(&function));
    let goes_back_to_itself =
        |at: usize| function.blocks[at].end.targets().iter().any(|to| to.block.0 as usize == at);
    let innermost = (0..function.blocks.len()).filter(|&at| depths[at] == 2);
    assert!(innermost.clone().any(goes_back_to_itself), "{}", dump(&function));
    assert!(function.blocks.iter().all(|block| !matches!(block.end, BlockEnd::ReturnValue)));
}
