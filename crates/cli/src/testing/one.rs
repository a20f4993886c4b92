//! Runs a test: a run of its own, with variables, files and streams of its own.

use riverhawk::engine::system::names::OsStrExt;
use std::fs;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use riverhawk::engine::{
    Colours, CompileOptions, Compiled, Config, Outcome, Renderer, RuntimeError, SourcePlace,
    Streams, TestCall, TestFunction, TestRules, VisitCounts, compile, unified_diff,
};

use super::fixture::{Fixture, Input, Text};
use super::suite::Suite;
use super::tested::{TestFailure, Tested, Verdict};
use crate::program_text::describe;

pub(super) fn run(
    suite: &Suite,
    test: &TestFunction,
    options: &CompileOptions,
    config: &Config,
    renderer: &Renderer,
) -> Tested {
    let begin = Instant::now();
    let (stdout, stderr) = (Printed::default(), Printed::default());
    let mut counts = VisitCounts::default();
    let verdict = Fixture::read(&test.comment, &suite.folder())
        .map_err(|why| at_test(test, why))
        .and_then(|fixture| {
            if let Some(why) = fixture.skip {
                return Ok(Verdict::Skipped(why));
            }
            let compiled = compiled(suite, test, &fixture, options, renderer)?;
            let outcome = run_over(&compiled, &fixture, config, &stdout, &stderr);
            if options.observed {
                compiled.add_visits(&outcome, &mut counts);
            }
            judge(test, &fixture, &compiled, &outcome, &stdout.text(), renderer)?;
            Ok(Verdict::Passed)
        });
    Tested {
        suite: suite.name.clone(),
        name: test.name.clone(),
        place: test.place.clone(),
        verdict: verdict.unwrap_or_else(Verdict::Failed),
        time: begin.elapsed(),
        stdout: stdout.text(),
        stderr: stderr.text(),
        counts,
    }
}

/// As far as the file of the tests is concerned.
fn at_test(test: &TestFunction, message: impl Into<String>) -> TestFailure {
    TestFailure { message: message.into(), place: test.place.clone(), drawn: String::new() }
}

/// With the call of the test. What is warned of was reported when the tests were looked for.
fn compiled(
    suite: &Suite,
    test: &TestFunction,
    fixture: &Fixture,
    options: &CompileOptions,
    renderer: &Renderer,
) -> Result<Compiled, TestFailure> {
    let rules = if fixture.input.is_some() { TestRules::Run } else { TestRules::Skipped };
    let call = TestCall { function: test.name.clone(), rules };
    let options = CompileOptions { test: Some(call), ..options.clone() };
    compile(suite.pieces.clone(), &options).map_err(|failure| TestFailure {
        message: "the program does not compile".to_owned(),
        place: test.place.clone(),
        drawn: renderer.failure(&failure),
    })
}

fn run_over(
    compiled: &Compiled,
    fixture: &Fixture,
    config: &Config,
    stdout: &Printed,
    stderr: &Printed,
) -> Outcome {
    let mut config = config.clone();
    let mut streams = Streams {
        stdout: Box::new(stdout.clone()),
        stderr: Box::new(stderr.clone()),
        ..Streams::default()
    };
    match &fixture.input {
        Some(Input::Lines(text)) => streams.read_from(text.clone()),
        Some(Input::Files(files)) => {
            let files = files.iter().map(|file| file.as_os_str().as_bytes().to_vec());
            config.machine.command_line.operands = files.collect();
        }
        None => {}
    }
    compiled.run_with(streams, config)
}

/// Compares what happened with what the fixture says.
fn judge(
    test: &TestFunction,
    fixture: &Fixture,
    compiled: &Compiled,
    outcome: &Outcome,
    printed: &[u8],
    renderer: &Renderer,
) -> Result<(), TestFailure> {
    match (outcome.errors.first(), &fixture.fails) {
        (None, None) => {}
        (Some(error), Some(part)) if error.message.contains(part.as_str()) => {}
        (Some(error), part) => {
            let drawn = outcome.errors.iter();
            let drawn = drawn.map(|error| renderer.runtime_error(compiled.sources(), error));
            let message = match part {
                Some(part) => format!("the run failed, but not with \"{part}\""),
                None => error.message.clone(),
            };
            let place = place_of(error, compiled).unwrap_or_else(|| test.place.clone());
            return Err(TestFailure { message, place, drawn: drawn.collect() });
        }
        (None, Some(part)) => {
            return Err(at_test(test, format!("the run did not fail; expected \"{part}\"")));
        }
    }
    if fixture.fails.is_none() && outcome.status != fixture.status {
        let message = format!("exit status {}, want {}", outcome.status, fixture.status);
        return Err(at_test(test, message));
    }
    let expected = match &fixture.output {
        None => return Ok(()),
        Some(Text::Lines(text)) => text.clone(),
        Some(Text::File(file)) => fs::read(file).map_err(|error| {
            at_test(test, format!("cannot read '{}': {}", file.display(), describe(&error)))
        })?,
    };
    if printed == expected {
        return Ok(());
    }
    let difference = unified_diff(b"output", &[expected, printed.to_vec()], Colours::None);
    Err(TestFailure {
        message: "the output is not the expected".to_owned(),
        place: test.place.clone(),
        drawn: String::from_utf8_lossy(&difference).into_owned(),
    })
}

fn place_of(error: &RuntimeError, compiled: &Compiled) -> Option<SourcePlace> {
    let at = compiled.sources().locate(error.span?)?;
    Some(SourcePlace { file: at.name.to_owned(), line: at.line, column: at.column })
}

/// What a run prints, kept in memory.
#[derive(Clone, Default)]
struct Printed(Arc<Mutex<Vec<u8>>>);

impl Printed {
    fn text(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
