//! The pool's costs, compared with rayon in the same run: spawn and join of a million empty tasks,
//! timer lateness with all workers busy, CPU time of an idle pool over 20 s, resident memory of an
//! idle worker.

use crate::Row;
use riverhawk_pool::{Pool, blocking};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const TASKS: usize = 1_000_000;

pub(crate) fn rows(rounds: u32) -> Vec<Row> {
    // Memory first: pages that others have touched and freed would hide the workers'.
    let memory = memory();
    let mut rows = spawn(rounds);
    rows.extend([timers(), idle(), memory].into_iter().flatten());
    rows
}

/// Best of alternating rounds; the first contestant is the peer of the others.
fn race(
    rounds: u32,
    goal: (f64, &'static str),
    contestants: &mut [(&str, &mut dyn FnMut())],
) -> Vec<Row> {
    let mut best = vec![Duration::MAX; contestants.len()];
    for _ in 0..rounds {
        for ((_, run), best) in contestants.iter_mut().zip(&mut best) {
            let start = Instant::now();
            run();
            *best = (*best).min(start.elapsed());
        }
    }
    let nanoseconds = |time: Duration| time.as_nanos() as f64 / TASKS as f64;
    let rayon = nanoseconds(best[0]);
    let ours = contestants.iter().zip(&best).skip(1);
    ours.map(|((name, _), best)| Row {
        name: (*name).to_owned(),
        value: nanoseconds(*best),
        peer: Some(rayon),
        against: "rayon",
        unit: "ns a task",
        goal: goal.1,
        reached: nanoseconds(*best) <= rayon * goal.0,
    })
    .collect()
}

fn spawn(rounds: u32) -> Vec<Row> {
    const GOAL: (f64, &str) = (1.5, "at most 1.5 times rayon's");
    const NONE: (f64, &str) = (f64::INFINITY, "none: rayon's has no result to wait for");
    let pool = Pool::new();
    let done = Arc::new(AtomicUsize::new(0));
    let mut rayons = || {
        let last = Arc::new(Barrier::new(2));
        for _ in 0..TASKS {
            let (done, last) = (Arc::clone(&done), Arc::clone(&last));
            rayon::spawn(move || finish(&done, &last));
        }
        last.wait();
    };
    let mut rows = race(
        rounds,
        GOAL,
        &mut [
            ("rayon::spawn", &mut rayons),
            ("a million empty tasks, detached, from outside (`run`)", &mut || {
                let last = Arc::new(Barrier::new(2));
                for _ in 0..TASKS {
                    let (done, last) = (Arc::clone(&done), Arc::clone(&last));
                    pool.run(move || finish(&done, &last));
                }
                last.wait();
            }),
        ],
    );
    rows.extend(race(
        rounds,
        NONE,
        &mut [
            ("rayon::spawn", &mut rayons),
            ("the same with a handle that is waited for (`spawn`)", &mut || {
                let tasks: Vec<_> = (0..TASKS).map(|_| pool.spawn(|| ())).collect();
                tasks.into_iter().for_each(|task| task.wait().unwrap_or_default());
            }),
            ("the same as futures (`spawn_future`)", &mut || {
                let tasks: Vec<_> = (0..TASKS).map(|_| pool.spawn_future(async {})).collect();
                tasks.into_iter().for_each(|task| task.wait().unwrap_or_default());
            }),
        ],
    ));
    rows.extend(race(
        rounds,
        GOAL,
        &mut [
            ("rayon::scope", &mut || {
                rayon::scope(|scope| (0..TASKS).for_each(|_| scope.spawn(|_| ())))
            }),
            ("a million empty closures in a scope, from outside", &mut || {
                pool.scope(|scope| (0..TASKS).for_each(|_| scope.spawn(|| ())));
            }),
        ],
    ));
    let elements = vec![1_u8; TASKS];
    rows.extend(race(
        rounds,
        GOAL,
        &mut [
            ("rayon par_chunks", &mut || {
                use rayon::prelude::*;
                elements.par_chunks(1).for_each(|chunk| {
                    black_box(chunk);
                });
            }),
            ("a million empty chunks of one element", &mut || {
                pool.for_each_chunk(&elements, 1, |_, chunk| {
                    black_box(chunk);
                });
            }),
        ],
    ));
    rows
}

/// The last task releases the waiting thread.
fn finish(done: &AtomicUsize, last: &Barrier) {
    if done.fetch_add(1, Ordering::Relaxed) + 1 == TASKS {
        done.store(0, Ordering::Relaxed);
        last.wait();
    }
}

fn timers() -> Option<Row> {
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
        let (late, due) =
            (Arc::clone(&late), Instant::now() + Duration::from_micros(number * 5000));
        pool.after(due.saturating_duration_since(Instant::now()), move || {
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
    let p99 = late.get(990)?.as_secs_f64() * 1e3;
    Some(row("lateness of 1,000 timers with every core busy, p99", p99, "ms", "below 10 ms", 10.0))
}

fn row(name: &str, value: f64, unit: &'static str, goal: &'static str, limit: f64) -> Row {
    Row {
        name: name.to_owned(),
        value,
        peer: None,
        against: "-",
        unit,
        goal,
        reached: value < limit,
    }
}

/// CPU time of the process, which does nothing else meanwhile.
fn idle() -> Option<Row> {
    let cpu =
        || Duration::try_from(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime));
    let pool = Pool::new();
    let _ = pool.spawn(|| ()).wait();
    // Until the intervals have grown to 500 ms.
    thread::sleep(Duration::from_secs(2));
    let (Ok(before), start) = (cpu(), Instant::now()) else { return None };
    thread::sleep(Duration::from_secs(20));
    let (Ok(after), time) = (cpu(), start.elapsed()) else { return None };
    let used = after.saturating_sub(before);
    let share = used.as_secs_f64() / time.as_secs_f64() * 1e6;
    Some(row(
        "CPU time of an idle pool over 20 s",
        share,
        "millionths of a core",
        "below 1,000",
        1000.0,
    ))
}

fn memory() -> Option<Row> {
    const WORKERS: usize = 500;
    let pool = Pool::new();
    let before = resident();
    let met = Arc::new(Barrier::new(WORKERS));
    for _ in 0..WORKERS {
        let met = Arc::clone(&met);
        pool.run(move || {
            blocking(|| met.wait());
        });
    }
    pool.wait_idle();
    let after = resident();
    let workers = pool.usage().general.workers;
    let each = after.saturating_sub(before) as f64 / workers.max(1) as f64;
    Some(row("resident memory of an idle worker, of 500", each, "KiB", "below 100 KiB", 100.0))
}

/// Of the process, in KiB.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
