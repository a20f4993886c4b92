//! Measures what the pool costs, beside rayon in the same run.
//!
//! ```text
//! cargo run --release -p riverhawk-pool --example pool_speed -- [spawn] [timers] [idle] [memory]
//! ```
//!
//! Without words it measures everything: spawn and join of a million empty tasks, the lateness of timers while every
//! worker is busy, the CPU time of an idle pool over 20 s, and the resident memory of an idle worker. Times are the best
//! of several rounds; pool and rayon take turns.

use riverhawk_pool::{Pool, blocking};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const TASKS: usize = 1_000_000;
const ROUNDS: usize = 7;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |word: &str| words.is_empty() || words.iter().any(|given| given == word);
    if wanted("spawn") {
        spawn();
    }
    if wanted("timers") {
        timers();
    }
    if wanted("idle") {
        idle();
    }
    if wanted("memory") {
        memory();
    }
}

/// Nanoseconds a task, best of the rounds, for contestants that take turns.
fn race(contestants: &mut [(&str, &mut dyn FnMut())]) {
    let mut best = vec![Duration::MAX; contestants.len()];
    for _ in 0..ROUNDS {
        for ((_, run), best) in contestants.iter_mut().zip(&mut best) {
            let start = Instant::now();
            run();
            *best = (*best).min(start.elapsed());
        }
    }
    let reference = best[0].as_secs_f64();
    for ((name, _), best) in contestants.iter().zip(&best) {
        let nanoseconds = best.as_nanos() as f64 / TASKS as f64;
        println!("{name:44} {nanoseconds:7.1} ns a task   {:5.2} of the first", best.as_secs_f64() / reference);
    }
}

fn spawn() {
    let pool = Pool::new();
    let done = Arc::new(AtomicUsize::new(0));
    println!("a million empty tasks, detached, from outside, counted by each");
    race(&mut [
        ("rayon::spawn", &mut || {
            let last = Arc::new(Barrier::new(2));
            for _ in 0..TASKS {
                let (done, last) = (Arc::clone(&done), Arc::clone(&last));
                rayon::spawn(move || finish(&done, &last));
            }
            last.wait();
        }),
        ("pool.run", &mut || {
            let last = Arc::new(Barrier::new(2));
            for _ in 0..TASKS {
                let (done, last) = (Arc::clone(&done), Arc::clone(&last));
                pool.run(move || finish(&done, &last));
            }
            last.wait();
        }),
        ("pool.spawn with a result, waited for", &mut || {
            let tasks: Vec<_> = (0..TASKS).map(|_| pool.spawn(|| ())).collect();
            tasks.into_iter().for_each(|task| task.wait().unwrap_or_default());
        }),
        ("pool.spawn_future, waited for", &mut || {
            let tasks: Vec<_> = (0..TASKS).map(|_| pool.spawn_future(async {})).collect();
            tasks.into_iter().for_each(|task| task.wait().unwrap_or_default());
        }),
    ]);
    println!("a million empty tasks in a scope, from outside");
    race(&mut [
        ("rayon::scope", &mut || rayon::scope(|scope| (0..TASKS).for_each(|_| scope.spawn(|_| ())))),
        ("pool.scope", &mut || pool.scope(|scope| (0..TASKS).for_each(|_| scope.spawn(|| ())))),
    ]);
    println!("a million empty chunks of one element");
    let elements = vec![1_u8; TASKS];
    race(&mut [
        ("rayon par_chunks", &mut || {
            use rayon::prelude::*;
            elements.par_chunks(1).for_each(|chunk| {
                black_box(chunk);
            });
        }),
        ("pool.for_each_chunk", &mut || {
            pool.for_each_chunk(&elements, 1, |_, chunk| {
                black_box(chunk);
            });
        }),
    ]);
}

/// The last of the tasks meets the one who waits.
fn finish(done: &AtomicUsize, last: &Barrier) {
    if done.fetch_add(1, Ordering::Relaxed) + 1 == TASKS {
        done.store(0, Ordering::Relaxed);
        last.wait();
    }
}

fn timers() {
    let pool = Pool::new();
    let stop = Arc::new(AtomicBool::new(false));
    for _ in 0..2 * pool.cores() {
        let stop = Arc::clone(&stop);
        pool.run(move || {
            while !stop.load(Ordering::Relaxed) {
                std::hint::spin_loop();
            }
        });
    }
    thread::sleep(Duration::from_millis(100));
    let late = Arc::new(Mutex::new(Vec::new()));
    for number in 1..=1000_u64 {
        let (late, due) = (Arc::clone(&late), Instant::now() + Duration::from_micros(number * 5000));
        let seconds = (due - Instant::now()).as_secs_f64();
        let _ = pool.after(seconds, move || {
            if let Ok(mut late) = late.lock() {
                late.push(due.elapsed());
            }
        });
    }
    while late.lock().is_ok_and(|late| late.len() < 1000) {
        thread::sleep(Duration::from_millis(10));
    }
    stop.store(true, Ordering::Relaxed);
    let mut late = late.lock().map(|late| late.clone()).unwrap_or_default();
    late.sort();
    println!(
        "1000 timers in 5 s, every worker busy: median {:?} late, p99 {:?}, worst {:?}",
        late[500], late[990], late[999]
    );
}

/// CPU time of the whole process, which does nothing else meanwhile.
fn idle() {
    let cpu = || Duration::try_from(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime));
    let pool = Pool::new();
    let _ = pool.spawn(|| ()).wait();
    // The way down to 500 ms is not what is to be measured.
    thread::sleep(Duration::from_secs(2));
    let (Ok(before), start) = (cpu(), Instant::now()) else { return };
    thread::sleep(Duration::from_secs(20));
    let (Ok(after), time) = (cpu(), start.elapsed()) else { return };
    let used = after.saturating_sub(before);
    println!(
        "idle pool over {time:.0?}: {used:?} of CPU time, {:.4} % of a core",
        used.as_secs_f64() / time.as_secs_f64() * 100.0
    );
}

fn memory() {
    const WORKERS: usize = 500;
    let pool = Pool::new();
    let (before, stacks_before) = resident();
    let met = Arc::new(Barrier::new(WORKERS));
    for _ in 0..WORKERS {
        let met = Arc::clone(&met);
        pool.run(move || {
            blocking(|| met.wait());
        });
    }
    pool.wait_idle();
    let (after, stacks_after) = resident();
    let workers = pool.usage().general.workers;
    println!(
        "{workers} idle workers: {} KiB resident each ({} KiB of address space)",
        (after - before) / workers.max(1),
        (stacks_after - stacks_before) / workers.max(1)
    );
}

/// Resident memory and address space of the process in KiB.
fn resident() -> (usize, usize) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    };
    (field("VmRSS:"), field("VmSize:"))
}
