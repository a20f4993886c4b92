//! Parallel work on borrowed data.

use riverhawk_pool::{Pool, PoolThresholds, channel, promise};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Checks under every kind of pool.
fn everywhere(check: impl Fn(&Pool)) {
    check(&Pool::builder().cores(1).build());
    check(&Pool::builder().cores(4).build());
    check(
        &Pool::builder()
            .max_workers(1)
            .thresholds(PoolThresholds { blocked_limit: 0, ..PoolThresholds::default() })
            .build(),
    );
    check(&Pool::builder().deterministic(5).build());
    let none = |_: thread::Builder, _: Box<dyn FnOnce() + Send>| {
        Err(std::io::ErrorKind::WouldBlock.into())
    };
    check(&Pool::builder().thread_source(none).build());
}

#[test]
fn chunks_cover_the_slice_once_and_results_are_in_order() {
    everywhere(|pool| {
        let numbers: Vec<u32> = (0..1000).collect();
        for size in [0, 1, 7, 500, 999, 1000, 5000] {
            let starts = pool.map_chunks(&numbers, size, |chunk| (chunk[0], chunk.len()));
            let expected: Vec<_> =
                numbers.chunks(size.max(1)).map(|chunk| (chunk[0], chunk.len())).collect();
            assert_eq!(starts, expected, "chunks of {size}");
        }
        assert!(pool.map_chunks(&[0; 0], 3, |_| ()).is_empty());
        let mut numbers = numbers;
        pool.for_each_chunk_mut(&mut numbers, 13, |number, chunk| {
            assert_eq!(chunk[0] as usize, number * 13);
            chunk.iter_mut().for_each(|element| *element *= 2);
        });
        assert!(numbers.iter().copied().eq((0..2000).step_by(2)));
        let sum = AtomicUsize::new(0);
        pool.for_each(&numbers, |element| _ = sum.fetch_add(*element as usize, Ordering::Relaxed));
        assert_eq!(sum.into_inner(), 999_000);
    });
}

#[test]
fn very_many_small_chunks_are_each_visited_once_with_their_number() {
    everywhere(|pool| {
        let mut numbers = vec![0_usize; 20_011];
        pool.for_each_chunk_mut(&mut numbers, 2, |number, chunk| {
            chunk.iter_mut().for_each(|n| *n += number + 1)
        });
        assert!(numbers.iter().enumerate().all(|(at, &number)| number == at / 2 + 1));
        let wrong = AtomicUsize::new(0);
        pool.for_each_chunk(&numbers, 2, |number, chunk| {
            wrong.fetch_add(usize::from(chunk[0] != number + 1), Ordering::Relaxed);
        });
        assert_eq!(wrong.into_inner(), 0);
    });
}

#[test]
fn closures_spawn_closures_and_all_are_finished_when_the_scope_returns() {
    everywhere(|pool| {
        let count = AtomicUsize::new(0);
        let value = pool.scope(|scope| {
            for _ in 0..10 {
                let count = &count;
                scope.spawn(move || {
                    for _ in 0..10 {
                        scope.spawn(move || _ = count.fetch_add(1, Ordering::SeqCst));
                    }
                });
            }
            "value"
        });
        assert_eq!((value, count.into_inner()), ("value", 100));
    });
}

#[test]
fn scopes_within_tasks_within_scopes_complete() {
    everywhere(|pool| {
        let outer: Vec<u32> = (0..20).collect();
        let sums = pool.map_chunks(&outer, 1, |chunk| {
            let inner: Vec<u32> = (0..100).map(|n| n * chunk[0]).collect();
            pool.map_chunks(&inner, 9, |chunk| chunk.iter().sum::<u32>()).into_iter().sum::<u32>()
        });
        assert!(sums.into_iter().eq((0..20).map(|n| n * 4950)));
    });
}

#[test]
fn panic_goes_on_in_the_caller_after_the_others_are_finished() {
    everywhere(|pool| {
        let finished = AtomicUsize::new(0);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            pool.scope(|scope| {
                for number in 0..20 {
                    let finished = &finished;
                    scope.spawn(move || {
                        assert_ne!(number, 7, "on purpose");
                        finished.fetch_add(1, Ordering::SeqCst);
                    });
                }
            });
        }));
        assert!(outcome.is_err());
        assert_eq!(finished.into_inner(), 19);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            pool.map_chunks(&[1, 2, 3], 1, |chunk| assert_ne!(chunk[0], 2))
        }));
        assert!(outcome.is_err());
        let after = AtomicBool::new(false);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            pool.scope(|scope| {
                scope.spawn(|| after.store(true, Ordering::SeqCst));
                panic!("of the body");
            })
        }));
        assert_eq!(outcome.unwrap_err().downcast_ref::<&str>(), Some(&"of the body"));
        assert!(after.into_inner());
    });
}

#[test]
fn parallel_iteration_uses_all_cores_at_once() {
    let pool = Pool::builder().cores(4).build();
    let met = Barrier::new(4);
    let threads = Mutex::new(HashSet::new());
    pool.for_each_chunk(&[0; 4], 1, |_, _| {
        met.wait();
        threads.lock().unwrap().insert(thread::current().id());
    });
    assert_eq!(threads.into_inner().unwrap().len(), 4);
}

/// One waits for the other on one core: a permit must move.
#[test]
fn closures_of_one_scope_may_wait_for_each_other_on_one_core() {
    let pool = Pool::builder().cores(1).build();
    for _ in 0..20 {
        let (sender, receiver) = channel::<u8>(Some(1));
        let (resolver, promise) = promise();
        pool.scope(|scope| {
            scope.spawn(move || {
                promise.wait().unwrap();
                (0..10).for_each(|n| sender.send(n).wait().unwrap());
            });
            scope.spawn(move || {
                resolver.resolve(());
                (0..10).for_each(|n| assert_eq!(receiver.receive().wait(), Some(n)));
            });
        });
    }
}

#[test]
fn long_scope_lets_other_tasks_in() {
    let pool = Pool::builder().cores(1).build();
    let stop = Arc::new(AtomicBool::new(false));
    let stops = Arc::clone(&stop);
    let handle = pool.handle();
    // One permit, which the scope's owner has as a worker and must give up.
    let start = Instant::now();
    let owner = pool.spawn(move || {
        handle.scope(|scope| {
            while !stops.load(Ordering::SeqCst) {
                assert!(start.elapsed() < Duration::from_secs(60), "the other task never ran");
                scope.spawn(|| ());
                riverhawk_pool::blocking(thread::yield_now);
            }
        });
    });
    pool.spawn(move || stop.store(true, Ordering::SeqCst)).wait().unwrap();
    owner.wait().unwrap();
}

#[test]
fn borrowed_data_may_be_dropped_right_after_the_scope() {
    let pool = Pool::builder().cores(4).build();
    for round in 0..2000_usize {
        let numbers = vec![round; 64];
        let sum = AtomicUsize::new(0);
        pool.scope(|scope| {
            for part in numbers.chunks(4) {
                let sum = &sum;
                scope.spawn(move || _ = sum.fetch_add(part.iter().sum(), Ordering::Relaxed));
            }
        });
        assert_eq!(sum.into_inner(), round * 64);
    }
}
