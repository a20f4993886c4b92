//! What the replayed log adds up to.

use crate::program::{Thread, blocking, callsite, facts, tuple};
use riverhawk_spesh::Type::*;
use riverhawk_spesh::*;

#[test]
fn entries_add_up_by_callsite_and_tuple() {
    let specialiser = blocking();
    let chars = specialiser.register(facts("chars", &["s"]));
    let mut thread = Thread::main(&specialiser);
    thread.call(0, &chars, &[Str], Num);
    (0..156).for_each(|_| thread.call(0, &chars, &[StrnumText], Num));
    thread.call(0, &chars, &[], Num);
    thread.logger.send_now();
    let statistics = chars.statistics().unwrap();
    assert_eq!((statistics.hits, statistics.by_callsite.len()), (158, 2));
    assert_eq!(callsite(&chars, &[Str]).hits, 157);
    assert_eq!(tuple(&chars, &[Str]).hits, 1);
    assert_eq!(tuple(&chars, &[StrnumText]).hits, 156);
}

#[test]
fn what_is_seen_counts_for_the_tuple_of_the_frame_it_was_seen_in() {
    let specialiser = blocking();
    let (f, g) =
        (specialiser.register(facts("f", &["x"])), specialiser.register(facts("g", &["y"])));
    let mut thread = Thread::main(&specialiser);
    for ty in [Num, Str] {
        thread.enter(0, &f, &[ty]);
        thread.call(16, &g, &[ty], Str);
        thread.logger.type_read(thread.here(), 32, ty);
        thread.logger.outcome(thread.here(), 40, OperatorOutcome::NumNum);
        thread.turn(&f, 5);
        thread.leave(0, None);
    }
    thread.logger.send_now();
    for ty in [Num, Str] {
        let seen = tuple(&f, &[ty]);
        assert_eq!(seen.osr_hits, 5);
        assert_eq!(seen.by_offset[&32].types.seen().collect::<Vec<_>>(), [(ty, 1)]);
        assert_eq!(
            seen.by_offset[&40].outcomes.seen().collect::<Vec<_>>(),
            [(OperatorOutcome::NumNum, 1)]
        );
        let call = &seen.by_offset[&16];
        assert_eq!(call.invoked[&g.id()], 1);
        assert_eq!(call.types.seen().collect::<Vec<_>>(), [(Str, 1)]);
        let (callee, count) = call.callee_tuples.first_key_value().unwrap();
        assert_eq!((callee.callee, &*callee.tuple.0, *count), (g.id(), &[ty][..], 1));
        assert_eq!(statistics::evidence::stable_callee(call), Some(g.id()));
    }
    assert_eq!(f.statistics().unwrap().callees[&g.id()], 2);
    assert_eq!(f.statistics().unwrap().osr_hits, 10);
}

#[test]
fn calls_without_arguments_share_one_tuple() {
    let specialiser = blocking();
    let begin = specialiser.register(facts("BEGIN", &[]));
    let mut thread = Thread::main(&specialiser);
    for _ in 0..2 {
        thread.enter(0, &begin, &[]);
        thread.logger.type_read(thread.here(), 8, Num);
        thread.leave(0, None);
    }
    thread.logger.send_now();
    assert_eq!(tuple(&begin, &[]).by_offset[&8].types.seen().collect::<Vec<_>>(), [(Num, 2)]);
}

#[test]
fn calls_without_a_callsite_have_no_tuples() {
    let specialiser = blocking();
    let f = specialiser.register(facts("f", &["x"]));
    let mut logger = specialiser.logger(ThreadKind::Main);
    let here = logger.enter(&f, None);
    logger.argument(here, 0, Num, None);
    logger.type_read(here, 8, Num);
    logger.push(LogEntry::Osr { correlation: here, offset: 8 });
    logger.send_now();
    let statistics = f.statistics().unwrap();
    let at = &statistics.by_callsite[&None];
    assert_eq!((at.hits, at.osr_hits, at.by_tuple.len(), at.discarded), (1, 1, 0, 0));
}

#[test]
fn depth_counts_from_the_bottom() {
    let specialiser = blocking();
    let f = specialiser.register(facts("f", &["n"]));
    let mut thread = Thread::main(&specialiser);
    (0..32).for_each(|_| thread.enter(0, &f, &[Num]));
    (0..32).for_each(|_| thread.leave(0, Some(Num)));
    thread.logger.send_now();
    assert_eq!(tuple(&f, &[Num]).max_depth, 32);
    assert_eq!(callsite(&f, &[Num]).max_depth, 32);
}

#[test]
fn frames_left_without_a_word_do_not_deepen_the_stack() {
    // `exit` and `next` unwind without a return.
    let specialiser = blocking();
    let main = specialiser.register(facts("main", &[]));
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    thread.enter(0, &main, &[]);
    for _ in 0..100 {
        thread.enter(4, &f, &[Num]);
        thread.enter(8, &f, &[Num]);
        thread.stack.truncate(1);
        thread.turn(&main, 1);
    }
    thread.logger.send_now();
    assert_eq!(callsite(&f, &[Num]).max_depth, 3);
    assert_eq!(tuple(&f, &[Num]).hits, 200);
    assert_eq!(specialiser.counters().simulated_frames, 1);
}

#[test]
fn calls_out_of_code_that_is_not_logged_do_not_deepen_the_stack() {
    // Candidates that called interpreted code once made the simulated stack grow without bound.
    let specialiser = blocking();
    let main = specialiser.register(facts("main", &[]));
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    thread.enter(0, &main, &[]);
    // An unlogged frame between.
    thread.stack.push(CorrelationId::NONE);
    for _ in 0..900 {
        thread.call(4, &f, &[Num], Str);
    }
    thread.logger.send_now();
    assert_eq!(callsite(&f, &[Num]).max_depth, 2);
    assert_eq!(specialiser.counters().simulated_frames, 1);
    // None is the result of a call from main.
    assert_eq!(tuple(&main, &[]).by_offset.len(), 0);
}

#[test]
fn below_a_frame_that_nothing_calls_nothing_lies() {
    // A full log lost the end of the first activation.
    let specialiser = blocking();
    let main = specialiser.register(FrameFacts { is_called: false, ..facts("main", &[]) });
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    for _ in 0..2 {
        thread.enter(0, &main, &[]);
        thread.enter(4, &f, &[Num]);
    }
    thread.logger.send_now();
    assert_eq!(specialiser.counters().simulated_frames, 2);
    assert_eq!(callsite(&main, &[]).max_depth, 1);
    assert_eq!(callsite(&f, &[Num]).max_depth, 2);
}

#[test]
fn a_result_is_not_credited_across_a_frame_that_is_not_logged() {
    let specialiser = blocking();
    let main = specialiser.register(facts("main", &[]));
    let between =
        specialiser.register(FrameFacts { bytecode_bytes: 65_536, ..facts("between", &[]) });
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    thread.enter(0, &main, &[]);
    thread.enter(4, &between, &[]);
    thread.enter(4, &f, &[Num]);
    thread.leave(4, Some(Str));
    thread.leave(4, Some(Num));
    thread.logger.send_now();
    let seen = tuple(&main, &[]);
    assert_eq!(seen.by_offset[&4].types.seen().count(), 0);
    assert_eq!(seen.by_offset[&4].callee_tuples.len(), 0);
    assert_eq!(seen.by_offset[&4].invoked.keys().copied().collect::<Vec<_>>(), [between.id()]);
}

#[test]
fn a_result_whose_caller_was_lost_is_credited_to_nobody() {
    let specialiser = blocking();
    let main = specialiser.register(facts("main", &[]));
    let f = specialiser.register(facts("f", &[]));
    let mut thread = Thread::main(&specialiser);
    thread.enter(0, &main, &[]);
    let correlation = CorrelationId(thread.here().0 + 2);
    thread.logger.push(LogEntry::Entry {
        correlation,
        frame: f.id(),
        callsite: Some(Callsite::EMPTY),
    });
    thread.logger.push(LogEntry::Return { correlation, offset: 4, ty: Some(Str) });
    thread.logger.send_now();
    assert_eq!(tuple(&f, &[]).hits, 1);
    assert_eq!(tuple(&main, &[]).by_offset.len(), 0);
}

#[test]
fn the_stack_is_kept_between_buffers() {
    let specialiser = blocking();
    let main = specialiser.register(facts("main", &[]));
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    thread.enter(0, &main, &[]);
    for _ in 0..3 {
        thread.turn(&main, 70);
        thread.call(4, &f, &[Num], Num);
        thread.logger.send_now();
    }
    // Counted although it is never left.
    let seen = tuple(&main, &[]);
    assert_eq!((seen.hits, seen.osr_hits), (1, 210));
    assert_eq!(seen.by_offset[&4].invoked[&f.id()], 3);
    assert_eq!(callsite(&f, &[Num]).max_depth, 2);
    assert_eq!(specialiser.counters().planned_certain, 1);
}

#[test]
fn arguments_cut_off_by_the_end_of_a_buffer_come_with_the_next() {
    let specialiser = blocking();
    let f = specialiser.register(facts("f", &["x", "y"]));
    let mut logger = specialiser.logger(ThreadKind::Main);
    let here = logger.enter(&f, Callsite::intern(&[ArgumentShape::Scalar; 2]));
    logger.argument(here, 0, Num, None);
    logger.send_now();
    assert_eq!(callsite(&f, &[Num, Num]).by_tuple.len(), 0);
    logger.argument(here, 1, Str, None);
    logger.type_read(here, 8, Str);
    logger.send_now();
    let seen = tuple(&f, &[Num, Str]);
    assert_eq!((seen.hits, seen.by_offset[&8].types.seen().next()), (1, Some((Str, 1))));
}

#[test]
fn an_entry_whose_types_never_come_is_discarded() {
    let specialiser = blocking();
    let f = specialiser.register(facts("f", &["x"]));
    let mut logger = specialiser.logger(ThreadKind::Main);
    for is_argument_logged in [false, true] {
        let here = logger.enter(&f, Callsite::intern(&[ArgumentShape::Scalar]));
        if is_argument_logged {
            logger.push(LogEntry::Parameter { correlation: here, index: 0, tag: Tag::Strnum });
        }
        logger.push(LogEntry::Osr { correlation: here, offset: 8 });
        logger.leave(here, CorrelationId::NONE, 0, None);
    }
    logger.send_now();
    let at = callsite(&f, &[Num]);
    assert_eq!((at.hits, at.discarded, at.osr_hits, at.discarded_osr_hits), (2, 2, 2, 2));
    assert_eq!(at.by_tuple.len(), 0);
}

#[test]
fn a_frame_whose_types_never_come_stops_collecting() {
    let specialiser = blocking();
    let f = specialiser.register(facts("f", &["x"]));
    let mut logger = specialiser.logger(ThreadKind::Main);
    let here = logger.enter(&f, Callsite::intern(&[ArgumentShape::Scalar]));
    for _ in 0..3 {
        (0..100).for_each(|_| logger.type_read(here, 8, Num));
        logger.send_now();
    }
    logger.argument(here, 0, Num, None);
    logger.send_now();
    let at = callsite(&f, &[Num]);
    assert_eq!((at.hits, at.discarded, at.by_tuple.len()), (1, 1, 0));
}

#[test]
fn a_variable_that_may_become_an_array_is_not_an_unassigned_scalar() {
    // An argument by reference was logged as if by value.
    let specialiser = blocking();
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    thread.call(0, &f, &[Untyped], Num);
    thread.call(0, &f, &[Uninit], Num);
    thread.logger.send_now();
    assert_eq!((callsite(&f, &[Untyped]).hits, callsite(&f, &[Uninit]).hits), (1, 1));
    assert_eq!((tuple(&f, &[Untyped]).hits, tuple(&f, &[Uninit]).hits), (1, 1));
}

#[test]
fn element_types_are_counted_beside_the_tuple() {
    let specialiser = blocking();
    let f = specialiser.register(facts("push", &["stack", "x"]));
    let mut logger = specialiser.logger(ThreadKind::Main);
    for elements in [None, Some(Num), Some(Num), Some(Str)] {
        let here =
            logger.enter(&f, Callsite::intern(&[ArgumentShape::Array, ArgumentShape::Scalar]));
        logger.argument(here, 0, Array, elements);
        logger.argument(here, 1, Num, None);
        logger.leave(here, CorrelationId::NONE, 0, None);
    }
    logger.send_now();
    let seen = tuple(&f, &[Array, Num]);
    assert_eq!(seen.hits, 4);
    assert_eq!(seen.elements[&0].seen().collect::<Vec<_>>(), [(Num, 2), (Str, 1)]);
}

#[test]
fn statistics_that_are_not_updated_for_more_than_five_buffers_go() {
    let specialiser = blocking();
    let start = specialiser.register(facts("start", &["x"]));
    let steady = specialiser.register(facts("steady", &["x"]));
    let mut thread = Thread::main(&specialiser);
    (0..100).for_each(|_| thread.call(0, &start, &[Num], Num));
    thread.logger.send_now();
    for later in 1..=6 {
        assert!(start.statistics().is_some(), "{later} buffers later");
        thread.call(0, &steady, &[Num], Num);
        thread.logger.send_now();
    }
    assert!(start.statistics().is_none());
    assert_eq!(specialiser.counters().frames_with_statistics, 1);
    // No plan came of it, so its whole budget is restored.
    assert_eq!(start.logged_entries(), 0);
}

#[test]
fn a_frame_that_was_planned_is_not_logged_again_when_its_statistics_go() {
    let specialiser = blocking();
    let hot = specialiser.register(facts("hot", &["x"]));
    let steady = specialiser.register(facts("steady", &["x"]));
    let mut thread = Thread::main(&specialiser);
    (0..1_000).for_each(|_| thread.call(0, &hot, &[Num], Num));
    for _ in 0..8 {
        thread.call(0, &steady, &[Num], Num);
        thread.logger.send_now();
    }
    assert!(hot.statistics().is_none());
    assert_eq!(hot.logged_entries(), 1_000);
    assert_eq!(specialiser.counters().produced, 1);
}

#[test]
fn a_main_loop_on_the_stack_does_not_age() {
    let specialiser = blocking();
    let main = specialiser.register(facts("main", &[]));
    let mut thread = Thread::main(&specialiser);
    thread.enter(0, &main, &[]);
    for _ in 0..20 {
        let f = specialiser.register(facts("f", &["x"]));
        thread.call(0, &f, &[Num], Num);
        thread.logger.send_now();
    }
    thread.turn(&main, 200);
    thread.logger.send_now();
    assert_eq!(tuple(&main, &[]).osr_hits, 200);
}

#[test]
fn the_stack_of_an_idle_thread_goes_and_with_it_what_it_held() {
    // Threads that had logged and became idle once held memory for ever.
    let specialiser = blocking();
    let main = specialiser.register(facts("main", &[]));
    let f = specialiser.register(facts("f", &["x"]));
    let mut idle = Thread::new(&specialiser, ThreadKind::Other);
    (0..50).for_each(|_| idle.enter(0, &main, &[]));
    idle.logger.send_now();
    assert_eq!(specialiser.counters().simulated_frames, 50);
    let mut busy = Thread::main(&specialiser);
    // Five buffers for each of the two threads.
    for _ in 0..10 {
        busy.call(0, &f, &[Num], Num);
        busy.logger.send_now();
    }
    assert_eq!(specialiser.counters().simulated_frames, 50);
    for _ in 0..7 {
        busy.call(0, &f, &[Num], Num);
        busy.logger.send_now();
    }
    let counters = specialiser.counters();
    assert_eq!((counters.simulated_frames, counters.frames_with_statistics), (0, 1));
}

#[test]
fn the_stack_of_a_thread_that_ended_goes_at_once() {
    let specialiser = blocking();
    let main = specialiser.register(facts("main", &[]));
    let mut thread = Thread::main(&specialiser);
    (0..50).for_each(|_| thread.enter(0, &main, &[]));
    thread.logger.send_now();
    drop(thread);
    crate::program::until(|| specialiser.counters().simulated_frames == 0);
    assert_eq!(specialiser.counters().threads, 0);
}

#[test]
fn many_threads_keep_their_stacks_while_they_take_turns() {
    // A thread's buffers are further apart than the age at which statistics are dropped.
    let specialiser = blocking();
    let main = specialiser.register(facts("main", &[]));
    let mut threads: Vec<Thread> =
        (0..8).map(|_| Thread::new(&specialiser, ThreadKind::Other)).collect();
    threads.iter_mut().for_each(|thread| thread.enter(0, &main, &[]));
    for _ in 0..4 {
        for thread in &mut threads {
            thread.turn(&main, 10);
            thread.logger.send_now();
        }
    }
    assert_eq!(tuple(&main, &[]).osr_hits, 8 * 4 * 10);
}
