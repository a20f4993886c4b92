//! The pool's decisions in a few situations, with its log.
//!
//! ```text
//! cargo run -p riverhawk-pool --example decisions
//! ```

use riverhawk_pool::{Handle, LogLevel, Pool, Task, TaskError, blocking, promise};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let situations: [(&str, Situation); 5] = [
        ("one task after the other: one worker", one_after_the_other),
        ("tasks that compute: as many workers as cores", computing),
        ("declared waits: replaced at once", declared_waits),
        ("waits nobody declared: low utilisation, one worker per tick", undeclared_waits),
        ("an affinity worker stuck in an item that waits for a later one", stuck),
    ];
    for (title, situation) in situations {
        println!("\n{title}");
        let pool =
            Pool::builder().observer(LogLevel::Decisions, |entry| println!("  {entry}")).build();
        situation(&pool)?;
        pool.wait_idle();
        let usage = pool.usage();
        println!(
            "  {} general workers, {} tasks finished",
            usage.general.workers,
            usage.completed()
        );
    }
    Ok(())
}

type Situation = fn(&Handle) -> Result<(), TaskError>;

fn one_after_the_other(pool: &Handle) -> Result<(), TaskError> {
    (0..100).try_for_each(|_| pool.spawn(|| thread::sleep(Duration::from_micros(100))).wait())
}

fn computing(pool: &Handle) -> Result<(), TaskError> {
    let compute = || {
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(50) {
            std::hint::spin_loop();
        }
    };
    let tasks: Vec<_> = (0..8).map(|_| pool.spawn(compute)).collect();
    tasks.into_iter().try_for_each(Task::wait)
}

fn declared_waits(pool: &Handle) -> Result<(), TaskError> {
    let wait = || blocking(|| thread::sleep(Duration::from_millis(20)));
    let tasks: Vec<_> = (0..5).map(|_| pool.spawn(wait)).collect();
    tasks.into_iter().try_for_each(Task::wait)
}

fn undeclared_waits(pool: &Handle) -> Result<(), TaskError> {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..4).map(|_| mpsc::channel::<()>()).unzip();
    let waits: Vec<_> = receivers
        .into_iter()
        .map(|receiver| pool.spawn(move || receiver.recv().is_err()))
        .collect();
    let wakes = pool.spawn(move || drop(senders));
    for wait in waits {
        wait.wait()?;
    }
    wakes.wait()
}

fn stuck(pool: &Handle) -> Result<(), TaskError> {
    let source = pool.affinity();
    let (resolver, answer) = promise();
    let waits = source.spawn(move || answer.wait());
    source.run(move || resolver.resolve(()));
    waits.wait().map(|_| ())
}
