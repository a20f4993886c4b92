//! What watching costs: a push, an entry into a frame in its three states, and what the worker does
//! with a full buffer. Minimum of many short runs, in nanoseconds.
//!
//! `cargo run --release -p riverhawk-spesh --example log_cost`

use riverhawk_spesh::thresholds::BUFFER_ENTRIES;
use riverhawk_spesh::*;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const ROUNDS: usize = 400;

/// The shortest time of many calls of `run`, divided by `per`; `prepare` is not timed.
fn shortest<T>(per: usize, mut prepare: impl FnMut() -> T, mut run: impl FnMut(&mut T)) -> f64 {
    let time = |_| {
        let mut prepared = prepare();
        let start = Instant::now();
        run(&mut prepared);
        start.elapsed().as_nanos() as f64 / per as f64
    };
    (0..ROUNDS).map(time).fold(f64::INFINITY, f64::min)
}

fn register(specialiser: &Specialiser, bytecode_bytes: u32) -> Arc<RegisteredFrame> {
    specialiser.register(FrameFacts {
        name: "f".into(),
        place: "prog.awk:1".into(),
        bytecode_bytes,
        parameters: vec!["x".into(), "y".into()],
        is_called: true,
        gains_from_types: true,
    })
}

fn main() {
    let options =
        SpecialiserOptions { blocking: true, limit: Some(0), ..SpecialiserOptions::default() };
    let specialiser = Specialiser::with_dump(&options, NoProducer, None);
    let callsite = Callsite::intern(&[ArgumentShape::Scalar; 2]);

    let off = {
        let frame = register(&specialiser, 100);
        shortest(10_000, Logger::off, |log| {
            for _ in 0..10_000 {
                black_box(log.enter(black_box(&frame), callsite));
            }
        })
    };
    println!("entry into a frame, logging off            {off:8.2} ns");

    let spent = {
        let frame = register(&specialiser, 65_536);
        shortest(
            10_000,
            || specialiser.logger(ThreadKind::Main),
            |log| {
                for _ in 0..10_000 {
                    black_box(log.enter(black_box(&frame), callsite));
                }
            },
        )
    };
    println!("entry into a frame, budget spent           {spent:8.2} ns");

    let entry = {
        let prepare = || (specialiser.logger(ThreadKind::Main), register(&specialiser, 100));
        shortest(1_000, prepare, |(log, frame)| {
            for _ in 0..1_000 {
                black_box(log.enter(black_box(frame), callsite));
            }
        })
    };
    println!("entry into a frame, logged (fresh memory)  {entry:8.2} ns");

    let frame = register(&specialiser, 100);
    let pushes = BUFFER_ENTRIES - 1;
    let push = |log: &mut Logger, here| {
        for offset in 0..pushes as u32 {
            log.type_read(black_box(here), offset & 63, Type::Num);
        }
    };
    let here = CorrelationId(1);
    let fresh = shortest(pushes, || specialiser.logger(ThreadKind::Main), |log| push(log, here));
    println!("push, buffer and its allocation            {fresh:8.2} ns");

    // The cost of the loop and the test alone.
    let unlogged = shortest(pushes, Logger::off, |log| push(log, CorrelationId::NONE));
    println!("the same in a frame that is not logged     {unlogged:8.2} ns");

    let vector = || Vec::<LogEntry>::with_capacity(BUFFER_ENTRIES);
    let store = shortest(pushes, vector, |entries| {
        for offset in 0..pushes as u32 {
            entries.push(LogEntry::Type {
                correlation: black_box(here),
                offset: offset & 63,
                ty: Type::Num,
            });
        }
    });
    println!("push to a plain vector, for comparison     {store:8.2} ns");

    println!();
    let reads = |log: &mut Logger| {
        let here = log.enter(&frame, callsite);
        log.argument(here, 0, Type::Num, None);
        log.argument(here, 1, Type::Num, None);
        for offset in 0..BUFFER_ENTRIES as u32 - 3 {
            log.type_read(here, offset & 63, Type::Num);
        }
    };
    worker("type reads in one frame", &specialiser, reads);

    // Fresh frames each time, since each has its budget.
    let calls = |log: &mut Logger| {
        let frames: Vec<_> = (0..20).map(|_| register(&specialiser, 100)).collect();
        let mut main = log.enter(&frames[0], Some(Callsite::EMPTY));
        for call in 1..BUFFER_ENTRIES / 8 {
            let frame = &frames[1 + call % 19];
            log.looped(&mut main, 0, &frames[0]);
            log.invoke(main, 4, frame);
            let here = log.enter(frame, callsite);
            log.argument(here, 0, Type::Num, None);
            log.argument(here, 1, if call % 3 == 0 { Type::Str } else { Type::Num }, None);
            log.type_read(here, 8, Type::Num);
            log.outcome(here, 16, OperatorOutcome::NumNum);
            log.leave(here, main, 4, Some(Type::Num));
        }
        frames
    };
    worker("calls of 19 functions", &specialiser, calls);

    let deep = |log: &mut Logger| {
        let frames: Vec<_> = (0..5).map(|_| register(&specialiser, 100)).collect();
        let mut caller = CorrelationId::NONE;
        for call in 0..BUFFER_ENTRIES / 4 {
            let frame = &frames[call % 5];
            log.invoke(caller, 4, frame);
            caller = log.enter(frame, callsite);
            log.argument(caller, 0, Type::Num, None);
            log.argument(caller, 1, Type::Num, None);
        }
        frames
    };
    worker("4,000 calls without a return", &specialiser, deep);
}

/// How long a sender waits for a buffer filled by `fill`, whose result lives until then.
fn worker<T>(what: &str, specialiser: &Specialiser, fill: impl Fn(&mut Logger) -> T) {
    let mut entries = 0;
    let prepare = || {
        let mut log = specialiser.logger(ThreadKind::Main);
        let kept = fill(&mut log);
        entries = log.waiting().len();
        (log, kept)
    };
    let time = shortest(1, prepare, |(log, _)| log.send_now());
    println!(
        "a buffer of {what:<30} {:8.0} us, {:.0} ns an entry ({entries} entries)",
        time / 1e3,
        time / entries as f64
    );
}
