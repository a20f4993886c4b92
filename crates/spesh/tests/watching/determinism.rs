//! The dump is the same each time.

use crate::program::{Paper, Thread, facts};
use riverhawk_spesh::Type::*;
use riverhawk_spesh::*;
use std::io::{self, Write};

fn run(options: &SpecialiserOptions) -> String {
    let paper = Paper::default();
    let specialiser = Specialiser::with_dump(options, NoProducer, Some(Box::new(paper.clone())));
    let main = specialiser.register(facts("main", &[]));
    let push = specialiser.register(facts("push", &["stack", "value", "top"]));
    let show = specialiser.register(facts("show", &["value"]));
    let mut thread = Thread::main(&specialiser);
    thread.enter(0, &main, &[]);
    for turn in 0..3_000usize {
        thread.turn(&main, 1);
        thread.call(16, &push, &[Array, Type::ALL[turn % 5]], Uninit);
        if turn % 3 == 0 {
            thread.enter(32, &show, &[if turn % 10 == 0 { Str } else { Num }]);
            thread.logger.outcome(thread.here(), 8, OperatorOutcome::NumAsStr);
            thread.leave(32, Some(Str));
        }
    }
    thread.logger.send_now();
    drop(thread);
    specialiser.finish().unwrap();
    paper.text()
}

#[test]
fn two_runs_dump_the_same() {
    for nodelay in [false, true] {
        let options =
            SpecialiserOptions { blocking: true, nodelay, ..SpecialiserOptions::default() };
        let first = run(&options);
        assert!(
            first.contains("Derived type specialisation of 'push' (frame 2, prog.awk:1)"),
            "{first}"
        );
        assert!(first == run(&options), "two runs differ");
    }
}

#[test]
fn times_are_dumped_only_when_nobody_waits() {
    assert!(
        !run(&SpecialiserOptions { blocking: true, ..SpecialiserOptions::default() })
            .contains(" us")
    );
    assert!(run(&SpecialiserOptions::default()).contains(" us"));
}

#[test]
fn statistics_and_plan_are_shown_like_this() {
    let paper = Paper::default();
    let options = SpecialiserOptions { blocking: true, ..SpecialiserOptions::default() };
    let specialiser = Specialiser::with_dump(&options, NoProducer, Some(Box::new(paper.clone())));
    let main = specialiser.register(facts("main", &[]));
    let area = specialiser.register(facts("area", &["w", "h", "unit"]));
    let mut thread = Thread::main(&specialiser);
    thread.enter(0, &main, &[]);
    for _ in 0..300 {
        thread.turn(&main, 1);
        thread.call(16, &area, &[StrnumNumeric, Num], Num);
    }
    thread.call(16, &area, &[StrnumText, Num], Num);
    thread.logger.send_now();
    assert_eq!(
        paper.text(),
        "\
==== Buffer 1 of thread 0: 2107 entries ====
---- Statistics: 2 frames updated ----

Statistics of 'main' (frame 1, prog.awk:1)
    Total hits: 1
    OSR hits: 300
    Callsite: no arguments
        Hits: 1, OSR hits: 300, maximum depth: 1
        Types: ()
            Hits: 1, OSR hits: 300, maximum depth: 1
            Logged at offset:
                16:
                    301 x type num
                    301 x call of 'area' (frame 2, prog.awk:1)
                    300 x types (strnum (numeric), num) to 'area' (frame 2, prog.awk:1)
                    1 x types (strnum (text), num) to 'area' (frame 2, prog.awk:1)

Statistics of 'area' (frame 2, prog.awk:1)
    Total hits: 301
    Callsite: 2 arguments: scalar, scalar
        Hits: 301, maximum depth: 2
        Types: (strnum (numeric), num)
            Hits: 300, maximum depth: 2
        Types: (strnum (text), num)
            Hits: 1, maximum depth: 2


---- Plan: 2 specialisations ----

Observed type specialisation of 'area' (frame 2, prog.awk:1)
    Callsite: 2 arguments: scalar, scalar
    Types: (strnum (numeric), num)
    Omitted: unit
    Received 300 hits (99 % of the 301 callsite hits)
    Maximum depth: 2
    Produced

Certain specialisation of 'main' (frame 1, prog.awk:1)
    Callsite: no arguments
    Received 1 hits (100 % of the 1 callsite hits)
    Received 300 OSR hits (100 % of the 300 callsite OSR hits)
    Maximum depth: 1
    Produced

"
    );
}

#[test]
fn the_dump_goes_to_the_file_that_the_options_name() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("spesh.log");
    let options = SpecialiserOptions {
        blocking: true,
        log: Some(path.clone()),
        ..SpecialiserOptions::default()
    };
    let specialiser = Specialiser::new(&options, NoProducer).unwrap();
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    thread.call(0, &f, &[Num], Num);
    thread.logger.send_now();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("==== Buffer 1 of thread 0: 3 entries ====\n"), "{text}");
}

#[test]
fn a_file_that_cannot_be_made_is_an_error_at_once() {
    let options =
        SpecialiserOptions { log: Some("/nowhere/at/all".into()), ..SpecialiserOptions::default() };
    assert_eq!(Specialiser::new(&options, NoProducer).unwrap_err().kind(), io::ErrorKind::NotFound);
}

struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_dump_that_cannot_be_written_is_an_error_at_the_end_and_stops_nothing() {
    let options = SpecialiserOptions { blocking: true, ..SpecialiserOptions::default() };
    let specialiser = Specialiser::with_dump(&options, NoProducer, Some(Box::new(Full)));
    let f = specialiser.register(facts("f", &["x"]));
    let mut thread = Thread::main(&specialiser);
    (0..200).for_each(|_| thread.call(0, &f, &[Num], Num));
    thread.logger.send_now();
    assert_eq!(specialiser.counters().produced, 1);
    assert_eq!(specialiser.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
}
