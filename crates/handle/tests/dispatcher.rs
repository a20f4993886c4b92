//! Readiness, children and signals through the dispatcher, with tasks of the pool.

use riverhawk_handle::{Dispatcher, Ended, ErrorKind, Handle, Interest, Signals, Spawn};
use riverhawk_pool::Pool;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(20);

#[test]
fn hundreds_of_tasks_await_pipes_on_a_few_workers() {
    let pool = Pool::builder().cores(2).build();
    let (mut tasks, mut writers) = (Vec::new(), Vec::new());
    for number in 0..300 {
        let (reader, writer) = Handle::pipe().unwrap();
        writers.push(writer);
        tasks.push(pool.spawn_future(async move {
            let mut all = Vec::new();
            loop {
                let some = reader.receive_when_ready(100).await.unwrap();
                if some.is_empty() {
                    break (number, all);
                }
                all.extend(some);
            }
        }));
    }
    for round in 0..3 {
        for writer in &writers {
            writer.print(&round.to_string()).unwrap();
            writer.flush().unwrap();
        }
    }
    for writer in &writers {
        writer.close().unwrap();
    }
    for (expected, task) in tasks.into_iter().enumerate() {
        assert_eq!(task.wait().unwrap(), (expected, b"0\n1\n2\n".to_vec()));
    }
}

#[test]
fn closing_ends_what_awaits_the_handle() {
    let pool = Pool::new();
    let (reader, _writer) = Handle::pipe().unwrap();
    let awaiting = reader.clone();
    let task = pool.spawn_future(async move {
        awaiting.ready(Interest::Read).await.map_err(|error| error.kind())
    });
    thread::sleep(Duration::from_millis(30));
    assert!(!task.is_finished());
    reader.close().unwrap();
    assert_eq!(task.wait().unwrap(), Err(ErrorKind::Closed));
}

#[test]
fn a_pool_with_the_dispatcher_as_its_readiness_awaits_handles_by_token() {
    let pool = Pool::builder().readiness(Dispatcher::get().unwrap()).build();
    let (one, other) = Handle::pair().unwrap();
    let (handle, reader, token) = (pool.handle(), one.clone(), one.token());
    let task = pool.spawn_future(async move {
        handle.ready(token, Interest::Write).unwrap().await.unwrap(); // at once: there is room
        handle.ready(token, Interest::Read).unwrap().await.unwrap();
        reader.try_receive(100).unwrap()
    });
    thread::sleep(Duration::from_millis(20));
    other.print("now").unwrap();
    assert_eq!(task.wait().unwrap().as_deref(), Some(&b"now\n"[..]));
    one.close().unwrap();
    let handle = pool.handle();
    let gone = pool
        .spawn_future(async move { handle.ready(token, Interest::Read).unwrap().await.is_err() });
    assert!(gone.wait().unwrap());
}

#[test]
fn a_write_that_would_block_can_be_awaited() {
    let pool = Pool::new();
    let (one, other) = Handle::pair().unwrap();
    other.set_buffer(0).unwrap();
    let filling = other.clone();
    let filled = thread::spawn(move || filling.write(&vec![b'x'; 4 << 20]));
    thread::sleep(Duration::from_millis(30));
    let waiting = other.clone();
    let task = pool.spawn_future(async move { waiting.ready(Interest::Write).await });
    thread::sleep(Duration::from_millis(30));
    assert!(!task.is_finished());
    assert_eq!(one.read_exactly(4 << 20).unwrap().len(), 4 << 20);
    filled.join().unwrap().unwrap();
    task.wait().unwrap().unwrap();
}

#[test]
fn regular_files_are_always_ready() {
    let pool = Pool::new();
    let file = Handle::open("/proc/self/status").unwrap();
    let text = pool.spawn_future(async move { file.receive_when_ready(5).await.unwrap() });
    assert_eq!(text.wait().unwrap(), b"Name:");
}

#[test]
fn the_ends_of_many_children_are_awaited_without_threads() {
    let pool = Pool::builder().cores(2).build();
    let tasks: Vec<_> = (0..70)
        .map(|number| {
            let child = Spawn::shell(format!("sleep 0.0{}; exit {number}", number % 10))
                .start()
                .unwrap()
                .child;
            pool.spawn_future(async move { child.ended().await.unwrap() })
        })
        .collect();
    for (number, task) in (0..).zip(tasks) {
        assert_eq!(task.wait().unwrap(), Ended::Code(number));
    }
}

#[test]
fn what_follows_an_event_runs_in_order_on_the_pool_and_never_on_the_dispatcher() {
    let pool = Pool::new();
    let queue = pool.affinity();
    let (send, receive) = mpsc::channel();
    let (reader, writer) = Handle::pipe().unwrap();
    let sender = send.clone();
    let readable = reader.clone();
    reader.on_readable(&queue, move |ready| {
        ready.unwrap();
        let bytes = readable.try_receive(10).unwrap().unwrap();
        let thread = thread::current().name().unwrap_or_default().to_owned();
        sender.send((String::from_utf8(bytes).unwrap(), thread)).unwrap();
    });
    writer.write(b"event").unwrap();
    let child = Spawn::shell("exit 3").start().unwrap().child;
    let (text, thread) = receive.recv_timeout(SOON).unwrap();
    assert_eq!(text, "event");
    assert!(thread.contains("affinity"), "{thread}");
    child.on_end(&queue, move |ended| {
        let thread = thread::current().name().unwrap_or_default().to_owned();
        send.send((ended.unwrap().to_string(), thread)).unwrap();
    });
    let (text, thread) = receive.recv_timeout(SOON).unwrap();
    assert_eq!(text, "exit code 3");
    assert!(thread.contains("affinity"), "{thread}");
}

#[test]
fn work_that_panics_stops_neither_dispatcher_nor_queue() {
    let pool = Pool::new();
    let queue = pool.affinity();
    let (reader, writer) = Handle::pipe().unwrap();
    writer.write(b"x").unwrap();
    let (send, receive) = mpsc::channel();
    reader.on_readable(&queue, |_| panic!("on purpose"));
    reader.on_readable(&queue, move |_| send.send(()).unwrap());
    receive.recv_timeout(SOON).unwrap();
}

#[test]
fn signals_reach_every_listener_that_wants_them() {
    let hangup = Signals::of(&[1]).unwrap();
    let both = Signals::of(&[1, 28]).unwrap();
    let pool = Pool::new();
    let awaited = Signals::of(&[28]).unwrap();
    let task = pool.spawn_future(async move { awaited.next().await });
    let kill = |signal: &str| {
        let ended = Spawn::shell(format!("kill -{signal} {}", std::process::id())).run().unwrap();
        assert!(ended.is_success());
    };
    kill("HUP");
    assert_eq!(hangup.wait_for(SOON), Some(1));
    assert_eq!(both.wait_for(SOON), Some(1));
    kill("WINCH");
    assert_eq!(both.wait_for(SOON), Some(28));
    assert_eq!(task.wait().unwrap(), 28);
    assert_eq!(hangup.try_next(), None);
    assert_eq!(hangup.wait_for(Duration::from_millis(5)), None);
    assert!(Signals::of(&[9]).is_err());
}

#[test]
fn a_blocking_read_in_a_worker_is_a_declared_wait() {
    let pool = Pool::builder().cores(1).build();
    let (reader, writer) = Handle::pipe().unwrap();
    let reading = pool.spawn(move || reader.read_line().unwrap());
    // An undeclared wait would last until the supervisor notices.
    for _ in 0..20 {
        assert_eq!(pool.spawn(|| 1).wait().unwrap(), 1);
    }
    writer.print("done").unwrap();
    assert_eq!(reading.wait().unwrap().as_deref(), Some("done"));
}
