//! Rules of many tenants, who are not trusted: each has a program, and each run has limits.
//!
//! `cargo run --release -p riverhawk --example rules_engine [TENANTS]`

use riverhawk::{Limits, Program, Run};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Programs as people write them, and one that never ends.
fn rule(tenant: usize) -> String {
    match tenant % 4 {
        0 => format!("$2 > {tenant} {{ n++ }} END {{ exit !n }}"),
        1 => "/urgent/ { found = 1 } END { exit !found }".to_owned(),
        2 => "{ sum += $2 } END { exit !(sum > 100) }".to_owned(),
        _ => "BEGIN { while (1) n++ }".to_owned(),
    }
}

/// How many programs match, and how many reached a limit.
fn run_all(tenants: usize) -> Result<(usize, usize), riverhawk::Error> {
    let programs: Vec<Program> =
        (0..tenants).map(|tenant| Program::compile(rule(tenant))).collect::<Result<_, _>>()?;
    let limits = Limits::none().steps(10_000).output(1 << 16);
    let (next, matched, stopped) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let run = Run::new().input("tea 40\nmilk urgent\nbread 70\n").limits(limits);
            match program.run(run) {
                Ok(outcome) if outcome.status == 0 => matched.fetch_add(1, Ordering::Relaxed),
                Ok(_) => continue,
                Err(_) => stopped.fetch_add(1, Ordering::Relaxed),
            };
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    Ok((matched.into_inner(), stopped.into_inner()))
}

fn main() -> Result<(), riverhawk::Error> {
    let tenants = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(10_000);
    let (matched, stopped) = run_all(tenants)?;
    println!("{tenants} tenants: {matched} match, {stopped} reached a limit");
    Ok(())
}

#[test]
fn endless_programs_end_and_the_others_answer() {
    let (matched, stopped) = run_all(10_000).unwrap();
    // `urgent` is compared as text and is greater than any number.
    assert_eq!((matched, stopped), (7500, 2500));
}
