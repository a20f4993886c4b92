//! Tasks, promises, channels, readiness.

#![cfg(unix)]

use riverhawk_pool::{
    Broken, Closed, Error, Event, Handle, Interest, Pool, Readiness, TaskError, Token, block_on,
    channel, promise,
};
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn panic_of_a_task_reaches_who_waits_for_it() {
    let pool = Pool::new();
    let error = pool.spawn(|| -> u8 { panic!("with {}", "text") }).wait().unwrap_err();
    assert_eq!(error.message(), Some("with text"));
    let error = pool.spawn_future(async { panic!("in a future") }).wait().unwrap_err();
    assert_eq!(error.to_string(), "the task panicked: in a future");
}

#[test]
fn panic_of_a_task_without_a_handle_is_counted_and_logged_with_its_place() {
    let pool = Pool::new();
    pool.run(|| panic!("on purpose"));
    pool.wait_idle();
    assert_eq!(pool.usage().panicked, 1);
    let said =
        |event: &Event| matches!(event, Event::Panicked(text) if text.contains("tests/tasks.rs"));
    assert!(pool.log().iter().any(|entry| said(&entry.event)), "{:?}", pool.log());
}

#[test]
fn promise_is_kept_broken_and_taken_once() {
    let (resolver, kept) = promise();
    assert!(!kept.is_settled());
    resolver.resolve(5);
    assert!(kept.is_settled());
    assert_eq!(kept.wait(), Ok(5));
    let (resolver, broken) = promise::<u8>();
    drop(resolver);
    assert_eq!(broken.wait(), Err(Broken));
    let (resolver, mut kept) = promise();
    resolver.resolve(5);
    assert_eq!(block_on(&mut kept), Ok(5));
    assert_eq!(block_on(&mut kept), Err(Broken));
}

#[test]
fn channel_keeps_order_and_its_bound_and_ends_with_its_last_sender() {
    let pool = Pool::new();
    let (sender, receiver) = channel(Some(3));
    let produced = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&produced);
    let producer = pool.spawn_future(async move {
        for number in 0..1000 {
            sender.send(number).await.unwrap();
            count.fetch_add(1, Ordering::SeqCst);
        }
    });
    let consumer = pool.spawn_future(async move {
        let mut seen = Vec::new();
        while let Some(number) = receiver.receive().await {
            assert!(produced.load(Ordering::SeqCst) <= seen.len() + 5, "the bound holds");
            seen.push(number);
        }
        seen
    });
    producer.wait().unwrap();
    assert!(consumer.wait().unwrap().into_iter().eq(0..1000));
}

#[test]
fn channel_without_receivers_gives_the_value_back() {
    let (sender, receiver) = channel(None);
    sender.send("kept").wait().unwrap();
    drop(receiver);
    assert!(sender.send("back").wait() == Err(Closed("back")));
}

#[test]
fn sending_fails_once_the_receivers_are_gone() {
    let pool = Pool::new();
    let (sender, receiver) = channel(Some(1));
    sender.send(1).wait().unwrap();
    let waits = pool.spawn_future(async move { sender.send(2).await });
    while pool.usage().suspended == 0 {
        thread::yield_now();
    }
    drop(receiver);
    assert!(waits.wait().unwrap() == Err(Closed(2)));
}

#[test]
fn a_closed_channel_drops_what_waits_and_tells_both_sides() {
    let (sender, receiver) = channel(Some(1));
    sender.send(1).wait().unwrap();
    let other = sender.clone();
    let waits = thread::spawn(move || other.send(2).wait());
    thread::sleep(Duration::from_millis(20));
    receiver.close();
    assert!(waits.join().unwrap() == Err(Closed(2)));
    assert!(sender.send(3).wait() == Err(Closed(3)));
    assert_eq!((receiver.try_receive(), receiver.receive().wait()), (None, None));
}

#[test]
fn whether_a_value_waits_is_asked_for_a_while() {
    let (sender, receiver) = channel(None);
    assert!(!receiver.wait_ready(Duration::from_millis(5)));
    let other = receiver.clone();
    let waits = thread::spawn(move || other.wait_ready(Duration::from_secs(60)));
    thread::sleep(Duration::from_millis(20));
    sender.send(1).wait().unwrap();
    assert!(waits.join().unwrap());
    assert_eq!(receiver.try_receive(), Some(1), "asking takes nothing");
    drop(sender);
    assert!(receiver.wait_ready(Duration::from_secs(60)), "there will be none any more");
    assert_eq!(receiver.try_receive(), None);
}

#[test]
fn receiver_that_gives_up_after_it_was_woken_passes_the_value_on() {
    let (sender, receiver) = channel(None);
    let waker = Waker::noop();
    let mut context = Context::from_waker(waker);
    let mut first = Box::pin(receiver.receive());
    assert!(first.as_mut().poll(&mut context).is_pending());
    let other = receiver.clone();
    let second = thread::spawn(move || other.receive().wait());
    // The second waits after the first; it must get the value anyway.
    thread::sleep(Duration::from_millis(20));
    sender.send(7).wait().unwrap();
    drop(first);
    assert_eq!(second.join().unwrap(), Some(7));
}

#[test]
fn many_senders_and_receivers_lose_nothing() {
    let pool = Pool::new();
    let (sender, receiver) = channel(Some(4));
    let receivers: Vec<_> = (0..4)
        .map(|_| {
            let receiver = receiver.clone();
            pool.spawn_future(async move {
                let mut sum = 0_u64;
                while let Some(number) = receiver.receive().await {
                    sum += number;
                }
                sum
            })
        })
        .collect();
    for part in 0..4_u64 {
        let sender = sender.clone();
        pool.run(move || {
            (0..500).for_each(|number| sender.send(part * 500 + number).wait().unwrap())
        });
    }
    drop(sender);
    let sum: u64 = receivers.into_iter().map(|task| task.wait().unwrap()).sum();
    assert_eq!(sum, 1999 * 2000 / 2);
}

#[test]
fn future_that_wakes_itself_does_not_keep_others_out() {
    let pool = Pool::builder().cores(1).build();
    let stop = Arc::new(AtomicUsize::new(0));
    let asked = Arc::clone(&stop);
    let spins = pool.spawn_future(std::future::poll_fn(move |context| {
        if asked.load(Ordering::SeqCst) > 0 {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    }));
    pool.spawn(move || stop.fetch_add(1, Ordering::SeqCst)).wait().unwrap();
    spins.wait().unwrap();
}

#[test]
fn suspended_tasks_are_named() {
    let pool = Pool::new();
    let (resolver, promise) = promise::<()>();
    let task = pool.spawner().name("reader of a.txt").spawn_future(promise);
    while pool.usage().suspended == 0 {
        thread::yield_now();
    }
    assert_eq!(pool.suspended(), ["reader of a.txt"]);
    resolver.resolve(());
    task.wait().unwrap().unwrap();
    pool.wait_idle();
    assert!(pool.suspended().is_empty());
}

#[test]
fn watchdog_names_the_task_that_does_not_come_back() {
    let (send, reports) = std::sync::mpsc::channel();
    let pool = Pool::builder()
        .stuck_after(Some(Duration::from_millis(50)))
        .on_stuck(move |task| send.send(task.clone()).unwrap())
        .build();
    let (open, gate) = std::sync::mpsc::channel::<()>();
    pool.spawner().name("slow one").run(move || assert!(gate.recv().is_err()));
    let task = reports.recv().unwrap();
    assert_eq!(task.name.as_deref(), Some("slow one"));
    assert!(task.spawned_at.as_deref().unwrap().contains("tests/tasks.rs"), "{task:?}");
    assert!(task.time >= Duration::from_millis(50) && !task.waiting, "{task:?}");
    assert!(task.to_string().starts_with("task 'slow one' from "), "{task}");
    drop(open);
    pool.wait_idle();
    assert!(reports.try_recv().is_err(), "once");
    let (resolver, promise) = promise::<()>();
    let waits = pool.spawn(|| promise.wait());
    assert!(reports.recv().unwrap().waiting);
    drop(resolver);
    waits.wait().unwrap().unwrap_err();
}

#[test]
fn handle_is_known_inside_tasks_only() {
    assert!(Handle::current().is_none());
    let pool = Pool::new();
    assert_eq!(
        pool.spawn(|| Handle::current().unwrap().spawn(|| 3).wait().unwrap()).wait().unwrap(),
        3
    );
}

#[test]
fn usage_adds_up_to_what_was_submitted() {
    let pool = Pool::new();
    let handle = pool.handle();
    let source = pool.affinity();
    for number in 0..300_u64 {
        pool.run(|| ());
        let _result = pool.spawn(move || number);
        let handle = handle.clone();
        let _future =
            pool.spawn_future(async move { handle.sleep(Duration::from_micros(number)).await });
        source.run(|| ());
        pool.timer_queue().run(|| ());
    }
    pool.scope(|scope| (0..50).for_each(|_| scope.spawn(|| ())));
    let running = pool.usage();
    assert_eq!(running.submitted(), 1500);
    assert!(running.completed() + running.unfinished() >= 1500);
    pool.wait_idle();
    let usage = pool.usage();
    assert_eq!((usage.general.submitted, usage.general.completed), (900, 900));
    assert_eq!((usage.affinity.submitted, usage.affinity.completed), (300, 300));
    assert_eq!((usage.timer.submitted, usage.timer.completed), (300, 300));
    assert_eq!((usage.unfinished(), usage.scoped, usage.suspended), (0, 50, 0));
}

/// A poller like another crate's: one thread, `poll(2)`, wakers by token.
struct PipePoller {
    pipes: HashMap<Token, io::PipeReader>,
    waiting: Mutex<HashMap<Token, Waker>>,
}

impl PipePoller {
    fn is_ready(&self, token: Token, wait: Duration) -> io::Result<bool> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let pipe = self.pipes.get(&token).ok_or(io::ErrorKind::NotFound)?;
        let time = Timespec::try_from(wait).map_err(io::Error::other)?;
        Ok(poll(&mut [PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)], Some(&time))? > 0)
    }
}

impl Readiness for PipePoller {
    fn poll_ready(
        &self,
        token: Token,
        _: Interest,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        if self.is_ready(token, Duration::ZERO)? {
            return Poll::Ready(Ok(()));
        }
        self.waiting.lock().unwrap().insert(token, context.waker().clone());
        Poll::Pending
    }

    fn forget(&self, token: Token, _: Interest) {
        self.waiting.lock().unwrap().remove(&token);
    }
}

#[test]
fn hundred_pipes_are_awaited_without_a_worker_each() {
    let (readers, writers): (Vec<_>, Vec<_>) = (0..100).map(|_| io::pipe().unwrap()).unzip();
    let pipes = readers
        .into_iter()
        .enumerate()
        .map(|(number, pipe)| (Token(number as u64), pipe))
        .collect();
    let poller = Arc::new(PipePoller { pipes, waiting: Mutex::default() });
    let pool = Pool::builder().readiness(Arc::clone(&poller) as Arc<dyn Readiness>).build();
    let tasks: Vec<_> = (0..100)
        .map(|number| {
            let (handle, poller) = (pool.handle(), Arc::clone(&poller));
            pool.spawn_future(async move {
                handle.ready(Token(number), Interest::Read).unwrap().await.unwrap();
                let mut byte = [0];
                (&poller.pipes[&Token(number)]).read_exact(&mut byte).unwrap();
                u64::from(byte[0])
            })
        })
        .collect();
    let start = Instant::now();
    while pool.usage().suspended < 100 {
        assert!(start.elapsed() < Duration::from_secs(60));
        thread::yield_now();
    }
    assert!(pool.usage().general.workers <= pool.cores());
    assert_eq!(pool.usage().general.blocked, 0);
    for (number, mut writer) in writers.into_iter().enumerate().rev() {
        writer.write_all(&[number as u8]).unwrap();
        let ready = poller.waiting.lock().unwrap().remove(&Token(number as u64));
        ready.unwrap().wake();
    }
    assert!(tasks.into_iter().map(|task| task.wait().unwrap()).eq(0..100));
}

#[test]
fn readiness_without_a_source_and_of_an_unknown_token_are_errors() {
    assert!(matches!(Pool::new().ready(Token(1), Interest::Read), Err(Error::NoReadiness)));
    let poller = PipePoller { pipes: HashMap::new(), waiting: Mutex::default() };
    let pool = Pool::builder().readiness(Arc::new(poller)).build();
    let ready = pool.ready(Token(1), Interest::Write).unwrap();
    assert!(
        matches!(pool.block_on(ready), Err(Error::Io(error)) if error.kind() == io::ErrorKind::NotFound)
    );
}

#[test]
fn task_that_is_refused_says_so() {
    let pool = Pool::new();
    let handle = pool.handle();
    drop(pool);
    assert!(matches!(handle.spawn(|| 1).wait(), Err(TaskError::Cancelled)));
    assert!(matches!(handle.spawn_future(async { 1 }).wait(), Err(TaskError::Cancelled)));
    assert!(matches!(handle.serial().spawn(|| 1).wait(), Err(TaskError::Cancelled)));
    assert_eq!(handle.usage().refused, 3);
}

/// The observer calls the pool meanwhile, and panics.
#[test]
fn observer_may_ask_the_pool_and_may_panic() {
    let known: Arc<std::sync::OnceLock<Handle>> = Arc::default();
    let asked = Arc::new(AtomicUsize::new(0));
    let (pool_of, count) = (Arc::clone(&known), Arc::clone(&asked));
    let pool = Pool::builder()
        .observer(riverhawk_pool::LogLevel::Ticks, move |_| {
            let _ = pool_of.get().map(Handle::usage);
            count.fetch_add(1, Ordering::SeqCst);
            panic!("on purpose");
        })
        .build();
    known.set(pool.handle()).unwrap();
    assert_eq!(pool.affinity().spawn(|| 1).wait().unwrap() + pool.spawn(|| 2).wait().unwrap(), 3);
    pool.after(Duration::ZERO, || ());
    pool.wait_idle();
    assert!(asked.load(Ordering::SeqCst) >= 3);
}
