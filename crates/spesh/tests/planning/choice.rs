//! What is planned for which statistics: examples and thresholds.

use crate::observed::{Observed, callsite, rows};
use riverhawk_spesh::ArgumentShape::{Omitted, Scalar};
use riverhawk_spesh::Type::*;
use riverhawk_spesh::*;

#[test]
fn chars_is_specialised_for_its_only_tuple() {
    assert_eq!(Observed::default().seen(1, &[Str], 273, 0).rows(), ["f1 observed (str) 273/273"]);
}

#[test]
fn foo_is_specialised_for_its_hot_callsite_only() {
    let mut foo = Observed::default();
    foo.seen(1, &[Num, Str], 331, 0).seen(1, &[Num], 36, 0);
    assert_eq!(foo.rows(), ["f1 observed (num, str) 331/331"]);
}

#[test]
fn sink_is_specialised_for_the_tuple_with_848_of_856_hits() {
    let mut sink = Observed::default();
    sink.seen(1, &[Str], 848, 0).seen(1, &[Num], 7, 0).seen(1, &[Uninit], 1, 0);
    assert_eq!(sink.rows(), ["f1 observed (str) 848/856"]);
}

#[test]
fn fifty_fifty_gives_two() {
    let mut split = Observed::default();
    split.seen(1, &[Num], 100, 0).seen(1, &[Str], 100, 0);
    assert_eq!(split.rows(), ["f1 observed (num) 100/200", "f1 observed (str) 100/200"]);
}

#[test]
fn ten_tuples_of_ten_percent_give_one_certain() {
    let mut many = Observed::default();
    for at in 0..10 {
        many.seen_at(1, callsite(&[Num, Num]), &[Type::ALL[at / 2], Type::ALL[at % 4]], 20, 0, 1);
    }
    assert_eq!(many.rows(), ["f1 certain 200/200"]);
    assert_eq!(many.plan().items[0].evidence.len(), 10);
}

#[test]
fn what_arguments_have_in_common_is_derived() {
    let mut derived = Observed::default();
    for ty in Type::ALL {
        derived.seen_at(1, callsite(&[Array, Num, Num]), &[Array, Num, ty], 25, 0, 1);
    }
    assert_eq!(derived.rows(), ["f1 derived (array, num, *) 200/200"]);
    assert_eq!(derived.plan().items[0].evidence.len(), 8);
}

#[test]
fn twenty_combinations_behind_a_stable_prefix_are_one_derived() {
    let mut derived = Observed::default();
    for at in 0..20 {
        let types = [Array, Num, Type::ALL[at % 5], Type::ALL[at / 5]];
        derived.seen_at(1, callsite(&[Array, Num, Num, Num]), &types, 10, 0, 1);
    }
    assert_eq!(derived.rows(), ["f1 derived (array, num, *, *) 200/200"]);
}

#[test]
fn a_stable_argument_behind_an_open_one_is_derived_too() {
    let mut derived = Observed::default();
    for at in 0..6 {
        derived.seen(1, &[Type::ALL[at], Str], 40, 0);
    }
    assert_eq!(derived.rows(), ["f1 derived (*, str) 240/240"]);
}

#[test]
fn only_tuples_that_have_the_types_chosen_so_far_count_further() {
    // Num is the most frequent second argument, but not after a num.
    let mut derived = Observed::default();
    for types in [[Num, Num], [Num, Str], [Num, Uninit], [Str, Num], [Regex, Num]] {
        derived.seen(1, &types, 60, 0);
    }
    assert_eq!(derived.rows(), ["f1 derived (num, *) 180/300", "f1 derived (*, num) 120/300"]);
}

#[test]
fn push_of_anything_onto_an_array_is_derived() {
    let mut push = Observed::default();
    for ty in [Num, Str, StrnumNumeric, StrnumText, Uninit] {
        push.seen(1, &[Array, ty], 60, 0);
    }
    assert_eq!(push.rows(), ["f1 derived (array, *) 300/300"]);
}

#[test]
fn twenty_five_percent_is_enough_and_less_is_not() {
    let of = |second: u32| {
        let mut frame = Observed::default();
        frame.seen(1, &[Num], 700, 0).seen(1, &[Str], second, 0).seen(1, &[Regex], 300 - second, 0);
        frame.rows()
    };
    assert_eq!(of(250), ["f1 observed (num) 700/1000", "f1 observed (str) 250/1000"]);
    assert_eq!(of(249), ["f1 observed (num) 700/1000", "f1 certain 300/1000"]);
}

#[test]
fn a_quarter_of_the_osr_hits_is_enough_too() {
    let mut frame = Observed::default();
    frame.seen(1, &[Num], 99, 0).seen(1, &[Str], 1, 273);
    assert_eq!(frame.rows(), ["f1 observed (num) 99/100", "f1 observed (str) 1/100"]);
}

#[test]
fn one_entry_that_loops_273_times_is_hot() {
    assert_eq!(Observed::default().seen(1, &[], 1, 273).rows(), ["f1 certain 1/1"]);
    assert_eq!(Observed::default().seen(1, &[], 1, 199).rows(), [""; 0]);
    assert_eq!(Observed::default().seen(1, &[], 1, 200).rows(), ["f1 certain 1/1"]);
}

#[test]
fn a_derived_type_needs_forty_percent_of_all_hits() {
    let of = |rest: u32| {
        let mut frame = Observed::default();
        let shape = callsite(&[Num, Num]);
        frame.seen_at(1, shape, &[Str, Num], 1_000 - rest, 0, 1);
        frame.seen_at(1, shape, &[Num, Num], rest / 2, 0, 1).seen_at(
            1,
            shape,
            &[Num, Str],
            rest - rest / 2,
            0,
            1,
        );
        frame.rows()
    };
    assert_eq!(of(400), ["f1 observed (str, num) 600/1000", "f1 derived (num, *) 400/1000"]);
    assert_eq!(of(398), ["f1 observed (str, num) 602/1000", "f1 certain 398/1000"]);
}

#[test]
fn hits_that_nothing_serves_get_a_certain_one_when_they_would_be_hot_by_themselves() {
    let of = |stray: u32| {
        let mut frame = Observed::default();
        frame.seen(1, &[Num], 1_000 - stray, 0).seen(1, &[Str], stray, 0);
        frame.rows()
    };
    assert_eq!(of(149), ["f1 observed (num) 851/1000"]);
    assert_eq!(of(150), ["f1 observed (num) 850/1000", "f1 certain 150/1000"]);
}

#[test]
fn a_certain_one_rests_on_the_tuples_that_nothing_else_serves() {
    let mut frame = Observed::default();
    frame.seen(1, &[Num], 800, 0).seen(1, &[Str], 120, 0).seen(1, &[Uninit], 80, 0).seen(
        2,
        &[],
        300,
        0,
    );
    let plan = frame.plan();
    assert_eq!(
        rows(&plan),
        ["f1 observed (num) 800/1000", "f1 certain 200/1000", "f2 certain 300/300"]
    );
    let evidence: Vec<_> = plan.items.iter().map(|planned| planned.evidence.clone()).collect();
    let tuple = |types: &[Type]| TypeTuple(types.into());
    assert_eq!(
        evidence,
        [vec![tuple(&[Num])], vec![tuple(&[Str]), tuple(&[Uninit])], vec![tuple(&[])]]
    );
}

#[test]
fn entries_whose_types_are_not_known_count_for_no_tuple() {
    let mut frame = Observed::default();
    frame.seen(1, &[Num], 200, 0);
    let statistics = frame.statistics(1);
    statistics.hits += 300;
    let at = statistics.by_callsite.get_mut(&callsite(&[Num])).unwrap();
    (at.hits, at.discarded) = (500, 300);
    assert_eq!(frame.rows(), ["f1 observed (num) 200/500", "f1 certain 300/500"]);
}

#[test]
fn how_many_hits_are_hot_depends_on_the_size_of_the_bytecode() {
    let rows = [
        (2_048, 149, 0),
        (2_048, 150, 1),
        (2_049, 199, 0),
        (2_049, 200, 1),
        (8_192, 199, 0),
        (8_192, 200, 1),
        (8_193, 299, 0),
        (8_193, 300, 1),
        (65_535, 299, 0),
        (65_535, 300, 1),
        (65_536, 1_000, 0),
        (65_537, 1_000, 0),
    ];
    for (bytes, hits, expected) in rows {
        let mut frame = Observed::default();
        frame.seen(1, &[Num], hits, 0).frame(1).bytecode_bytes = bytes;
        assert_eq!(frame.plan().items.len(), expected, "{bytes} bytes, {hits} hits");
        let mut looping = Observed::default();
        looping.seen(1, &[Num], 1, hits).frame(1).bytecode_bytes = bytes;
        let expected = usize::from(bytes < 65_536 && hits >= 200);
        assert_eq!(looping.plan().items.len(), expected, "{bytes} bytes, {hits} OSR hits");
    }
}

#[test]
fn without_delay_one_hit_is_hot() {
    for bytes in [100, 2_049, 8_193, 65_535] {
        let mut frame = Observed::default();
        frame.seen(1, &[Num], 1, 0).frame(1).bytecode_bytes = bytes;
        assert_eq!(rows(&frame.plan_with(&Thresholds::NO_DELAY)), ["f1 observed (num) 1/1"]);
    }
}

#[test]
fn a_hot_frame_without_a_hot_callsite_has_no_plan() {
    let mut frame = Observed::default();
    frame.seen(1, &[Num], 100, 0).seen(1, &[], 100, 0);
    assert_eq!(frame.rows(), [""; 0]);
}

#[test]
fn calls_without_an_interned_callsite_are_a_bucket_of_their_own() {
    let mut frame = Observed::default();
    frame.seen_at(1, None, &[], 200, 0, 3).seen(1, &[Num], 200, 0);
    assert_eq!(frame.rows(), ["f1 certain 200/200", "f1 observed (num) 200/200"]);
    assert_eq!(frame.plan().items[0].key, SpecialisationKey { callsite: None, types: None });
}

#[test]
fn one_argument_of_two_is_planned_for_without_the_other() {
    let mut f = Observed::default();
    f.frame(1).parameters.truncate(2);
    f.seen(1, &[Num], 900, 0).seen(1, &[Num, Num], 100, 0);
    let plan = f.plan();
    assert_eq!(rows(&plan), ["f1 observed (num) 900/900"]);
    assert_eq!(plan.items[0].omitted, 1..2);

    f.seen(1, &[Num, Num], 50, 0);
    assert_eq!(f.rows(), ["f1 observed (num) 900/900", "f1 observed (num, num) 150/150"]);
    assert_eq!(f.plan().items[1].omitted, 2..2);
}

#[test]
fn shapes_that_differ_in_omitted_arguments_only_are_one_callsite() {
    let mut f = Observed::default();
    for shape in [&[Scalar][..], &[Scalar, Omitted], &[Scalar, Omitted, Omitted]] {
        f.seen_at(1, Callsite::intern(shape), &[Num], 50, 0, 1);
    }
    assert_eq!(f.rows(), ["f1 observed (num) 150/150"]);
}

#[test]
fn a_body_that_gains_nothing_from_types_gets_a_certain_one() {
    let mut frame = Observed::default();
    frame.seen(1, &[Num], 500, 0).frame(1).gains_from_types = false;
    assert_eq!(frame.rows(), ["f1 certain 500/500"]);
}

fn produce(frame: &mut Observed, rounds: u32, standing: bool) {
    for planned in frame.plan().items {
        frame.produced(planned.frame.0).insert(planned.key, Produced { rounds, standing });
    }
}

#[test]
fn what_stands_is_not_planned_again() {
    let mut frame = Observed::default();
    frame.seen(1, &[Num], 500, 0).seen(2, &[], 500, 0);
    for ty in [Num, Str, StrnumNumeric, StrnumText, Uninit] {
        frame.seen(3, &[Array, ty], 60, 0);
    }
    assert_eq!(frame.plan().items.len(), 3);
    produce(&mut frame, 1, true);
    assert_eq!(frame.rows(), [""; 0]);
    frame.seen(1, &[Num], 500, 0);
    assert_eq!(frame.rows(), [""; 0]);
}

#[test]
fn what_stands_serves_its_calls_also_when_their_share_falls() {
    let mut frame = Observed::default();
    frame.seen(1, &[Num], 200, 0);
    for ty in [Num, Str, StrnumNumeric, StrnumText, Uninit] {
        frame.seen(2, &[Array, ty], 60, 0);
    }
    produce(&mut frame, 1, true);
    // The first tuple now has a fifth of the hits, the array a quarter.
    frame.seen(1, &[Str], 800, 0);
    frame.seen_at(2, callsite(&[Array, Num]), &[Untyped, Num], 900, 0, 1);
    assert_eq!(frame.rows(), ["f1 observed (str) 800/1000", "f2 observed (untyped, num) 900/1200"]);
}

#[test]
fn a_tuple_that_comes_to_dominate_gets_its_own_beside_the_derived_one() {
    let mut frame = Observed::default();
    for ty in [Num, Str, StrnumNumeric, StrnumText, Uninit] {
        frame.seen(1, &[Array, ty], 60, 0);
    }
    produce(&mut frame, 1, true);
    frame.seen(1, &[Array, Num], 600, 0);
    assert_eq!(frame.rows(), ["f1 observed (array, num) 660/900"]);
}

#[test]
fn what_was_withdrawn_once_may_be_planned_again_and_then_no_more() {
    let mut frame = Observed::default();
    frame.seen(1, &[Num], 500, 0);
    produce(&mut frame, 1, false);
    assert_eq!(frame.rows(), ["f1 observed (num) 500/500"]);
    produce(&mut frame, 2, false);
    assert_eq!(frame.rows(), ["f1 certain 500/500"]);
    produce(&mut frame, 2, false);
    assert_eq!(frame.rows(), [""; 0]);
}

#[test]
fn statistics_without_hits_plan_nothing() {
    let mut frame = Observed::default();
    frame.statistics(1);
    assert_eq!(frame.plan_with(&Thresholds::NO_DELAY), SpecialisationPlan::default());
}
