//! Any trace: counts add up, nothing panics, memory stays bounded.

use crate::program::{Paper, blocking, facts};
use proptest::prelude::*;
use riverhawk_spesh::thresholds::SIMULATED_FRAMES;
use riverhawk_spesh::*;
use std::sync::Arc;

const FRAMES: usize = 4;

/// Mostly valid.
#[derive(Clone, Debug)]
enum Step {
    Enter {
        frame: usize,
        types: Vec<Type>,
        has_callsite: bool,
        logged_arguments: usize,
    },
    Leave {
        is_said: bool,
    },
    Type(u32, Type),
    Outcome(u32, OperatorOutcome),
    Osr,
    Cut,
    /// An entry that is invalid here.
    Stray(LogEntry),
}

fn any_type() -> impl Strategy<Value = Type> {
    (0..Type::COUNT).prop_map(|at| Type::ALL[at])
}

fn any_entry() -> impl Strategy<Value = LogEntry> {
    let correlation = prop_oneof![0u32..40, Just(u32::MAX)].prop_map(CorrelationId);
    // Also unregistered frames.
    let frame = (0u64..FRAMES as u64 + 3).prop_map(FrameId);
    (correlation, frame, 0u32..1_200, any_type(), 0u16..9, 0..9).prop_map(
        |(correlation, frame, offset, ty, index, kind)| match kind {
            0 => LogEntry::Entry { correlation, frame, callsite: None },
            1 => LogEntry::Entry {
                correlation,
                frame,
                callsite: Callsite::intern(&[ArgumentShape::Scalar]),
            },
            2 => LogEntry::Parameter { correlation, index, tag: ty.tag() },
            3 => LogEntry::Resolved { correlation, index, class: TypeClass::Numeric },
            4 => LogEntry::Type { correlation, offset, ty },
            5 => LogEntry::Invoke { correlation, offset, callee: frame },
            6 => LogEntry::Osr { correlation, offset },
            7 => LogEntry::Return { correlation, offset, ty: Some(ty) },
            _ => LogEntry::ReturnToUnlogged { correlation },
        },
    )
}

fn any_step() -> impl Strategy<Value = Step> {
    let types = prop::collection::vec(any_type(), 0..4);
    let offset = prop_oneof![Just(0u32), 0u32..1_200];
    prop_oneof![
        6 => (0..FRAMES, types, prop::bool::weighted(0.9), 0usize..6).prop_map(
            |(frame, types, has_callsite, logged_arguments)| Step::Enter { frame, types, has_callsite, logged_arguments }
        ),
        5 => prop::bool::weighted(0.8).prop_map(|is_said| Step::Leave { is_said }),
        3 => (offset.clone(), any_type()).prop_map(|(offset, ty)| Step::Type(offset, ty)),
        2 => (offset, 0..OperatorOutcome::COUNT).prop_map(|(offset, at)| Step::Outcome(offset, OperatorOutcome::ALL[at])),
        2 => Just(Step::Osr),
        1 => Just(Step::Cut),
    ]
}

fn run(steps: &[Step], nodelay: bool) -> (String, Vec<Arc<RegisteredFrame>>) {
    let paper = Paper::default();
    let options = SpecialiserOptions { blocking: true, nodelay, ..SpecialiserOptions::default() };
    let specialiser = Specialiser::with_dump(&options, NoProducer, Some(Box::new(paper.clone())));
    let frames: Vec<_> =
        (0..FRAMES).map(|_| specialiser.register(facts("f", &["x", "y"]))).collect();
    let mut logger = specialiser.logger(ThreadKind::Main);
    let mut stack: Vec<CorrelationId> = Vec::new();
    for step in steps {
        let mut here = stack.last().copied().unwrap_or_default();
        match step {
            Step::Enter { frame, types, has_callsite, logged_arguments } => {
                logger.invoke(here, 4, &frames[*frame]);
                let callsite =
                    Callsite::intern(&crate::program::shape(types)).filter(|_| *has_callsite);
                let here = logger.enter(&frames[*frame], callsite);
                for (index, ty) in (0..).zip(types).take(*logged_arguments) {
                    logger.argument(here, index, *ty, Some(Type::Str));
                }
                stack.push(here);
            }
            Step::Leave { is_said } => {
                stack.pop();
                if *is_said {
                    logger.leave(
                        here,
                        stack.last().copied().unwrap_or_default(),
                        4,
                        Some(Type::Num),
                    );
                }
            }
            Step::Type(offset, ty) => logger.type_read(here, *offset, *ty),
            Step::Outcome(offset, outcome) => logger.outcome(here, *offset, *outcome),
            Step::Osr => logger.looped(&mut here, 0, &frames[0]),
            Step::Cut => logger.send_now(),
            Step::Stray(entry) => logger.push(*entry),
        }
    }
    logger.send_now();
    drop(logger);
    specialiser.finish().unwrap();
    (paper.text(), frames)
}

fn check(statistics: &FrameStatistics) -> Result<(), TestCaseError> {
    let callsites = statistics.by_callsite.values();
    prop_assert_eq!(statistics.hits, callsites.clone().map(|at| at.hits).sum::<u32>());
    prop_assert_eq!(statistics.osr_hits, callsites.map(|at| at.osr_hits).sum::<u32>());
    for (callsite, at) in &statistics.by_callsite {
        let tuples = at.by_tuple.values();
        if callsite.is_some() {
            prop_assert_eq!(
                at.hits,
                tuples.clone().map(|tuple| tuple.hits).sum::<u32>() + at.discarded
            );
        } else {
            prop_assert!(at.by_tuple.is_empty());
        }
        prop_assert_eq!(
            at.osr_hits,
            tuples.clone().map(|tuple| tuple.osr_hits).sum::<u32>() + at.discarded_osr_hits
        );
        prop_assert!(tuples.clone().all(|tuple| tuple.max_depth <= at.max_depth));
        for tuple in tuples {
            prop_assert!(tuple.by_offset.keys().all(|offset| *offset < 1_000));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn counts_add_up_in_any_program(steps in prop::collection::vec(any_step(), 0..400), nodelay: bool) {
        let (_, frames) = run(&steps, nodelay);
        for frame in frames {
            if let Some(statistics) = frame.statistics() {
                check(&statistics)?;
            }
        }
    }

    #[test]
    fn any_program_dumps_the_same_twice(steps in prop::collection::vec(any_step(), 0..200), nodelay: bool) {
        prop_assert_eq!(run(&steps, nodelay).0, run(&steps, nodelay).0);
    }

    #[test]
    fn counts_add_up_in_traces_that_no_program_leaves(
        steps in prop::collection::vec(prop_oneof![any_step(), any_entry().prop_map(Step::Stray)], 0..400),
        nodelay: bool,
    ) {
        let (_, frames) = run(&steps, nodelay);
        for frame in frames {
            if let Some(statistics) = frame.statistics() {
                check(&statistics)?;
            }
        }
    }
}

#[test]
fn a_stack_that_only_grows_is_given_up_from_the_outside() {
    // More entries than any budget, as in a damaged log.
    let specialiser = blocking();
    let f = specialiser.register(facts("f", &["x"]));
    let mut logger = specialiser.logger(ThreadKind::Main);
    let callsite = Callsite::intern(&[ArgumentShape::Scalar]);
    let entries = 5 * SIMULATED_FRAMES as u32;
    for correlation in (1..=entries).map(CorrelationId) {
        logger.push(LogEntry::Entry { correlation, frame: f.id(), callsite });
        logger.argument(correlation, 0, Type::Num, None);
    }
    logger.send_now();
    assert!(specialiser.counters().simulated_frames <= SIMULATED_FRAMES as u64);
    drop(logger);
    specialiser.finish().unwrap();
    let statistics = f.statistics().unwrap();
    assert_eq!(statistics.hits, entries);
    let at = statistics.by_callsite.values().next().unwrap();
    assert_eq!(at.by_tuple.values().next().unwrap().hits, entries);
}

#[test]
fn a_place_remembers_no_more_than_sixty_four_callees() {
    let specialiser = blocking();
    let main = specialiser.register(facts("main", &[]));
    let callees: Vec<_> = (0..200).map(|_| specialiser.register(facts("f", &[]))).collect();
    let mut thread = crate::program::Thread::main(&specialiser);
    thread.enter(0, &main, &[]);
    callees.iter().for_each(|callee| thread.call(4, callee, &[], Type::Num));
    thread.logger.send_now();
    let place = &crate::program::tuple(&main, &[]).by_offset[&4];
    assert_eq!(
        (place.invoked.len(), place.callee_tuples.len(), place.further_calls),
        (64, 64, 136)
    );
}

#[test]
fn tuples_past_the_thousandth_are_discarded() {
    let specialiser = blocking();
    let f = specialiser.register(facts("f", &["a", "b", "c", "d"]));
    let mut logger = specialiser.logger(ThreadKind::Main);
    let callsite = Callsite::intern(&[ArgumentShape::Scalar; 5]);
    let types = [Type::Num, Type::Str, Type::Uninit, Type::Regex, Type::Untyped];
    for (at, correlation) in (0usize..3_125).zip((1..).map(CorrelationId)) {
        logger.push(LogEntry::Entry { correlation, frame: f.id(), callsite });
        for index in 0..5u32 {
            logger.argument(correlation, index as u16, types[at / 5usize.pow(index) % 5], None);
        }
        logger.leave(correlation, CorrelationId::NONE, 0, None);
    }
    logger.send_now();
    let statistics = f.statistics().unwrap();
    let at = &statistics.by_callsite[&callsite];
    assert_eq!((at.hits, at.by_tuple.len(), at.discarded), (3_125, 1_000, 2_125));
}
