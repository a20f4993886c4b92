//! Limits of steps and records are reached at the same record, however records are read.

use riverhawk::{EndCause, Limits, Program, Run};
use std::time::Duration;

/// Where a run ends: what ended it, the number of the record, the place in the program.
type End = Option<(Option<EndCause>, u64, Option<String>)>;

fn end(program: &Program, text: &str, limits: Limits) -> End {
    let ended = program.run(Run::new().input(text).limits(limits));
    let error = ended.err()?;
    let place = error.location().map(ToString::to_string);
    Some((error.cause(), error.record().map_or(0, |(_, number)| number), place))
}

#[test]
fn loops_over_many_records_at_once_stop_where_others_do() {
    let lines = (0..600).map(|number| match number {
        // Not ASCII, longer than what is marked at once, empty.
        170 => "ä\n".to_owned(),
        300 => "long".repeat(3000) + "\n",
        400..420 => "\n".to_owned(),
        _ => format!("line {number}\n"),
    });
    let text: String = lines.collect();
    let one_by_one = Program::compile("{ n += length($0); m++ } END { print NR }").unwrap();
    let at_once = [
        "{ n += length($0) } END { print n }",
        "END { print NR }",
        "BEGIN { while ((getline) > 0) if (NR == 5) break } { n += length } END { print n }",
        "{ n += length($0); next } END { print NR }",
    ];
    for source in at_once {
        let program = Program::compile(source).unwrap();
        for most in [0, 1, 2, 3, 169, 170, 171, 172, 299, 300, 301, 302, 599, 600, 601] {
            let records = Limits::none().records(most);
            let expected =
                end(&one_by_one, &text, records).map(|(cause, number, _)| (cause, number));
            let found = end(&program, &text, records).map(|(cause, number, _)| (cause, number));
            assert_eq!(found, expected, "{source}: {most} records");
            assert_eq!(found.is_some(), most < 600);
            if source.starts_with("BEGIN") {
                continue;
            }
            let steps = Limits::none().steps(most);
            let expected = end(&one_by_one, &text, steps).map(|(cause, number, _)| (cause, number));
            let found = end(&program, &text, steps).map(|(cause, number, _)| (cause, number));
            assert_eq!(found, expected, "{source}: {most} steps");
            assert_eq!(found.is_some_and(|(_, number)| number == most + 1), most < 600);
        }
    }
}

#[test]
fn the_place_is_the_same_at_the_first_record_and_later() {
    let program = Program::compile("BEGIN { x = 1 }\nNR > 5 { n++ }\n{ m++ }").unwrap();
    let text = "line\n".repeat(20);
    let limits = |steps| Limits::none().steps(steps);
    let [first, later] = [0, 7].map(|steps| end(&program, &text, limits(steps)).unwrap());
    assert_eq!((first.1, later.1), (1, 8));
    assert_eq!(first.2, later.2);
}

#[test]
fn records_taken_at_once_are_counted() {
    let text = "x\n".repeat(30_000);
    for source in ["{ n += length($0) }", "END { print NR }"] {
        let program = Program::compile(source).unwrap();
        for most in [12_345, 29_999] {
            let steps = Limits::none().steps(most);
            let found = end(&program, &text, steps).map(|(cause, number, _)| (cause, number));
            assert_eq!(found, Some((Some(EndCause::Steps), most + 1)), "{source}");
        }
        let enough = Limits::none().steps(30_000);
        assert_eq!(end(&program, &text, enough), None, "{source}");
    }
}

#[test]
fn a_time_beyond_the_clock_is_no_limit() {
    let program = Program::compile("BEGIN { print 1 }").unwrap();
    let run = Run::new().limits(Limits::none().time(Duration::MAX));
    assert_eq!(program.run(run).unwrap().text(), "1\n");
}
