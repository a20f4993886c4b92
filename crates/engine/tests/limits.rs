//! Runs have limits of their own, each an error that names it.

use riverhawk_engine::{
    CompileOptions, Config, EndCause, Limits, MachineConfig, Outcome, RuntimeError, Source, compile,
};
use std::thread;

fn run(program: &str, limits: Limits) -> Outcome {
    let options = CompileOptions { limited: true, ..CompileOptions::default() };
    let program = compile(vec![Source::new("p", program)], &options).unwrap();
    let machine = MachineConfig { limits, ..MachineConfig::default() };
    program.run(Config { machine, ..Config::default() })
}

fn error(program: &str, limits: Limits) -> RuntimeError {
    let outcome = run(program, limits);
    assert_eq!((outcome.status, outcome.errors.len()), (2, 1), "{program}");
    outcome.errors.into_iter().next().unwrap()
}

#[test]
fn each_limit_has_its_cause_and_a_place() {
    let steps = Limits { max_steps: Some(1000), ..Limits::default() };
    let depth = Limits { max_call_depth: Some(100), ..Limits::default() };
    for (program, limits, cause, message) in [
        ("BEGIN { while (1) i++ }", steps, EndCause::Steps, "the limit of 1000 steps is reached"),
        (
            "function f(n) { return f(n + 1) } BEGIN { f(1) }",
            depth,
            EndCause::Calls,
            "function calls are nested deeper than the limit of 100: does the recursion end?",
        ),
    ] {
        let error = error(program, limits);
        assert_eq!((error.cause, error.message.as_str()), (Some(cause), message));
        assert!(error.span.is_some(), "{program}");
    }
}

#[test]
fn the_depth_of_calls_is_exact() {
    for depth in [1, 2, 63, 64, 65, 100, 1000, 5000] {
        let limits = Limits { max_call_depth: Some(depth), ..Limits::default() };
        let deep = |calls: usize| {
            format!(
                "function f(n) {{ return n > 1 ? 1 + f(n - 1) : 1 }} \
                 BEGIN {{ for (i = 0; i < 300; i++) if (f({calls}) != {calls}) exit 1 }}"
            )
        };
        let outcome = run(&deep(depth), limits);
        assert_eq!((outcome.status, outcome.errors), (0, vec![]), "{depth}");
        assert_eq!(error(&deep(depth + 1), limits).cause, Some(EndCause::Calls), "{depth}");
    }
}

#[test]
fn runs_at_the_same_time_have_their_own_limits() {
    thread::scope(|scope| {
        let runs = [10, 100_000, 1000].map(|steps| {
            let limits = Limits { max_steps: Some(steps), ..Limits::default() };
            (steps, scope.spawn(move || error("BEGIN { while (1) i++ }", limits).message))
        });
        for (steps, run) in runs {
            let message = format!("the limit of {steps} steps is reached");
            assert_eq!(run.join().unwrap(), message);
        }
    });
}
