//! Timers: when they fire, how often, and what zero, negative, infinite and not-a-number seconds
//! mean.

use riverhawk_pool::{Error, Event, Pool, Schedule};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A pool whose clock only moves when nothing is left to do: exact times, no waiting.
fn exact() -> Pool {
    Pool::builder().deterministic(1).build().unwrap()
}

fn counter() -> (Arc<AtomicUsize>, impl FnMut() + Send + 'static) {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    (count, move || {
        counted.fetch_add(1, Ordering::SeqCst);
    })
}

fn epoch() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64()
}

#[test]
fn nothing_runs_early_and_the_earlier_runs_first() {
    let pool = Pool::new();
    let (send, fired) = mpsc::channel();
    let start = Instant::now();
    for (name, seconds) in [("second", 0.04), ("first", 0.02), ("third", 0.06)] {
        let send = send.clone();
        pool.after(seconds, move || send.send((name, seconds, start.elapsed())).unwrap()).unwrap();
    }
    drop(send);
    let fired: Vec<_> = fired.iter().collect();
    assert!(fired.iter().map(|(name, ..)| *name).eq(["first", "second", "third"]), "{fired:?}");
    assert!(fired.iter().all(|(_, seconds, at)| at.as_secs_f64() >= *seconds), "{fired:?}");
}

#[test]
fn zero_negative_and_past_are_now_and_infinity_is_never() {
    let rows = [(0.0, 1), (-5.0, 1), (f64::NEG_INFINITY, 1), (f64::INFINITY, 0), (1e300, 0)];
    for (seconds, runs) in rows {
        let pool = exact();
        let (count, callback) = counter();
        let timer = Schedule::new().after(seconds).start(&pool, callback).unwrap();
        assert_eq!(timer.is_active(), runs > 0, "after {seconds}");
        pool.run_until_idle();
        assert_eq!(count.load(Ordering::SeqCst), runs, "after {seconds}");
        assert!(!timer.cancel(), "after {seconds}: over, or empty from the start");
    }
    for (at, runs) in [
        (0.0, 1),
        (epoch() - 10.0, 1),
        (f64::NEG_INFINITY, 1),
        (f64::INFINITY, 0),
        (epoch() + 60.0, 1),
    ] {
        let pool = exact();
        let (count, callback) = counter();
        let _timer = Schedule::new().at(at).start(&pool, callback).unwrap();
        pool.run_until_idle();
        assert_eq!(count.load(Ordering::SeqCst), runs, "at {at}");
    }
}

#[test]
fn not_a_number_is_an_error_that_names_the_setting() {
    let pool = exact();
    let refused =
        |schedule: Schedule| schedule.start(&pool, || ()).map(|_| ()).unwrap_err().to_string();
    assert_eq!(refused(Schedule::new().after(f64::NAN)), "'after' of a timer is not a number");
    assert_eq!(refused(Schedule::new().at(f64::NAN)), "'at' of a timer is not a number");
    assert_eq!(refused(Schedule::new().every(f64::NAN)), "'every' of a timer is not a number");
    assert!(matches!(pool.after(f64::NAN, || ()), Err(Error::NotANumber("after"))));
}

#[test]
fn after_and_at_together_are_an_error() {
    let result = Schedule::new().after(1.0).at(1.0).start(&exact(), || ());
    assert!(matches!(result, Err(Error::TwoStarts)));
}

#[test]
fn times_are_exact_with_and_without_an_interval() {
    for (times, every) in [(10, Some(0.1)), (10, None), (1, Some(0.1)), (0, None), (0, Some(0.1))] {
        let pool = exact();
        let (count, callback) = counter();
        let mut schedule = Schedule::new().times(times);
        if let Some(every) = every {
            schedule = schedule.every(every);
        }
        let timer = schedule.start(&pool, callback).unwrap();
        pool.run_until_idle();
        assert_eq!(count.load(Ordering::SeqCst) as u64, times, "{times} times, every {every:?}");
        assert!(!timer.is_active());
    }
}

#[test]
fn every_tenth_of_a_second_runs_six_to_fourteen_times_in_a_second() {
    let pool = Pool::new();
    let (count, callback) = counter();
    let timer = pool.every(0.1, callback).unwrap();
    std::thread::sleep(Duration::from_millis(1000));
    assert!(timer.cancel());
    let runs = count.load(Ordering::SeqCst);
    // Fewer only if the machine did not let this process run for most of the second.
    assert!((1..=14).contains(&runs), "{runs}");
    pool.wait_idle();
    let then = count.load(Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(250));
    assert_eq!(count.load(Ordering::SeqCst), then, "nothing after the cancellation");
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
    let _timer = Schedule::new()
        .after(0.05)
        .every(0.1)
        .times(3)
        .start(&pool, move || seen.lock().unwrap().push("timer"));
    sleeper.wait().unwrap();
    assert_eq!(*at.lock().unwrap(), ["timer", "sleeper", "timer", "sleeper", "timer", "sleeper"]);
    assert!(start.elapsed() < Duration::from_secs(5), "virtual time does not pass");
}

#[test]
fn interval_below_a_millisecond_is_a_millisecond_and_the_log_says_so() {
    for every in [0.0, -1.0, 0.000_1, f64::NEG_INFINITY] {
        let pool = exact();
        let (count, callback) = counter();
        let _timer = Schedule::new().every(every).times(5).start(&pool, callback).unwrap();
        pool.run_until_idle();
        assert_eq!(count.load(Ordering::SeqCst), 5);
        let raised =
            |event: &Event| matches!(event, Event::IntervalRaised(asked) if *asked == every);
        assert!(pool.log().iter().any(|entry| raised(&entry.event)), "{every}");
    }
    let pool = exact();
    let (count, callback) = counter();
    let _timer = Schedule::new().every(f64::INFINITY).start(&pool, callback).unwrap();
    pool.run_until_idle();
    assert_eq!(count.load(Ordering::SeqCst), 1, "once and never again");
    assert!(pool.log().is_empty());
}

#[test]
fn stop_condition_ends_the_schedule_before_the_firing() {
    let pool = exact();
    let (count, callback) = counter();
    let seen = Arc::clone(&count);
    let timer = Schedule::new()
        .every(0.01)
        .stop(move || seen.load(Ordering::SeqCst) == 3)
        .start(&pool, callback);
    pool.run_until_idle();
    assert_eq!(count.load(Ordering::SeqCst), 3);
    assert!(!timer.unwrap().is_active());
}

#[test]
fn catch_gets_the_panic_and_the_schedule_goes_on() {
    let pool = exact();
    let caught = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&caught);
    let catch = move |payload: riverhawk_pool::Payload| {
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"on purpose"));
        seen.fetch_add(1, Ordering::SeqCst);
    };
    let _timer = Schedule::new()
        .every(0.01)
        .times(3)
        .catch(catch)
        .start(&pool, || panic!("on purpose"))
        .unwrap();
    pool.run_until_idle();
    assert_eq!(caught.load(Ordering::SeqCst), 3);
    assert_eq!(pool.usage().panicked, 0);
}

#[test]
fn panic_that_nobody_catches_is_counted_and_logged() {
    let pool = Pool::new();
    let _timer = Schedule::new().times(2).start(&pool, || panic!("on purpose")).unwrap();
    while pool.usage().timer.completed < 2 {
        std::thread::yield_now();
    }
    assert_eq!(pool.usage().panicked, 2);
    let said = |event: &Event| matches!(event, Event::Panicked(text) if text == "on purpose");
    assert_eq!(pool.log().iter().filter(|entry| said(&entry.event)).count(), 2);
}

#[test]
fn cancelled_timer_does_not_fire_and_can_be_cancelled_from_its_own_callback() {
    let pool = exact();
    let (count, callback) = counter();
    let timer = pool.every(0.01, callback).unwrap();
    assert!(timer.cancel());
    assert!(!timer.cancel());
    pool.run_until_idle();
    assert_eq!(count.load(Ordering::SeqCst), 0);

    let own = Arc::new(Mutex::new(None::<riverhawk_pool::Timer>));
    let (mine, (count, mut callback)) = (Arc::clone(&own), counter());
    let timer = pool.every(0.01, move || {
        callback();
        assert!(mine.lock().unwrap().as_ref().unwrap().cancel());
    });
    *own.lock().unwrap() = Some(timer.unwrap());
    pool.run_until_idle();
    assert_eq!(count.load(Ordering::SeqCst), 1);
}

#[test]
fn callback_is_dropped_when_the_schedule_is_over_or_cancelled() {
    let pool = exact();
    let held = Arc::new(());
    let hold = || {
        let held = Arc::clone(&held);
        move || assert!(Arc::strong_count(&held) > 1)
    };
    let over = Schedule::new().times(2).start(&pool, hold()).unwrap();
    let never = pool.after(f64::INFINITY, hold()).unwrap();
    let cancelled = pool.every(1.0, hold()).unwrap();
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
    let timer = pool.every(0.005, move || {
        let mut runs = mine.try_lock().expect("alone");
        *runs += 1;
        std::thread::sleep(Duration::from_millis(25));
    });
    std::thread::sleep(Duration::from_millis(300));
    timer.unwrap().cancel();
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
