//! How soon a run ends that is cancelled in the middle of one long step, over texts of 64 MB.
//!
//! `cargo run --release -p riverhawk --example endings`; an argument names the steps that count.
//!
//! A run is cancelled at several times after its beginning, each time in several runs, of which the
//! quickest counts, since disturbance by others only adds. What is shown is the slowest of the times:
//! as it passes, and of the processor for the run's thread, which Linux counts to a few milliseconds.

use riverhawk::{Call, Cancel, Permissions, Program, Run};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

#[path = "../tests/cancelling/operations.rs"]
mod operations;

const TIMES: [Duration; 4] = [
    Duration::from_millis(2),
    Duration::from_millis(9),
    Duration::from_millis(35),
    Duration::from_millis(120),
];
const ROUNDS: usize = 4;
const SIZE: usize = 64_000_000;

/// Loops that stop at once, in runs that hold much: what they take is to give memory back, which any
/// other end takes too.
const HELD: [(&str, &str, &str); 3] = [
    ("holding a text", "s = text(SIZE)", "n++"),
    ("holding five texts", "s = text(SIZE); t = s s s s", "n++"),
    ("holding pieces of a text", "split(text(SIZE), pieces)", "n++"),
];

fn main() -> Result<(), riverhawk::Error> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    for (name, setup, operation) in HELD.iter().chain(operations::OPERATIONS) {
        let step = operations::program(setup, operation, SIZE);
        report(&wanted, name, || ending(&step, Run::new))?;
    }
    for (name, operation) in [
        ("a command", "system(\"sleep 1000\")"),
        ("reading a command", "\"sleep 1000\" | getline x"),
        ("writing to a command", "while (1) print text(100000) | \"sleep 1000\""),
        ("closing a command", "print | \"sleep 1000\"; close(\"sleep 1000\")"),
        ("a coprocess", "\"cat\" |& getline x"),
        ("an endless file", "while ((getline x < \"/dev/zero\") > 0) n++"),
    ] {
        report(&wanted, name, || ending(&operations::program("", operation, SIZE), Run::new))?;
    }
    for jobs in [1, 2] {
        let input: std::sync::Arc<[u8]> =
            "abc def, 12 ".repeat(200_000_000 / 12).into_bytes().into();
        let run = || Run::new().jobs(jobs).shared_input(input.clone());
        report(&wanted, &format!("a record of 200 MB, {jobs} threads"), || {
            ending("BEGIN { begin() } { n += NF } END { while (1) n++ }", run)
        })?;
    }
    Ok(())
}

fn report(
    wanted: &str,
    name: &str,
    ending: impl FnOnce() -> Result<[Duration; 2], riverhawk::Error>,
) -> Result<(), riverhawk::Error> {
    if name.contains(wanted) {
        let [passed, used] = ending()?.map(|time| time.as_secs_f64() * 1e3);
        println!("{name:28} {passed:8.1} ms, of the processor {used:6.1}");
    }
    Ok(())
}

fn ending(source: &str, run: impl Fn() -> Run) -> Result<[Duration; 2], riverhawk::Error> {
    let mut slowest = [Duration::ZERO; 2];
    for time in TIMES {
        let mut quickest = [Duration::MAX; 2];
        for _ in 0..ROUNDS {
            let took = cancelled(source, run().permissions(Permissions::all()), time)?;
            quickest = [quickest[0].min(took[0]), quickest[1].min(took[1])];
        }
        slowest = [slowest[0].max(quickest[0]), slowest[1].max(quickest[1])];
    }
    Ok(slowest)
}

/// Of the process's first thread, on which all runs are.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    Duration::from_nanos(stat.split(' ').next().and_then(|time| time.parse().ok()).unwrap_or(0))
}

/// From being cancelled, so long after the call of `begin`, to having returned.
fn cancelled(source: &str, run: Run, after: Duration) -> Result<[Duration; 2], riverhawk::Error> {
    let (sender, begun) = mpsc::channel();
    let sender = Mutex::new(sender);
    let program = Program::builder()
        .source("endings", source)
        .function("begin", 0..=0, move |_: &mut Call<'_>| {
            let _ = sender.lock().map(|sender| sender.send(()));
            Ok(().into())
        })
        .compile()?;
    let handle = Cancel::new();
    let to_cancel = handle.clone();
    let canceller = thread::spawn(move || {
        begun.recv().expect("the program calls begin");
        thread::sleep(after);
        let now = (Instant::now(), processor_time());
        to_cancel.cancel();
        now
    });
    let ended = program.run(run.cancel(&handle));
    let returned = (Instant::now(), processor_time());
    assert!(ended.is_err_and(|error| error.stopped().is_some()), "{source} is endless");
    let cancelled = canceller.join().expect("it cancels");
    Ok([returned.0 - cancelled.0, returned.1.saturating_sub(cancelled.1)])
}
