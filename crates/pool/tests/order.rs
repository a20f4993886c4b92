//! Affinity and serial queues.

use riverhawk_pool::{Event, Pool, promise};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

fn eventually(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(60), "not within a minute");
        thread::sleep(Duration::from_millis(1));
    }
}

/// The stuck item waits for one after it on the same queue.
#[test]
fn item_that_waits_for_a_later_one_of_its_queue_is_rescued_one_item_per_tick() {
    let pool = Pool::new();
    let source = pool.affinity();
    let (resolver, promise) = promise();
    let stuck = source.spawn(move || promise.wait().unwrap());
    let started = Arc::new(Mutex::new(Vec::new()));
    for number in 0..5 {
        let started = Arc::clone(&started);
        source.run(move || started.lock().unwrap().push((number, Instant::now())));
    }
    source.run(move || resolver.resolve("rescued"));
    assert_eq!(stuck.wait().unwrap(), "rescued");
    pool.wait_idle();
    let moved = pool.log().iter().filter(|entry| matches!(entry.event, Event::ItemMoved)).count();
    assert_eq!(moved, 6);
    let moves: Vec<Duration> = pool
        .log()
        .iter()
        .filter(|entry| matches!(entry.event, Event::ItemMoved))
        .map(|entry| entry.at)
        .collect();
    assert!(
        moves.windows(2).all(|pair| pair[1] - pair[0] >= Duration::from_millis(9)),
        "one per tick: {moves:?}"
    );
    let started = started.lock().unwrap();
    assert!(started.iter().map(|(number, _)| *number).eq(0..5), "the oldest first: {started:?}");
    let usage = pool.usage();
    assert_eq!(
        (usage.affinity.submitted, usage.affinity.completed, usage.general.completed),
        (7, 1, 6)
    );
}

#[test]
fn ladder_starts_a_second_worker_when_more_than_one_item_waits() {
    let pool = Pool::new();
    let first = pool.affinity();
    let stop = Arc::new(AtomicBool::new(false));
    let held = Arc::clone(&stop);
    let busy = first.spawn(move || {
        while !held.load(Ordering::SeqCst) {
            thread::yield_now();
        }
    });
    eventually(|| pool.usage().affinity.queued == 0 && pool.usage().affinity.idle == 0);
    assert!(pool.affinity().shares_worker_with(&first), "nothing waits: shared");
    let waiting: Vec<_> = (0..2).map(|_| first.spawn(|| ())).collect();
    // The supervisor moves the two after 0.1 s; the ladder sees them before.
    let second = pool.affinity();
    assert!(!second.shares_worker_with(&first) || pool.usage().affinity.queued < 2);
    stop.store(true, Ordering::SeqCst);
    busy.wait().unwrap();
    waiting.into_iter().for_each(|task| task.wait().unwrap());
}

#[test]
fn idle_worker_is_given_to_every_new_source() {
    let pool = Pool::new();
    let sources: Vec<_> = (0..10).map(|_| pool.affinity()).collect();
    assert!(sources.iter().all(|source| source.shares_worker_with(&sources[0])));
    assert_eq!(pool.usage().affinity.workers, 1);
}

#[test]
fn serial_source_keeps_its_order_though_its_worker_is_stuck_in_another() {
    let pool = Pool::new();
    let stuck = pool.affinity();
    let (resolver, promise) = promise();
    let waits = stuck.spawn(move || promise.wait());
    eventually(|| pool.usage().affinity.blocked == 1);
    let serial = pool.serial();
    let order = Arc::new(Mutex::new(Vec::new()));
    let inside = Arc::new(AtomicUsize::new(0));
    for number in 0..20 {
        let (order, inside) = (Arc::clone(&order), Arc::clone(&inside));
        serial.run(move || {
            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "one at a time");
            order.lock().unwrap().push(number);
            inside.fetch_sub(1, Ordering::SeqCst);
        });
    }
    serial.spawn(|| ()).wait().unwrap();
    assert!(order.lock().unwrap().iter().copied().eq(0..20));
    assert_eq!(pool.usage().panicked, 0);
    resolver.resolve(());
    waits.wait().unwrap().unwrap();
}

#[test]
fn serial_sources_on_all_threads_lose_and_swap_nothing() {
    let pool = Pool::new();
    let sources: Vec<_> =
        (0..8).map(|_| (pool.serial(), Arc::new(Mutex::new(Vec::new())))).collect();
    thread::scope(|threads| {
        for (serial, seen) in &sources {
            threads.spawn(move || {
                for number in 0..1000 {
                    let seen = Arc::clone(seen);
                    serial.run(move || seen.try_lock().expect("one at a time").push(number));
                }
            });
        }
    });
    pool.wait_idle();
    assert!(sources.iter().all(|(_, seen)| seen.lock().unwrap().iter().copied().eq(0..1000)));
}

#[test]
fn serial_source_alone_needs_no_supervisor() {
    let pool = Pool::builder().stuck_after(None).build();
    let serial = pool.serial();
    for _ in 0..2000 {
        // The second may wait for the first, and both may come before the last turn is over.
        serial.run(|| ());
        let (resolver, promise) = promise();
        serial.run(move || resolver.resolve(()));
        promise.wait().unwrap();
    }
    pool.wait_idle();
    let usage = pool.usage();
    assert_eq!((usage.supervisor, usage.affinity.workers, usage.general.workers), (false, 1, 0));
}

#[test]
fn item_that_waits_for_an_earlier_one_has_a_supervisor() {
    let pool = Pool::builder().stuck_after(None).build();
    let source = pool.affinity();
    let started = Instant::now();
    // All are there before the first begins, or at least one comes while it runs.
    source.run(move || while started.elapsed() < Duration::from_millis(20) {});
    source.run(|| ());
    pool.wait_idle();
    assert!(pool.usage().supervisor);
}

#[test]
fn panic_in_a_serial_or_affinity_item_does_not_stop_the_next() {
    let pool = Pool::new();
    let (serial, affinity) = (pool.serial(), pool.affinity());
    serial.run(|| panic!("on purpose"));
    affinity.run(|| panic!("on purpose"));
    assert!(serial.spawn(|| -> u8 { panic!("on purpose") }).wait().is_err());
    assert_eq!(serial.spawn(|| 1).wait().unwrap() + affinity.spawn(|| 2).wait().unwrap(), 3);
    pool.wait_idle();
    assert_eq!(pool.usage().panicked, 2);
}

#[test]
fn future_on_an_affinity_queue_comes_back_to_its_thread() {
    let pool = Pool::new();
    let source = pool.affinity();
    let home = source.spawn(|| thread::current().id()).wait().unwrap();
    let handle = pool.handle();
    let threads = source.spawn_future(async move {
        let mut threads = Vec::new();
        for _ in 0..5 {
            handle.sleep(Duration::from_millis(1)).await;
            threads.push(thread::current().id());
        }
        threads
    });
    assert!(threads.wait().unwrap().iter().all(|thread| *thread == home));
}
