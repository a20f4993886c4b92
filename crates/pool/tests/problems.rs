//! Problems the design must survive, and faults of its model.

#![cfg(unix)]

use riverhawk_pool::{Event, LogLevel, Pool, PoolThresholds, blocking, channel, promise};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Inside {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Inside {
    fn during<T>(&self, body: impl FnOnce() -> T) -> T {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        let value = body();
        self.now.fetch_sub(1, Ordering::SeqCst);
        value
    }
}

fn spin(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::hint::spin_loop();
    }
}

#[test]
fn a_hundred_commands_one_after_the_other_use_one_worker_and_the_supervisor() {
    let pool = Pool::builder().cores(8).build();
    for round in 0..100 {
        let task = pool.spawn(move || {
            blocking(|| Command::new("echo").arg(round.to_string()).output().unwrap().stdout)
        });
        assert_eq!(task.wait().unwrap(), format!("{round}\n").into_bytes());
    }
    let usage = pool.usage();
    assert!(usage.workers() <= 2, "{usage:?}");
}

#[test]
fn sequential_short_tasks_use_one_worker_whatever_the_cores() {
    let workers = || {
        let pool = Pool::builder().cores(8).build();
        let until = Instant::now() + Duration::from_millis(300);
        while Instant::now() < until {
            pool.spawn(|| spin(Duration::from_micros(200))).wait().unwrap();
        }
        pool.usage().general.workers
    };
    // The queue is not always empty, as the worker may be about to rest, but it moves at every
    // tick; unless the machine is busy with something else, which it is not always.
    let fewest = (0..5).map(|_| workers()).find(|&workers| workers <= 2);
    assert!(fewest.is_some());
}

#[test]
fn timer_fires_within_10_ms_of_its_time_while_a_pipe_delivers_200_mb() {
    const MEGABYTES: usize = 200;
    let attempt = || {
        let pool = Pool::new();
        let (mut reader, mut writer) = std::io::pipe().unwrap();
        let written = pool.spawn(move || {
            let block = vec![b'x'; 1 << 20];
            (0..MEGABYTES).for_each(|_| blocking(|| writer.write_all(&block)).unwrap());
        });
        let read = pool.spawn(move || {
            let mut block = vec![0; 1 << 16];
            let mut total = 0;
            loop {
                match blocking(|| reader.read(&mut block)).unwrap() {
                    0 => return total,
                    count => total += count,
                }
            }
        });
        let (send, fired) = mpsc::channel();
        let start = Instant::now();
        let _timers: Vec<_> = (1..=20)
            .map(|number| {
                let (send, due) = (send.clone(), Duration::from_millis(number * 10));
                pool.after(due, move || send.send((due, start.elapsed())).unwrap())
            })
            .collect();
        drop(send);
        assert_eq!(read.wait().unwrap(), MEGABYTES << 20);
        written.wait().unwrap();
        let fired: Vec<_> = fired.iter().collect();
        assert_eq!(fired.len(), 20);
        assert!(fired.iter().all(|(due, at)| at >= due), "none is early: {fired:?}");
        fired.iter().map(|(due, at)| *at - *due).max().unwrap()
    };
    let latest = best_of(&attempt);
    assert!(latest < Duration::from_millis(10), "latest timer {latest:?}");
}

/// The minimum of up to ten attempts, or the first below 10 ms.
fn best_of(attempt: &dyn Fn() -> Duration) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..10 {
        best = best.min(attempt());
        if best < Duration::from_millis(10) {
            break;
        }
    }
    best
}

#[test]
fn two_hundred_tasks_blocked_on_one_that_comes_later_complete() {
    let pool = Pool::new();
    let (sender, receiver) = channel::<usize>(None);
    let blocked: Vec<_> = (0..200)
        .map(|_| {
            let receiver = receiver.clone();
            pool.spawn(move || receiver.receive().wait().unwrap())
        })
        .collect();
    let last = pool.spawn(move || (0..200).for_each(|n| sender.send(n).wait().unwrap()));
    let sum: usize = blocked.into_iter().map(|task| task.wait().unwrap()).sum();
    last.wait().unwrap();
    assert_eq!(sum, 199 * 200 / 2);
}

/// The pool does not know of these waits; it only sees that the process uses no CPU.
#[test]
fn two_hundred_tasks_in_undeclared_waits_complete_when_the_limit_allows_them() {
    let pool = Pool::builder().max_workers(220).build();
    let (reader, mut writer) = std::io::pipe().unwrap();
    let reader = Arc::new(reader);
    let blocked: Vec<_> = (0..200)
        .map(|_| {
            let reader = Arc::clone(&reader);
            pool.spawn(move || {
                let mut byte = [0];
                (&*reader).read_exact(&mut byte).unwrap();
                byte[0]
            })
        })
        .collect();
    let last = pool.spawn(move || writer.write_all(&[7; 200]).unwrap());
    assert!(blocked.into_iter().all(|task| task.wait().unwrap() == 7));
    last.wait().unwrap();
    // Other tests may use CPU at the same time; then the workers' state decides.
    let blocked = ["low utilisation", "no progress"];
    let found = |event: &Event| matches!(event, Event::TargetRaised(_, reason) if blocked.contains(&&*reason.to_string()));
    assert!(pool.log().iter().any(|entry| found(&entry.event)), "{:?}", pool.log());
}

/// Repeats until there were no more workers than cores: other processes can make a worker look
/// blocked.
fn stays_within_the_cores(work: impl Fn(&Pool) -> usize) {
    let mut seen = Vec::new();
    for _ in 0..8 {
        let pool = Pool::new();
        let most = work(&pool).max(pool.usage().general.workers);
        if most <= pool.cores() {
            return;
        }
        seen.push(most);
    }
    panic!("workers in eight attempts: {seen:?}");
}

#[test]
fn ten_times_as_many_computing_tasks_as_cores_never_use_more_workers_than_cores() {
    stays_within_the_cores(|pool| {
        let inside = Arc::new(Inside::default());
        for _ in 0..10 * pool.cores() {
            let inside = Arc::clone(&inside);
            pool.run(move || inside.during(|| spin(Duration::from_millis(100))));
        }
        pool.wait_idle();
        assert_eq!(pool.usage().general.completed, 10 * pool.cores() as u64);
        inside.most.load(Ordering::SeqCst)
    });
}

/// Seen: 200 tasks of 50 ms took the process from 2 to 37 threads.
#[test]
fn two_hundred_short_computing_tasks_stay_within_the_cores() {
    stays_within_the_cores(|pool| {
        for _ in 0..200 {
            pool.run(|| spin(Duration::from_millis(5)));
        }
        pool.wait_idle();
        0
    });
}

#[test]
fn default_limit_grows_with_the_cores() {
    let pool = Pool::builder().cores(32).build();
    assert_eq!(pool.hard_limit(), 256);
}

#[test]
fn five_hundred_awaits_complete_with_four_threads() {
    let pool = Pool::builder()
        .max_workers(4)
        .thresholds(PoolThresholds { blocked_limit: 0, ..PoolThresholds::default() })
        .build();
    let (resolvers, waiting): (Vec<_>, Vec<_>) = (0..500)
        .map(|_| {
            let (resolver, promise) = promise::<u64>();
            (resolver, pool.spawn_future(async move { promise.await.unwrap() }))
        })
        .unzip();
    let last =
        pool.spawn(move || (0..).zip(resolvers).for_each(|(n, resolver)| resolver.resolve(n)));
    let sum: u64 = waiting.into_iter().map(|task| task.wait().unwrap()).sum();
    last.wait().unwrap();
    assert_eq!(sum, 499 * 500 / 2);
    assert!(pool.usage().workers() <= 4, "{:?}", pool.usage());
}

#[test]
fn five_hundred_blocking_waits_complete_with_a_limit_of_four() {
    let pool = Pool::builder().max_workers(4).build();
    let (resolvers, waiting): (Vec<_>, Vec<_>) = (0..500)
        .map(|_| {
            let (resolver, promise) = promise::<u64>();
            (resolver, pool.spawn(move || promise.wait().unwrap()))
        })
        .unzip();
    let last =
        pool.spawn(move || (0..).zip(resolvers).for_each(|(n, resolver)| resolver.resolve(n)));
    let sum: u64 = waiting.into_iter().map(|task| task.wait().unwrap()).sum();
    last.wait().unwrap();
    assert_eq!(sum, 499 * 500 / 2);
}

/// Seen: the 62nd external command hung at the limit of 64. All run at once: each waits for the
/// last to start.
fn children_at_once(count: usize) {
    let pool = Pool::new();
    let all_started = Arc::new(Barrier::new(count));
    let children: Vec<_> = (0..count)
        .map(|number| {
            let all_started = Arc::clone(&all_started);
            pool.spawn(move || {
                blocking(|| {
                    let mut child = Command::new("cat")
                        .stdin(Stdio::piped())
                        .stdout(Stdio::piped())
                        .spawn()
                        .unwrap();
                    all_started.wait();
                    let text = number.to_string();
                    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
                    assert_eq!(child.wait_with_output().unwrap().stdout, text.into_bytes());
                });
            })
        })
        .collect();
    children.into_iter().for_each(|child| child.wait().unwrap());
}

#[test]
fn seventy_child_processes_at_once_complete() {
    children_at_once(70);
}

#[test]
fn five_hundred_child_processes_at_once_complete() {
    children_at_once(500);
}

#[test]
fn permits_of_a_deadlock_that_is_over_are_given_back() {
    let pool = Pool::new();
    let gate = Arc::new(AtomicBool::new(false));
    let tasks: Vec<_> = (0..10)
        .map(|_| {
            let gate = Arc::clone(&gate);
            pool.spawn(move || {
                while !gate.load(Ordering::SeqCst) {
                    thread::sleep(Duration::from_millis(1));
                }
            })
        })
        .collect();
    let opened = pool.spawn(move || gate.store(true, Ordering::SeqCst));
    opened.wait().unwrap();
    tasks.into_iter().for_each(|task| task.wait().unwrap());
    let permits = || {
        pool.log().iter().rev().find_map(|entry| match entry.event {
            Event::TargetLowered(target) | Event::TargetRaised(target, _) => Some(target),
            _ => None,
        })
    };
    eventually(|| permits().is_some_and(|target| target <= pool.cores()));
    let inside = Arc::new(Inside::default());
    for _ in 0..6 {
        let inside = Arc::clone(&inside);
        pool.run(move || inside.during(|| spin(Duration::from_millis(20))));
    }
    pool.wait_idle();
    assert!(inside.most.load(Ordering::SeqCst) <= pool.cores());
}

fn eventually(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60), "not within a minute");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn packets_of_one_source_are_handled_in_order_by_one_thread() {
    let pool = Pool::builder().cores(4).build();
    let source = pool.affinity();
    let seen = Arc::new(Mutex::new(Vec::new()));
    for packet in 0..1000 {
        let seen = Arc::clone(&seen);
        source.run(move || {
            seen.try_lock().expect("it is run alone").push((packet, thread::current().id()))
        });
    }
    pool.wait_idle();
    let seen = seen.lock().unwrap();
    assert!(seen.iter().enumerate().all(|(at, (packet, _))| at == *packet));
    assert!(seen.iter().all(|(_, thread)| *thread == seen[0].1));
}

/// Seen: a tight loop starved the timers.
#[test]
fn spinning_tasks_do_not_starve_timers() {
    let attempt = || {
        let pool = Pool::new();
        let stop = Arc::new(AtomicBool::new(false));
        for _ in 0..pool.cores() * 2 {
            let stop = Arc::clone(&stop);
            pool.run(move || {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        thread::sleep(Duration::from_millis(50));
        let (send, fired) = mpsc::channel();
        let start = Instant::now();
        pool.after(Duration::from_millis(50), move || send.send(start.elapsed()).unwrap());
        let late = fired.recv().unwrap() - Duration::from_millis(50);
        stop.store(true, Ordering::Relaxed);
        late
    };
    let late = best_of(&attempt);
    assert!(late < Duration::from_millis(10), "{late:?}");
}

/// Seen: a long callback held the only timer worker.
#[test]
fn timer_callback_that_spins_does_not_starve_other_timers() {
    let pool = Pool::new();
    let stop = Arc::new(AtomicBool::new(false));
    let spins = Arc::clone(&stop);
    pool.after(Duration::ZERO, move || {
        while !spins.load(Ordering::Relaxed) {
            std::hint::spin_loop();
        }
    });
    let (send, fired) = mpsc::channel();
    pool.after(Duration::from_millis(20), move || send.send(()).unwrap());
    fired.recv().unwrap();
    stop.store(true, Ordering::Relaxed);
    let late = |event: &Event| matches!(event, Event::WorkerStarted(_, reason, 2) if reason.to_string() == "late timer");
    assert!(pool.log().iter().any(|entry| late(&entry.event)));
}

/// Some tiny task always completes, so no worker was added until the queue's length counted.
#[test]
fn many_tiny_tasks_get_the_second_core() {
    let pool = Pool::builder().cores(2).build();
    let stop = AtomicBool::new(false);
    thread::scope(|threads| {
        threads.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                if pool.usage().general.queued < 10_000 {
                    for _ in 0..1000 {
                        pool.run(|| spin(Duration::from_micros(20)));
                    }
                } else {
                    thread::yield_now();
                }
            }
        });
        eventually(|| pool.usage().general.workers == 2);
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn pool_that_is_never_used_has_no_thread() {
    let pool = Pool::new();
    assert!(!pool.usage().supervisor);
    assert_eq!(pool.usage().workers(), 0);
    assert!(pool.log().is_empty());
}

#[test]
fn ticks_report_the_use_of_the_cores_that_the_clocks_say() {
    let ticks = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&ticks);
    let pool = Pool::builder()
        .observer(LogLevel::Ticks, move |entry| {
            if let Event::Tick(Some(share)) = entry.event {
                seen.lock().unwrap().push(share);
            }
        })
        .build();
    // More tasks than cores, so that work waits and every tick happens.
    for _ in 0..40 * pool.cores() {
        pool.run(|| spin(Duration::from_millis(5)));
    }
    pool.wait_idle();
    let ticks = ticks.lock().unwrap();
    assert!(!ticks.is_empty());
    assert!(ticks.iter().all(|share| share.is_finite() && *share < 1.5), "{ticks:?}");
    assert!(ticks.iter().any(|share| *share > 0.02), "the unit is right: {ticks:?}");
}

#[test]
fn a_wait_within_a_wait_counts_once() {
    let pool = Pool::new();
    let (resolver, promise) = promise::<()>();
    let nested = pool.spawn(|| blocking(|| blocking(|| promise.wait())));
    eventually(|| pool.usage().general.blocked == 1);
    drop(resolver);
    assert!(nested.wait().unwrap().is_err());
    assert_eq!(pool.usage().general.blocked, 0);
    let count = pool.spawn(|| riverhawk_pool::Handle::current().unwrap().usage().general.blocked);
    assert_eq!(count.wait().unwrap(), 0);
}

#[test]
fn tree_of_awaits_needs_one_thread() {
    fn fib(pool: riverhawk_pool::Handle, n: u64) -> riverhawk_pool::Task<u64> {
        pool.clone().spawn_future(async move {
            if n < 2 {
                return n;
            }
            let (one, two) = (fib(pool.clone(), n - 1), fib(pool, n - 2));
            one.await.unwrap() + two.await.unwrap()
        })
    }
    let pool = Pool::builder()
        .max_workers(1)
        .thresholds(PoolThresholds { blocked_limit: 0, ..PoolThresholds::default() })
        .build();
    assert_eq!(fib(pool.handle(), 15).wait().unwrap(), 610);
    assert_eq!(pool.usage().general.workers, 1);
}
