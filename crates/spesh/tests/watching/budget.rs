//! What is logged, and how much of it.

use crate::program::{Thread, blocking, facts, shape};
use riverhawk_spesh::*;

#[test]
fn an_entry_is_24_bytes_of_plain_data() {
    fn is_plain<T: Copy + Send + 'static>() {}
    is_plain::<LogEntry>();
    assert_eq!(size_of::<LogEntry>(), 24);
    assert_eq!(thresholds::BUFFER_ENTRIES, 16_384);
}

#[test]
fn a_frame_is_logged_for_its_first_thousand_entries() {
    let specialiser = blocking();
    let frame = specialiser.register(facts("f", &[]));
    let mut logger = specialiser.logger(ThreadKind::Main);
    let logged =
        (0..5_000).filter(|_| logger.enter(&frame, Some(Callsite::EMPTY)).is_logged()).count();
    assert_eq!(logged, 1_000);
    assert_eq!(frame.logged_entries(), 1_000);
}

#[test]
fn threads_share_a_frames_budget() {
    let specialiser = blocking();
    let frame = specialiser.register(facts("f", &[]));
    let logged: usize = std::thread::scope(|scope| {
        let count = || {
            let mut logger = specialiser.logger(ThreadKind::Other);
            (0..2_000).filter(|_| logger.enter(&frame, Some(Callsite::EMPTY)).is_logged()).count()
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(count)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(logged, 1_000);
}

#[test]
fn a_frame_of_65536_bytes_is_never_logged() {
    let specialiser = blocking();
    let mut logger = specialiser.logger(ThreadKind::Main);
    for (bytes, expected) in [(65_535, true), (65_536, false), (65_537, false)] {
        let frame = specialiser.register(FrameFacts { bytecode_bytes: bytes, ..facts("f", &[]) });
        assert_eq!(
            logger.enter(&frame, Some(Callsite::EMPTY)).is_logged(),
            expected,
            "{bytes} bytes"
        );
        assert_eq!(frame.logged_entries(), u32::from(expected));
    }
}

#[test]
fn each_logged_entry_has_its_own_correlation_and_all_its_events_carry_it() {
    let specialiser = blocking();
    let (f, g) = (specialiser.register(facts("f", &[])), specialiser.register(facts("g", &["x"])));
    let mut thread = Thread::main(&specialiser);
    thread.enter(0, &f, &[]);
    thread.enter(4, &g, &[Type::StrnumNumeric]);
    let (outer, inner) = (thread.stack[0], thread.stack[1]);
    assert_ne!(outer, inner);
    thread.logger.type_read(inner, 8, Type::Num);
    thread.logger.outcome(inner, 12, OperatorOutcome::NumNum);
    thread.leave(4, Some(Type::Num));
    thread.turn(&f, 1);
    thread.leave(0, None);

    let (correlation, callsite) = (inner, Callsite::intern(&[ArgumentShape::Scalar]));
    assert_eq!(
        thread.logger.waiting()[1..],
        [
            LogEntry::Invoke { correlation: outer, offset: 4, callee: g.id() },
            LogEntry::Entry { correlation, frame: g.id(), callsite },
            LogEntry::Parameter { correlation, index: 0, tag: Tag::Strnum },
            LogEntry::Resolved { correlation, index: 0, class: TypeClass::Numeric },
            LogEntry::Type { correlation, offset: 8, ty: Type::Num },
            LogEntry::Outcome { correlation, offset: 12, outcome: OperatorOutcome::NumNum },
            LogEntry::Return { correlation, offset: 4, ty: Some(Type::Num) },
            LogEntry::Osr { correlation: outer, offset: 8 },
            LogEntry::ReturnToUnlogged { correlation: outer },
        ]
    );
}

#[test]
fn nothing_is_logged_of_a_frame_that_is_not() {
    let specialiser = blocking();
    let frame = specialiser.register(FrameFacts { bytecode_bytes: 65_536, ..facts("big", &["x"]) });
    let mut thread = Thread::main(&specialiser);
    thread.enter(0, &frame, &[Type::Array]);
    thread.turn(&frame, 3);
    thread.logger.type_read(thread.here(), 4, Type::Num);
    thread.logger.outcome(thread.here(), 4, OperatorOutcome::NumNum);
    thread.leave(0, Some(Type::Num));
    assert_eq!(thread.logger.waiting(), []);
}

#[test]
fn what_stands_behind_a_strnum_or_an_array_is_always_logged() {
    // Logged only where it was used, the class made rare types look usual, and guards failed.
    let specialiser = blocking();
    let frame = specialiser.register(facts("f", &["x"]));
    let mut logger = specialiser.logger(ThreadKind::Main);
    for ty in Type::ALL {
        let before = logger.waiting().len();
        let correlation = logger.enter(&frame, Callsite::intern(&shape(&[ty])));
        logger.argument(correlation, 0, ty, Some(Type::Num));
        let has_class = matches!(ty, Type::StrnumNumeric | Type::StrnumText | Type::Array);
        assert_eq!(logger.waiting().len() - before, if has_class { 3 } else { 2 }, "{ty}");
    }
}

#[test]
fn a_logger_that_is_off_logs_nothing() {
    let specialiser = blocking();
    let frame = specialiser.register(facts("f", &[]));
    let mut logger = Logger::off();
    assert_eq!(logger.enter(&frame, Some(Callsite::EMPTY)), CorrelationId::NONE);
    logger.enter_unit();
    logger.send_now();
    assert!(!logger.is_logging());
    assert_eq!((logger.waiting().len(), logger.sent_buffers(), frame.logged_entries()), (0, 0, 0));
}

#[test]
fn a_log_that_waits_keeps_no_frame_alive() {
    // The program is freed before its log is processed.
    let specialiser = blocking();
    let frame = specialiser.register(facts("f", &["x"]));
    let weak = std::sync::Arc::downgrade(&frame);
    let mut thread = Thread::main(&specialiser);
    for _ in 0..500 {
        thread.call(0, &frame, &[Type::Num], Type::Num);
    }
    drop(frame);
    assert!(weak.upgrade().is_none());
    thread.logger.send_now();
    let counters = specialiser.counters();
    assert_eq!((counters.buffers, counters.frames_with_statistics, counters.produced), (1, 0, 0));
}

#[test]
fn statistics_are_freed_with_their_frame() {
    let specialiser = blocking();
    let frame = specialiser.register(facts("f", &["x"]));
    let weak = std::sync::Arc::downgrade(&frame);
    let mut thread = Thread::main(&specialiser);
    thread.call(0, &frame, &[Type::Num], Type::Num);
    thread.logger.send_now();
    assert!(frame.statistics().is_some());
    assert_eq!(specialiser.counters().frames, 1);
    drop(frame);
    assert!(weak.upgrade().is_none());
    assert_eq!(specialiser.counters().frames, 0);
}

#[test]
fn a_loop_is_watched_for_two_thousand_turns() {
    let specialiser = blocking();
    let main = specialiser.register(facts("main", &[]));
    let mut thread = Thread::main(&specialiser);
    thread.enter(0, &main, &[]);
    thread.turn(&main, 1_999);
    thread.logger.send_now();
    thread.turn(&main, 1);
    assert!(thread.here().is_logged());
    thread.logger.send_now();
    thread.turn(&main, 50_000);
    assert_eq!(thread.here(), CorrelationId::NONE);
    assert_eq!(thread.logger.waiting(), []);
    assert_eq!(thread.logger.enter(&main, Some(Callsite::EMPTY)), CorrelationId::NONE);

    // Withdrawn, it is watched again.
    let key = SpecialisationKey { callsite: Some(Callsite::EMPTY), types: None };
    assert!(main.withdraw(&key));
    thread.stack.clear();
    thread.enter(0, &main, &[]);
    thread.turn(&main, 1);
    assert!(thread.here().is_logged());
}
