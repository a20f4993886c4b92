//! How many buffers may wait.

use crate::program::{Gate, facts, until};
use riverhawk_spesh::thresholds::BUFFER_ENTRIES;
use riverhawk_spesh::*;
use std::sync::Arc;

struct Stalled(Gate);

impl Producer for Stalled {
    fn produce(&mut self, _: &Planned, _: &Evidence<'_>) -> Production {
        self.0.pass();
        Production::Done
    }
}

/// The worker is held up by another thread's buffer.
fn stalled() -> (Specialiser, Gate, Arc<RegisteredFrame>) {
    let gate = Gate::default();
    let specialiser =
        Specialiser::with_dump(&SpecialiserOptions::default(), Stalled(gate.clone()), None);
    stall(&specialiser);
    let main = specialiser.register(facts("main", &[]));
    (specialiser, gate, main)
}

fn stall(specialiser: &Specialiser) {
    let before = specialiser.counters().planned_certain;
    let hot = specialiser.register(facts("hot", &[]));
    let mut logger = specialiser.logger(ThreadKind::Other);
    let here = logger.enter(&hot, Some(Callsite::EMPTY));
    push_turns(&mut logger, here, 300);
    logger.send_now();
    until(|| specialiser.counters().planned_certain > before);
}

fn push_turns(logger: &mut Logger, correlation: CorrelationId, turns: usize) {
    (0..turns).for_each(|_| logger.push(LogEntry::Osr { correlation, offset: 0 }));
}

fn fill(logger: &mut Logger, here: CorrelationId, buffers: usize) {
    push_turns(logger, here, BUFFER_ENTRIES * buffers);
}

#[test]
fn a_thread_sends_as_many_buffers_as_its_quota_and_then_logs_no_more() {
    for (kind, quota) in [(ThreadKind::Main, 3), (ThreadKind::Other, 2)] {
        let (specialiser, gate, main) = stalled();
        let mut logger = specialiser.logger(kind);
        let here = logger.enter(&main, Some(Callsite::EMPTY));
        assert!(logger.is_logging());
        fill(&mut logger, here, 10);
        assert_eq!(logger.sent_buffers(), quota, "{kind:?}");
        assert!(!logger.is_logging());
        assert_eq!(logger.waiting().len(), 0);
        // The entry took the first place.
        assert_eq!(
            logger.lost_entries() as usize,
            10 * BUFFER_ENTRIES + 1 - quota as usize * BUFFER_ENTRIES
        );
        assert_eq!(logger.enter(&main, Some(Callsite::EMPTY)), CorrelationId::NONE);

        gate.open();
        until(|| specialiser.counters().buffers == quota + 1 && logger.is_logging());
        push_turns(&mut logger, here, 1);
        assert_eq!(logger.waiting().len(), 1);
        let next = specialiser.register(facts("next", &[]));
        assert!(logger.enter(&next, Some(Callsite::EMPTY)).is_logged());
    }
}

#[test]
fn a_new_program_gets_a_bonus_when_the_quota_is_spent_but_never_more_than_five() {
    let (specialiser, gate, main) = stalled();
    let mut logger = specialiser.logger(ThreadKind::Main);
    let here = logger.enter(&main, Some(Callsite::EMPTY));
    fill(&mut logger, here, 4);
    assert_eq!(logger.sent_buffers(), 3);
    // A host compiles ten thousand programs while the worker is busy.
    for _ in 0..10_000 {
        logger.enter_unit();
        let here = logger.enter(&main, Some(Callsite::EMPTY));
        if here.is_logged() {
            fill(&mut logger, here, 1);
        }
    }
    assert_eq!(logger.sent_buffers(), 3 + 5);
    assert!(!logger.is_logging());

    gate.open();
    until(|| specialiser.counters().buffers == 9 && logger.is_logging());
    // A later buffer is processed only after all nine.
    let other = specialiser.register(facts("other", &[]));
    let mut last = specialiser.logger(ThreadKind::Other);
    last.enter(&other, Some(Callsite::EMPTY));
    last.send_now();
    until(|| specialiser.counters().buffers == 10);
    gate.close();
    stall(&specialiser);
    fill(&mut logger, here, 10);
    assert_eq!(logger.sent_buffers(), 3 + 5 + 3);
    gate.open();
    assert_eq!(specialiser.finish().unwrap().workers, 1);
}

#[test]
fn a_main_loop_entered_with_the_quota_spent_is_still_observed() {
    // Without the bonus its one entry would not be logged.
    let (specialiser, gate, other) = stalled();
    let mut logger = specialiser.logger(ThreadKind::Main);
    let here = logger.enter(&other, Some(Callsite::EMPTY));
    fill(&mut logger, here, 4);
    let begin = specialiser.register(facts("BEGIN", &[]));
    assert_eq!(logger.enter(&begin, Some(Callsite::EMPTY)), CorrelationId::NONE);
    logger.enter_unit();
    let here = logger.enter(&begin, Some(Callsite::EMPTY));
    push_turns(&mut logger, here, 300);
    logger.send_now();
    gate.open();
    until(|| specialiser.counters().buffers == 5);
    let key = SpecialisationKey { callsite: Some(Callsite::EMPTY), types: None };
    specialiser.finish().unwrap();
    assert!(begin.produced(&key).is_some_and(|produced| produced.standing));
}

#[test]
fn entering_a_program_hands_over_a_buffer_that_is_more_than_a_quarter_full() {
    let specialiser = Specialiser::with_dump(&SpecialiserOptions::default(), NoProducer, None);
    let main = specialiser.register(facts("main", &[]));
    let mut logger = specialiser.logger(ThreadKind::Main);
    let here = logger.enter(&main, Some(Callsite::EMPTY));
    push_turns(&mut logger, here, BUFFER_ENTRIES / 4 - 1);
    assert_eq!(logger.waiting().len(), BUFFER_ENTRIES / 4);
    logger.enter_unit();
    assert_eq!(logger.sent_buffers(), 0);
    push_turns(&mut logger, here, 1);
    logger.enter_unit();
    assert_eq!(logger.sent_buffers(), 1);
}

#[test]
fn what_waits_for_a_stalled_worker_is_bounded() {
    let (specialiser, gate, main) = stalled();
    let mut loggers: Vec<_> = (0..8).map(|_| specialiser.logger(ThreadKind::Other)).collect();
    for logger in &mut loggers {
        let here = logger.enter(&main, Some(Callsite::EMPTY));
        fill(logger, here, 5);
    }
    let sent: u64 = loggers.iter().map(Logger::sent_buffers).sum();
    assert_eq!(sent, 16);
    gate.open();
    assert_eq!(specialiser.finish().unwrap().buffers, 17);
}
