//! Runs at the same time have memory limits of their own, in a process with the counting allocator.

use riverhawk_engine::{
    CompileOptions, Config, EndCause, Limits, MachineConfig, Outcome, Source, compile,
};
use riverhawk_memory::Checked;
use std::alloc::System;
use std::thread;

#[global_allocator]
static ALLOCATOR: Checked<System> = Checked(System);

fn run(program: &str, memory_limit: Option<usize>) -> Outcome {
    let program = compile(vec![Source::new("p", program)], &CompileOptions::default()).unwrap();
    let limits = Limits { memory_limit, ..Limits::default() };
    let machine = MachineConfig { limits, ..MachineConfig::default() };
    program.run(Config { machine, ..Config::default() })
}

#[test]
fn each_run_has_its_own_limit() {
    let fill = "BEGIN { for (i = 0; i < 200000; i++) a[i] = i \" is a number\" }";
    thread::scope(|scope| {
        let limits = [Some(2 << 20), None, Some(4 << 20), Some(400 << 20)];
        let runs = limits.map(|limit| (limit, scope.spawn(move || run(fill, limit))));
        for (limit, run) in runs {
            let outcome = run.join().unwrap();
            match limit {
                None => assert_eq!(outcome.errors, []),
                Some(bytes) if bytes > 100 << 20 => assert_eq!(outcome.errors, []),
                Some(bytes) => {
                    let error = &outcome.errors[0];
                    assert_eq!(error.cause, Some(EndCause::Memory));
                    let limit = format!("the limit of {} MiB is reached", bytes >> 20);
                    assert!(error.message.contains(&limit), "{}", error.message);
                    assert!(error.span.is_some());
                }
            }
        }
    });
    assert_eq!(run(fill, None).errors, [], "nothing is left of the limits");
}
