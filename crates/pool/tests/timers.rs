//! Timers.

use riverhawk_pool::{Event, Pool};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// Its clock only moves when nothing is left to do: exact times, no waiting.
fn exact() -> Pool {
    Pool::builder().deterministic(1).build()
}

fn counter() -> (Arc<AtomicUsize>, impl FnMut() + Send + 'static) {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    (count, move || {
        counted.fetch_add(1, Ordering::SeqCst);
    })
}

#[test]
fn nothing_runs_early_and_the_earlier_runs_first() {
    let pool = Pool::new();
    let (send, fired) = mpsc::channel();
    let start = Instant::now();
    for (name, ms) in [("second", 40), ("first", 20), ("third", 60)] {
        let send = send.clone();
        let time = Duration::from_millis(ms);
        pool.after(time, move || send.send((name, time, start.elapsed())).unwrap());
    }
    drop(send);
    let fired: Vec<_> = fired.iter().collect();
    assert!(fired.iter().map(|(name, ..)| *name).eq(["first", "second", "third"]), "{fired:?}");
    assert!(fired.iter().all(|(_, time, at)| at >= time), "{fired:?}");
}

#[test]
fn what_is_further_away_than_the_clock_goes_never_fires() {
    let pool = exact();
    let (count, callback) = counter();
    let timer = pool.after(Duration::MAX, callback);
    assert!(!timer.is_active() && !timer.cancel());
    assert_eq!((pool.run_until_idle(), count.load(Ordering::SeqCst)), (0, 0));
}

#[test]
fn every_tenth_of_a_second_runs_six_to_fourteen_times_in_a_second() {
    // Retries if the machine stalled this process.
    for attempt in 1.. {
        let pool = Pool::new();
        let (count, callback) = counter();
        let timer = pool.every(Duration::from_millis(100), callback);
        let start = Instant::now();
        std::thread::sleep(Duration::from_secs(1));
        assert!(timer.cancel());
        let (runs, elapsed) = (count.load(Ordering::SeqCst), start.elapsed());
        pool.wait_idle();
        let then = count.load(Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(250));
        assert_eq!(count.load(Ordering::SeqCst), then, "nothing after the cancellation");
        assert!(runs as f64 <= elapsed.as_secs_f64() * 10.0 + 1.0, "{runs} in {elapsed:?}");
        if (6..=14).contains(&runs) {
            break;
        }
        assert!(attempt < 20, "{runs} in {elapsed:?}");
    }
}

#[test]
fn interval_of_a_tenth_fires_at_exactly_the_tenths() {
    let pool = exact();
    let clock = pool.handle();
    let at = Arc::new(Mutex::new(Vec::new()));
    let (seen, start) = (Arc::clone(&at), Instant::now());
    let sleeper = pool.spawn_future({
        let clock = clock.clone();
        async move {
            for _ in 0..3 {
                clock.sleep(Duration::from_millis(100)).await;
                seen.lock().unwrap().push("sleeper");
            }
        }
    });
    let seen = Arc::clone(&at);
    let timer = pool.after(Duration::from_millis(50), move || {
        let again = Arc::clone(&seen);
        seen.lock().unwrap().push("timer");
        let tick = move || again.lock().unwrap().push("timer");
        clock.every(Duration::from_millis(100), tick);
    });
    sleeper.wait().unwrap();
    assert!(!timer.cancel(), "it has fired");
    assert_eq!(*at.lock().unwrap(), ["timer", "sleeper", "timer", "sleeper", "timer", "sleeper"]);
    assert!(start.elapsed() < Duration::from_secs(5), "virtual time does not pass");
}

#[test]
fn interval_below_a_millisecond_is_a_millisecond_and_the_log_says_so() {
    let pool = exact();
    let (clock, start) = (pool.handle(), Instant::now());
    let (count, callback) = counter();
    let timer = pool.every(Duration::ZERO, callback);
    pool.block_on(clock.sleep(Duration::from_micros(5500)));
    assert!(timer.cancel());
    assert_eq!(count.load(Ordering::SeqCst), 5);
    let raised = |event: &Event| matches!(event, Event::IntervalRaised(Duration::ZERO));
    assert!(pool.log().iter().any(|entry| raised(&entry.event)));
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_panic_is_counted_and_logged_and_the_timer_goes_on() {
    let pool = Pool::new();
    let timer = pool.every(Duration::from_millis(1), || panic!("on purpose"));
    while pool.usage().timer.completed < 2 {
        std::thread::yield_now();
    }
    timer.cancel();
    assert!(pool.usage().panicked >= 2);
    let said = |event: &Event| matches!(event, Event::Panicked(text) if text == "on purpose");
    assert!(pool.log().iter().filter(|entry| said(&entry.event)).count() >= 2);
}

#[test]
fn cancelled_timer_does_not_fire_and_can_be_cancelled_from_its_own_callback() {
    let pool = exact();
    let (count, callback) = counter();
    let timer = pool.every(Duration::from_millis(10), callback);
    assert!(timer.cancel());
    assert!(!timer.cancel());
    pool.run_until_idle();
    assert_eq!(count.load(Ordering::SeqCst), 0);

    let own = Arc::new(Mutex::new(None::<riverhawk_pool::Timer>));
    let (mine, (count, mut callback)) = (Arc::clone(&own), counter());
    let timer = pool.every(Duration::from_millis(10), move || {
        callback();
        assert!(mine.lock().unwrap().as_ref().unwrap().cancel());
    });
    *own.lock().unwrap() = Some(timer);
    pool.run_until_idle();
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[test]
fn callback_is_dropped_when_the_timer_is_over_or_cancelled() {
    let pool = exact();
    let held = Arc::new(());
    let hold = || {
        let held = Arc::clone(&held);
        move || assert!(Arc::strong_count(&held) > 1)
    };
    let over = pool.after(Duration::ZERO, hold());
    let never = pool.after(Duration::MAX, hold());
    let cancelled = pool.every(Duration::from_secs(1), hold());
    assert!(cancelled.cancel());
    pool.run_until_idle();
    assert_eq!(Arc::strong_count(&held), 1);
    drop((over, never, cancelled));
}

#[test]
fn slow_callback_never_runs_twice_at_once_and_skips_what_it_missed() {
    let pool = Pool::new();
    let runs = Arc::new(Mutex::new(0));
    let mine = Arc::clone(&runs);
    let timer = pool.every(Duration::from_millis(5), move || {
        let mut runs = mine.try_lock().expect("alone");
        *runs += 1;
        std::thread::sleep(Duration::from_millis(25));
    });
    std::thread::sleep(Duration::from_millis(300));
    timer.cancel();
    pool.wait_idle();
    let runs = *runs.lock().unwrap();
    assert!((1..=12).contains(&runs), "{runs}");
}

#[test]
fn hundred_sleeping_tasks_wake_in_the_order_of_their_times() {
    let pool = exact();
    let order = Arc::new(Mutex::new(Vec::new()));
    for number in (0..100_u64).rev() {
        let (handle, order) = (pool.handle(), Arc::clone(&order));
        let _task = pool.spawn_future(async move {
            handle.sleep(Duration::from_millis(number)).await;
            order.lock().unwrap().push(number);
        });
    }
    pool.run_until_idle();
    let order = order.lock().unwrap();
    assert!(order.is_sorted() && order.len() == 100, "{order:?}");
}

#[test]
fn sleep_that_is_dropped_leaves_nothing_behind() {
    let pool = exact();
    let handle = pool.handle();
    let task = pool.spawn_future(async move {
        let mut sleep = Box::pin(handle.sleep(Duration::from_secs(3600)));
        let first = std::future::poll_fn(|context| {
            std::task::Poll::Ready(sleep.as_mut().poll(context).is_pending())
        });
        first.await
    });
    assert!(task.wait().unwrap());
    assert_eq!(pool.run_until_idle(), 0, "no deadline is left");
}

#[test]
fn time_sensitive_tasks_do_not_wait_behind_general_ones() {
    let pool = Pool::new();
    let (open, gate) = mpsc::channel::<()>();
    let gate = Arc::new(Mutex::new(gate));
    for _ in 0..4 * pool.cores() {
        let gate = Arc::clone(&gate);
        pool.run(move || assert!(gate.lock().unwrap().recv().is_err()));
    }
    assert_eq!(pool.timer_queue().spawn(|| "at once").wait().unwrap(), "at once");
    drop(open);
}
