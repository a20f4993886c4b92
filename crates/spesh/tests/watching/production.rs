//! What becomes of plans.

use crate::program::{Thread, blocking, facts};
use riverhawk_spesh::Type::*;
use riverhawk_spesh::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<(FrameId, SpecialisationKey)>>>);

impl Producer for Recorder {
    fn produce(&mut self, planned: &Planned, evidence: &Evidence<'_>) -> Production {
        assert_eq!(evidence.frame().id(), planned.frame);
        self.0.lock().unwrap().push((planned.frame, planned.key.clone()));
        Production::Done
    }
}

fn recorded(options: &SpecialiserOptions) -> (Specialiser, Recorder) {
    let recorder = Recorder::default();
    (Specialiser::with_dump(options, recorder.clone(), None), recorder)
}

const BLOCKING: SpecialiserOptions =
    SpecialiserOptions { log: None, nodelay: false, limit: None, blocking: true, buffer: None };

#[test]
fn the_thread_starts_with_the_first_buffer() {
    let specialiser = blocking();
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    (0..10).for_each(|_| thread.call(0, &f, &[Num], Num));
    assert_eq!(specialiser.counters().workers, 0);
    thread.logger.send_now();
    thread.call(0, &f, &[Num], Num);
    thread.logger.send_now();
    let counters = specialiser.counters();
    assert_eq!((counters.workers, counters.buffers), (1, 2));
    // Entry, argument, return, each time.
    assert_eq!(counters.entries, 33);
}

#[test]
fn in_blocking_mode_the_specialisation_is_there_when_the_sender_goes_on() {
    let (specialiser, recorder) = recorded(&BLOCKING);
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    (0..150).for_each(|_| thread.call(0, &f, &[Num], Num));
    thread.logger.send_now();
    let types = Some(GuardedTypes([Some(Num)].into()));
    let key = SpecialisationKey { callsite: Callsite::intern(&[ArgumentShape::Scalar]), types };
    assert_eq!(*recorder.0.lock().unwrap(), [(f.id(), key.clone())]);
    assert_eq!(f.produced(&key), Some(Produced { rounds: 1, standing: true }));
}

#[test]
fn nothing_is_produced_twice_though_threads_run_the_same_program() {
    for blocking in [false, true] {
        let (specialiser, recorder) =
            recorded(&SpecialiserOptions { blocking, ..SpecialiserOptions::default() });
        let frames: Vec<_> = (0..20).map(|_| specialiser.register(facts("f", &["x"]))).collect();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut thread = Thread::new(&specialiser, ThreadKind::Other);
                    for turn in 0..400 {
                        for frame in &frames {
                            thread.call(0, frame, &[if turn % 2 == 0 { Num } else { Str }], Num);
                        }
                        if turn % 40 == 39 {
                            thread.logger.send_now();
                        }
                    }
                });
            }
        });
        specialiser.finish().unwrap();
        let mut times: BTreeMap<_, u32> = BTreeMap::new();
        for produced in recorder.0.lock().unwrap().iter() {
            *times.entry(produced.clone()).or_default() += 1;
        }
        assert!(times.values().all(|times| *times == 1), "{times:?}");
        assert!(times.len() >= 20, "{} of the 20 frames' specialisations", times.len());
    }
}

#[test]
fn hits_of_several_threads_add_up() {
    let (specialiser, recorder) = recorded(&BLOCKING);
    let f = specialiser.register(facts("f", &["x"]));
    for thread in 1..=4 {
        let mut thread_of = Thread::new(&specialiser, ThreadKind::Other);
        (0..40).for_each(|_| thread_of.call(0, &f, &[Num], Num));
        thread_of.logger.send_now();
        assert_eq!(recorder.0.lock().unwrap().len(), usize::from(thread == 4), "{thread} threads");
    }
}

#[test]
fn the_limit_ends_production_and_nothing_else() {
    for limit in [0, 1, 2] {
        let (specialiser, recorder) =
            recorded(&SpecialiserOptions { limit: Some(limit), ..BLOCKING });
        let frames: Vec<_> = (0..3).map(|_| specialiser.register(facts("f", &["x"]))).collect();
        let mut thread = Thread::main(&specialiser);
        for frame in &frames {
            (0..200).for_each(|_| thread.call(0, frame, &[Num], Num));
        }
        thread.logger.send_now();
        let counters = specialiser.finish().unwrap();
        assert_eq!(
            (counters.planned_observed, counters.produced, counters.left_out),
            (3, limit, 3 - limit)
        );
        assert_eq!(recorder.0.lock().unwrap().len() as u64, limit);
        assert!(frames[0].statistics().is_some());
    }
}

#[test]
fn without_delay_a_program_of_a_few_calls_is_specialised() {
    let (specialiser, recorder) = recorded(&SpecialiserOptions { nodelay: true, ..BLOCKING });
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    (0..30).for_each(|_| thread.call(0, &f, &[Num], Num));
    assert!(thread.logger.sent_buffers() > 0, "the buffers are short, so the first is on its way");
    assert!(!recorder.0.lock().unwrap().is_empty());
}

struct Refuses;

impl Producer for Refuses {
    fn produce(&mut self, _: &Planned, _: &Evidence<'_>) -> Production {
        Production::Refused("no such operation".into())
    }
}

#[test]
fn what_was_refused_is_not_asked_for_again() {
    let specialiser = Specialiser::with_dump(&BLOCKING, Refuses, None);
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    for _ in 0..4 {
        (0..200).for_each(|_| thread.call(0, &f, &[Num], Num));
        thread.logger.send_now();
    }
    let counters = specialiser.finish().unwrap();
    assert_eq!((counters.refused, counters.produced), (1, 0));
}

#[test]
fn a_frame_whose_specialisation_was_withdrawn_is_observed_again() {
    // A program that keeps changing types gets specialisations without types.
    let (specialiser, recorder) = recorded(&BLOCKING);
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    let mut run = |specialised: &str| {
        (0..1_500).for_each(|_| thread.call(0, &f, &[Num], Num));
        thread.logger.send_now();
        let last = recorder.0.lock().unwrap().last().cloned();
        let (_, key) = last.unwrap();
        assert_eq!(key.types.is_some(), specialised == "types");
        key
    };
    let key = run("types");
    assert_eq!(f.logged_entries(), 1_000);
    assert!(f.withdraw(&key), "it may come again");
    assert_eq!((f.logged_entries(), f.statistics()), (0, None));
    assert!(!f.withdraw(&key), "it stands no more");
    assert_eq!(run("types"), key);
    assert_eq!(f.produced(&key), Some(Produced { rounds: 2, standing: true }));
    assert!(!f.withdraw(&key), "not a third time");
    let certain = run("callsite");
    assert_eq!(recorder.0.lock().unwrap().len(), 3);
    f.withdraw(&certain);
    run("callsite");
    f.withdraw(&certain);
    run("callsite");
    assert_eq!(recorder.0.lock().unwrap().len(), 4, "and no more of that either");
}

/// Withdraws while the worker still has the statistics.
struct Withdraws;

impl Producer for Withdraws {
    fn produce(&mut self, planned: &Planned, evidence: &Evidence<'_>) -> Production {
        evidence.frame().withdraw(&planned.key);
        Production::Done
    }
}

#[test]
fn statistics_from_before_a_withdrawal_do_not_come_back() {
    let specialiser = Specialiser::with_dump(&BLOCKING, Withdraws, None);
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    (0..200).for_each(|_| thread.call(0, &f, &[Num], Num));
    thread.logger.send_now();
    assert_eq!((f.logged_entries(), f.statistics()), (0, None));
    (0..10).for_each(|_| thread.call(0, &f, &[Num], Num));
    thread.logger.send_now();
    assert_eq!(f.statistics().map(|statistics| statistics.hits), Some(10));
}

#[derive(Clone, Default)]
struct Names(Arc<Mutex<Vec<String>>>);

impl Producer for Names {
    fn produce(&mut self, _: &Planned, evidence: &Evidence<'_>) -> Production {
        self.0.lock().unwrap().push(evidence.frame().facts().name.clone());
        Production::Done
    }
}

#[test]
fn calls_of_frames_that_earlier_buffers_saw_still_decide_the_order() {
    let names = Names::default();
    let specialiser = Specialiser::with_dump(&BLOCKING, names.clone(), None);
    let frames =
        ["outer", "between", "inner"].map(|name| specialiser.register(facts(name, &["x"])));
    let [outer, between, inner] = &frames;
    let mut thread = Thread::main(&specialiser);
    for frame in [outer, between, inner] {
        thread.enter(0, frame, &[Num]);
    }
    (0..3).for_each(|_| thread.leave(0, Some(Num)));
    thread.logger.send_now();
    // Without the frame between, the inner one would be higher.
    (0..200).for_each(|_| thread.call(0, inner, &[Num], Num));
    for _ in 0..10 {
        (0..20).for_each(|_| thread.enter(0, outer, &[Num]));
        (0..20).for_each(|_| thread.leave(0, Some(Num)));
    }
    thread.logger.send_now();
    assert_eq!(*names.0.lock().unwrap(), ["inner", "outer"]);
}

#[test]
fn candidates_are_counted_when_they_are_published() {
    let specialiser = blocking();
    let f = specialiser.register(facts("f", &[]));
    assert_eq!(f.published_candidates(), 0);
    f.publish_candidate();
    assert_eq!(f.published_candidates(), 1);
}

struct Tells(Arc<AtomicBool>);

impl Producer for Tells {
    fn produce(&mut self, _: &Planned, _: &Evidence<'_>) -> Production {
        Production::Done
    }
}

impl Drop for Tells {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

#[test]
fn the_thread_ends_with_the_last_who_could_send() {
    let is_gone = Arc::new(AtomicBool::new(false));
    let specialiser = Specialiser::with_dump(&BLOCKING, Tells(Arc::clone(&is_gone)), None);
    let f = specialiser.register(facts("f", &[]));
    let mut thread = Thread::main(&specialiser);
    thread.call(0, &f, &[], Num);
    thread.logger.send_now();
    drop(specialiser);
    thread.call(0, &f, &[], Num);
    thread.logger.send_now();
    assert_eq!(thread.logger.sent_buffers(), 2);
    assert!(!is_gone.load(Ordering::Acquire));
    drop(thread);
    crate::program::until(|| is_gone.load(Ordering::Acquire));
}

#[test]
fn loggers_that_outlive_the_work_log_no_more() {
    let specialiser = blocking();
    let f = specialiser.register(facts("f", &[]));
    let mut thread = Thread::main(&specialiser);
    thread.call(0, &f, &[], Num);
    specialiser.finish().unwrap();
    thread.logger.send_now();
    assert!(!thread.logger.is_logging());
    assert_eq!(thread.logger.enter(&f, Some(Callsite::EMPTY)), CorrelationId::NONE);
}

struct Panics;

impl Producer for Panics {
    fn produce(&mut self, _: &Planned, _: &Evidence<'_>) -> Production {
        std::panic::resume_unwind(Box::new("a mistake in the producer"))
    }
}

#[test]
fn a_producer_that_panics_takes_nothing_with_it() {
    let specialiser = Specialiser::with_dump(&BLOCKING, Panics, None);
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    for _ in 0..4 {
        (0..200).for_each(|_| thread.call(0, &f, &[Num], Num));
        thread.logger.send_now();
    }
    crate::program::until(|| {
        thread.logger.push(LogEntry::ReturnToUnlogged { correlation: CorrelationId(1) });
        thread.logger.send_now();
        !thread.logger.is_logging()
    });
    let error = specialiser.finish().unwrap_err();
    assert!(error.to_string().contains("panicked"), "{error}");
}
