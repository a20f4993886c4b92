//! Shutdown, refused threads, deterministic mode.

use riverhawk_pool::{Event, Pool, Shutdown, ShutdownReport, TaskError, promise};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

fn counted(count: &Arc<AtomicUsize>) -> impl FnOnce() + Send + 'static {
    let count = Arc::clone(count);
    move || {
        count.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn dropping_the_pool_runs_everything_that_was_submitted() {
    let count = Arc::new(AtomicUsize::new(0));
    let pool = Pool::new();
    for _ in 0..1000 {
        pool.run(counted(&count));
        pool.timer_queue().run(counted(&count));
        let (handle, count) = (pool.handle(), Arc::clone(&count));
        pool.run(move || {
            let more = counted(&count);
            handle.run(more);
        });
    }
    let (source, serial) = (pool.affinity(), pool.serial());
    (0..100).for_each(|_| source.run(counted(&count)));
    (0..100).for_each(|_| serial.run(counted(&count)));
    let (handle, late) = (pool.handle(), counted(&count));
    let sleeper = pool.spawn_future(async move {
        handle.sleep(Duration::from_millis(30)).await;
        late();
    });
    drop(pool);
    assert_eq!(count.load(Ordering::SeqCst), 3201);
    sleeper.wait().unwrap();
}

#[test]
fn dropping_the_pool_loses_no_task_that_a_timer_wakes_meanwhile() {
    // Naps of several lengths, so that some end while the drain counts: one in a few hundred was
    // lost.
    for round in 0..300u64 {
        let count = Arc::new(AtomicUsize::new(0));
        let pool = Pool::new();
        for nap in 0..4 {
            let (handle, late) = (pool.handle(), counted(&count));
            drop(pool.spawn_future(async move {
                handle.sleep(Duration::from_micros(20 * nap + 7 * (round % 50))).await;
                late();
            }));
        }
        drop(pool);
        assert_eq!(count.load(Ordering::SeqCst), 4, "round {round}");
    }
}

#[test]
fn draining_cancels_and_tells_only_what_waits_for_the_outside() {
    let pool = Pool::new();
    let (resolver, promise) = promise::<()>();
    let waits = pool.spawn_future(promise);
    let works = pool.spawn(|| 1);
    let timer = pool.every(Duration::from_secs(3600), || ());
    while pool.usage().suspended == 0 {
        thread::yield_now();
    }
    let handle = pool.handle();
    assert_eq!(
        pool.shutdown(Shutdown::Drain).unwrap(),
        ShutdownReport { cancelled: 1, timers: 1, abandoned: 0 }
    );
    assert_eq!(works.wait().unwrap(), 1);
    assert!(matches!(waits.wait(), Err(TaskError::Cancelled)));
    assert!(!timer.is_active());
    assert!(matches!(handle.log().last().unwrap().event, Event::Cancelled(1)));
    assert_eq!(handle.usage().unfinished(), 0);
    resolver.resolve(());
}

#[test]
fn discarding_finishes_what_runs_and_cancels_the_rest() {
    let pool = Pool::builder().cores(1).build();
    let (started, starts) = mpsc::channel();
    let (open, gate) = mpsc::channel::<()>();
    let runs = pool.spawn(move || {
        started.send(()).unwrap();
        gate.recv().unwrap_err();
        "finished"
    });
    starts.recv().unwrap();
    let source = pool.affinity();
    source.spawn(|| ()).wait().unwrap();
    let count = Arc::new(AtomicUsize::new(0));
    let waiting: Vec<_> = (0..100).map(|_| pool.spawn(counted(&count))).collect();
    let asleep = {
        let handle = pool.handle();
        source.spawn_future(async move { handle.sleep(Duration::from_secs(3600)).await })
    };
    while pool.usage().suspended == 0 {
        thread::yield_now();
    }
    let handle = pool.handle();
    let opener = thread::spawn(move || {
        while handle.usage().cancelled < 101 {
            thread::yield_now();
        }
        drop(open);
    });
    assert_eq!(
        pool.shutdown(Shutdown::Discard).unwrap(),
        ShutdownReport { cancelled: 101, timers: 0, abandoned: 0 }
    );
    opener.join().unwrap();
    assert_eq!(runs.wait().unwrap(), "finished");
    assert!(waiting.into_iter().all(|task| matches!(task.wait(), Err(TaskError::Cancelled))));
    assert!(matches!(asleep.wait(), Err(TaskError::Cancelled)));
    assert_eq!(count.load(Ordering::SeqCst), 0);
}

#[test]
fn shutdown_by_an_own_task_is_refused_and_dropping_there_drains_later() {
    let pool = Pool::new();
    let handle = pool.handle();
    let count = Arc::new(AtomicUsize::new(0));
    let (mine, inner) = (Arc::clone(&count), pool.handle());
    let outcome = handle
        .spawn(move || {
            (0..100).for_each(|_| inner.run(counted(&mine)));
            pool.shutdown(Shutdown::Drain).unwrap_err().to_string()
        })
        .wait();
    // The refusal dropped the pool inside its task; the queue is drained nevertheless.
    assert_eq!(outcome.unwrap(), "a task cannot wait for the shutdown of its own pool");
    let start = Instant::now();
    while count.load(Ordering::SeqCst) < 100 {
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::yield_now();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn all_threads_are_gone_after_the_shutdown() {
    let pool = Pool::builder().name("gone").cores(4).build();
    (0..100).for_each(|_| pool.run(|| thread::sleep(Duration::from_micros(100))));
    pool.affinity().run(|| ());
    pool.timer_queue().run(|| ());
    let names = || {
        let tasks = std::fs::read_dir("/proc/self/task").unwrap();
        let name = |task: io::Result<std::fs::DirEntry>| {
            std::fs::read_to_string(task.ok()?.path().join("comm")).ok()
        };
        tasks.filter_map(name).filter(|name| name.starts_with("gone-")).count()
    };
    let start = Instant::now();
    while names() < 4 {
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::yield_now();
    }
    drop(pool);
    // The system wakes who waits for a thread a moment before it takes the thread off its list.
    let start = Instant::now();
    while names() > 0 {
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::yield_now();
    }
}

#[test]
fn pools_that_come_and_go_under_load_lose_nothing() {
    for round in 0..200 {
        let count = Arc::new(AtomicUsize::new(0));
        let pool = Pool::builder().cores(1 + round % 3).build();
        (0..50).for_each(|_| pool.run(counted(&count)));
        drop(pool);
        assert_eq!(count.load(Ordering::SeqCst), 50);
    }
}

#[test]
fn refused_threads_are_tried_again_after_a_second_and_no_work_is_lost() {
    let refuse = Arc::new(AtomicBool::new(true));
    let attempts = Arc::new(Mutex::new(Vec::new()));
    let (refuses, seen) = (Arc::clone(&refuse), Arc::clone(&attempts));
    let pool = Pool::builder()
        .thread_source(move |builder, body| {
            seen.lock().unwrap().push(Instant::now());
            if refuses.load(Ordering::SeqCst) {
                Err(io::ErrorKind::WouldBlock.into())
            } else {
                builder.spawn(body)
            }
        })
        .build();
    let start = Instant::now();
    let tasks: Vec<_> = (0..10).map(|n| pool.spawn(move || n)).collect();
    let source = pool.affinity();
    let ordered = source.spawn(|| 20);
    let (send, fired) = mpsc::channel();
    pool.after(Duration::from_millis(10), move || send.send(()).unwrap());
    assert_eq!(pool.usage().workers(), 0);
    let refused = |event: &Event| matches!(event, Event::ThreadRefused(..));
    assert!(pool.log().iter().any(|entry| refused(&entry.event)));
    let early = attempts.lock().unwrap().len();
    thread::sleep(Duration::from_millis(300));
    pool.run(|| ());
    assert_eq!(attempts.lock().unwrap().len(), early, "not tried before a second is over");
    refuse.store(false, Ordering::SeqCst);
    assert!(tasks.into_iter().map(|task| task.wait().unwrap()).eq(0..10));
    assert!(start.elapsed() >= Duration::from_millis(900));
    assert_eq!(ordered.wait().unwrap(), 20);
    fired.recv().unwrap();
    pool.wait_idle();
}

#[test]
fn pool_that_never_gets_a_thread_is_drained_by_who_drops_it() {
    let none =
        |_: thread::Builder, _: Box<dyn FnOnce() + Send>| Err(io::ErrorKind::WouldBlock.into());
    let pool = Pool::builder().thread_source(none).build();
    let count = Arc::new(AtomicUsize::new(0));
    pool.run(counted(&count));
    pool.affinity().run(counted(&count));
    pool.serial().run(counted(&count));
    pool.timer_queue().run(counted(&count));
    let (handle, late) = (pool.handle(), counted(&count));
    let sleeps = pool.spawn_future(async move {
        handle.sleep(Duration::from_millis(5)).await;
        late();
    });
    drop(pool);
    sleeps.wait().unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 5);
}

#[test]
fn refused_second_worker_is_tried_again_by_the_supervisor() {
    let count = Arc::new(AtomicUsize::new(0));
    let calls = Arc::clone(&count);
    let pool = Pool::builder()
        .cores(2)
        .thread_source(move |builder, body| match calls.fetch_add(1, Ordering::SeqCst) {
            2 => Err(io::ErrorKind::OutOfMemory.into()),
            _ => builder.spawn(body),
        })
        .build();
    let (first, met) = (mpsc::channel::<()>(), mpsc::channel::<()>());
    let waits = pool.spawn(move || first.1.recv().unwrap());
    let wakes = pool.spawn(move || {
        first.0.send(()).unwrap();
        met.0.send(()).unwrap();
    });
    met.1.recv().unwrap();
    waits.wait().unwrap();
    wakes.wait().unwrap();
    assert_eq!(count.load(Ordering::SeqCst), 4, "worker, supervisor, refused worker, worker");
}

fn order_of(seed: u64) -> Vec<usize> {
    let pool = Pool::builder().deterministic(seed).build();
    let order = Arc::new(Mutex::new(Vec::new()));
    let note = |number| {
        let order = Arc::clone(&order);
        move || order.lock().unwrap().push(number)
    };
    let source = pool.affinity();
    for number in 0..10 {
        pool.run(note(number));
        source.run(note(100 + number));
        let (handle, late) = (pool.handle(), note(200 + number));
        let _task = pool.spawn_future(async move {
            handle.sleep(Duration::from_secs(number as u64 % 3)).await;
            late();
        });
    }
    for seconds in 1..4 {
        pool.after(Duration::from_secs(seconds), note(300));
    }
    pool.run_until_idle();
    assert_eq!(pool.usage().unfinished(), 0);
    assert_eq!(pool.usage().workers(), 0);
    drop(pool);
    let order = order.lock().unwrap();
    order.clone()
}

#[test]
fn same_seed_gives_the_same_order_and_another_seed_another() {
    let first = order_of(7);
    assert_eq!(first.len(), 33);
    assert_eq!(first, order_of(7));
    assert_ne!(first, order_of(8));
    let ordered: Vec<_> = first.iter().filter(|number| (100..200).contains(*number)).collect();
    assert!(ordered.is_sorted(), "an affinity queue keeps its order: {first:?}");
}

#[test]
fn deterministic_pool_runs_tasks_while_its_owner_waits_also_within_tasks() {
    let pool = Pool::builder().deterministic(3).build();
    let (resolver, answer) = promise();
    let handle = pool.handle();
    let outer = pool.spawn(move || {
        let inner = handle.spawn(|| 20);
        inner.wait().unwrap() + answer.wait().unwrap()
    });
    pool.run(move || resolver.resolve(22));
    assert_eq!(outer.wait().unwrap(), 42);
    let squares = pool.map_chunks(&[1, 2, 3, 4], 1, |chunk| chunk[0] * chunk[0]);
    assert_eq!(squares, [1, 4, 9, 16]);
    pool.wait_idle();
}

#[test]
fn deterministic_pool_drains_when_dropped() {
    let count = Arc::new(AtomicUsize::new(0));
    let pool = Pool::builder().deterministic(3).build();
    (0..10).for_each(|_| pool.run(counted(&count)));
    drop(pool);
    assert_eq!(count.load(Ordering::SeqCst), 10);
}

fn stuck(pool: &Pool) -> (mpsc::Sender<()>, riverhawk_pool::Task<()>) {
    let ((started, has_started), (release, held)) = (mpsc::channel(), mpsc::channel::<()>());
    let task = pool.spawn(move || {
        started.send(()).unwrap();
        let _ = held.recv();
    });
    has_started.recv().unwrap();
    (release, task)
}

#[test]
fn an_abandoned_task_is_not_waited_for_and_keeps_its_result() {
    let pool = Pool::builder().cores(1).build();
    let (release, task) = stuck(&pool);
    let never: Vec<_> = (0..50).map(|_| pool.spawn(|| ())).collect();
    let ended = pool.shutdown(Shutdown::Abandon).unwrap();
    assert_eq!(ended, ShutdownReport { cancelled: 50, timers: 0, abandoned: 1 });
    for task in never {
        assert!(matches!(task.wait(), Err(TaskError::Cancelled)));
    }
    assert!(!task.is_finished());
    drop(release);
    task.wait().unwrap();
}

#[test]
fn what_an_abandoned_task_still_submits_or_awaits_is_refused() {
    let pool = Pool::builder().cores(2).build();
    pool.reserve(2);
    let handle = pool.handle();
    let ((started, has_started), (release, held)) = (mpsc::channel(), mpsc::channel::<()>());
    let task = pool.spawn(move || {
        started.send(()).unwrap();
        let _ = held.recv();
        handle.spawn(|| ()).wait()
    });
    // In the middle of its turn: it would suspend afterwards, and never be woken.
    let (resolver, promise) = promise::<()>();
    let ((started, future_started), (go, gone)) = (mpsc::channel(), mpsc::channel::<()>());
    let future = pool.spawn_future(async move {
        started.send(()).unwrap();
        let _ = gone.recv();
        let _ = promise.await;
    });
    has_started.recv().unwrap();
    future_started.recv().unwrap();
    assert_eq!(pool.shutdown(Shutdown::Abandon).unwrap().abandoned, 2);
    drop((release, go));
    assert!(matches!(task.wait().unwrap(), Err(TaskError::Cancelled)));
    assert!(matches!(future.wait(), Err(TaskError::Cancelled)));
    drop(resolver);
}

#[test]
fn workers_that_rest_end_with_an_abandoned_pool() {
    let pool = Pool::new();
    pool.reserve(4);
    let met = Arc::new(std::sync::Barrier::new(4));
    for _ in 0..4 {
        let met = Arc::clone(&met);
        pool.run(move || {
            met.wait();
        });
    }
    pool.wait_idle();
    let handle = pool.handle();
    while handle.usage().general.workers < 4 || handle.usage().general.idle < 4 {
        thread::yield_now();
    }
    assert_eq!(pool.shutdown(Shutdown::Abandon).unwrap(), ShutdownReport::default());
    while handle.usage().general.workers > 0 {
        thread::yield_now();
    }
}
