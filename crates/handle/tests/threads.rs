//! Handles opened on one thread, read on another, closed on a third.

mod scratch;

use riverhawk_handle::{ErrorKind, Handle, LockKind, OpenOptions, Redirect, Spawn};
use scratch::Scratch;
use std::thread;
use std::time::{Duration, Instant};

fn on_three_threads(open: impl FnOnce() -> Handle + Send + 'static) -> Vec<String> {
    let handle = thread::spawn(open).join().unwrap();
    let reader = handle.clone();
    let lines = thread::spawn(move || {
        let mut lines = Vec::new();
        while lines.len() < 3 {
            match reader.read_line().unwrap() {
                Some(line) => lines.push(line),
                None => break,
            }
        }
        lines
    });
    let lines = lines.join().unwrap();
    let closer = handle.clone();
    thread::spawn(move || closer.close().unwrap()).join().unwrap();
    assert!(handle.is_closed());
    assert_eq!(handle.read_line().unwrap_err().kind(), ErrorKind::Closed);
    lines
}

const THREE: [&str; 3] = ["one", "zwei ä", "three"];

#[test]
fn a_regular_file_on_three_threads() {
    let scratch = Scratch::new();
    let path = scratch.with("f", THREE.join("\n"));
    assert_eq!(on_three_threads(move || Handle::open(path).unwrap()), THREE);
}

#[test]
fn a_fifo_on_three_threads() {
    let scratch = Scratch::new();
    let path = scratch.fifo("fifo");
    let writing = path.clone();
    let writer = thread::spawn(move || {
        let fifo = Handle::append(writing).unwrap(); // waits for the reader
        fifo.write_text(&THREE.join("\n")).unwrap();
        fifo.close().unwrap();
    });
    assert_eq!(on_three_threads(move || Handle::open(path).unwrap()), THREE);
    writer.join().unwrap();
}

#[test]
fn a_pty_on_three_threads() {
    assert_eq!(
        on_three_threads(|| Spawn::argv(["printf", "one\\nzwei ä\\nthree\\n"])
            .on_pty()
            .coprocess()
            .unwrap()),
        THREE
    );
}

#[test]
fn a_socketpair_on_three_threads() {
    let (ours, theirs) = Handle::pair().unwrap();
    let peer = thread::spawn(move || {
        theirs.write_text(&THREE.join("\n")).unwrap();
        theirs.close().unwrap();
    });
    assert_eq!(on_three_threads(move || ours), THREE);
    peer.join().unwrap();
}

#[test]
fn a_child_pipe_on_three_threads() {
    assert_eq!(
        on_three_threads(|| Spawn::shell("printf 'one\\nzwei ä\\nthree'").read().unwrap()),
        THREE
    );
}

#[test]
fn a_child_that_is_written_to_on_three_threads() {
    let scratch = Scratch::new();
    let path = scratch.path("out");
    let command = format!("cat >{}", path.display());
    let handle = thread::spawn(move || Spawn::shell(command).write().unwrap()).join().unwrap();
    let writer = handle.clone();
    thread::spawn(move || writer.print("written elsewhere").unwrap()).join().unwrap();
    let ended = thread::spawn(move || handle.close().unwrap()).join().unwrap();
    assert_eq!(ended.unwrap().code(), Some(0));
    assert_eq!(std::fs::read_to_string(path).unwrap(), "written elsewhere\n");
}

const SOON: Duration = Duration::from_secs(20);

/// Fails if `work` does not end.
fn ends<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = std::sync::mpsc::channel();
    thread::spawn(move || send.send(work()));
    receive.recv_timeout(SOON).expect("it hangs")
}

fn while_blocked(handle: &Handle, then: impl FnOnce()) -> Result<Vec<u8>, ErrorKind> {
    let (reader, (send, receive)) = (handle.clone(), std::sync::mpsc::channel());
    let reading = thread::spawn(move || {
        send.send(()).unwrap();
        reader.receive(100).map_err(|error| error.kind())
    });
    receive.recv().unwrap();
    thread::sleep(Duration::from_millis(50));
    then();
    ends(move || reading.join().unwrap())
}

/// Two ends of everything that can block a reader.
fn blocking_handles() -> Vec<(&'static str, Handle, Option<Handle>)> {
    let (pipe_reader, pipe_writer) = Handle::pipe().unwrap();
    let (one, other) = Handle::pair().unwrap();
    let (inherited, inherited_writer) = std::io::pipe().unwrap();
    let inherited = Handle::from_fd("an inherited pipe", inherited).unwrap();
    let inherited_writer = Handle::from_fd("its writer", inherited_writer).unwrap();
    vec![
        ("pipe", pipe_reader, Some(pipe_writer)),
        ("socket", one, Some(other)),
        ("shared pipe", inherited, Some(inherited_writer)),
        ("child", Spawn::argv(["sleep", "60"]).read().unwrap(), None),
        ("pty", Spawn::argv(["sleep", "60"]).on_pty().coprocess().unwrap(), None),
    ]
}

#[test]
fn closing_ends_a_blocked_reader_on_another_thread() {
    for (what, handle, _other) in blocking_handles() {
        let got = while_blocked(&handle, || {
            if let Some(child) = handle.child() {
                child.kill().unwrap(); // for close to have nothing to wait for; the reader may see the end first
            } else {
                let closing = handle.clone();
                ends(move || closing.close()).unwrap();
            }
        });
        match handle.child() {
            None => assert_eq!(got, Err(ErrorKind::Closed), "{what}"),
            Some(_) => assert_eq!(got, Ok(Vec::new()), "{what}"),
        }
    }
}

#[test]
fn closing_one_direction_ends_its_blocked_reader_and_leaves_the_other_usable() {
    let (one, other) = Handle::pair().unwrap();
    let got = while_blocked(&one, || {
        one.close_reading().unwrap();
    });
    assert_eq!(got, Err(ErrorKind::Closed));
    one.print("still writing").unwrap();
    one.close().unwrap();
    assert_eq!(other.read_text().unwrap(), "still writing\n");
}

#[test]
fn abort_ends_a_blocked_reader_and_a_blocked_writer_and_waits_for_no_child() {
    let (_reader, writer) = Handle::pipe().unwrap();
    let blocked = writer.clone();
    let writing = thread::spawn(move || blocked.write(&vec![0; 8 << 20]).unwrap_err().kind());
    thread::sleep(Duration::from_millis(50));
    let aborting = writer.clone();
    ends(move || aborting.abort());
    assert_eq!(ends(move || writing.join().unwrap()), ErrorKind::Closed);

    let child = Spawn::argv(["sleep", "60"]).coprocess().unwrap();
    child.write(b"1").unwrap();
    child.write(b"23").unwrap();
    let process = child.child().unwrap();
    let got = while_blocked(&child, || assert_eq!(child.abort(), 2));
    assert_eq!(got, Err(ErrorKind::Closed));
    process.kill().unwrap();
    assert_eq!(process.wait().unwrap().signal(), Some(9));
}

#[test]
fn a_blocked_reader_never_stops_a_writer() {
    // With one lock for both directions the writer would wait.
    let echo = Spawn::argv(["cat"]).coprocess().unwrap();
    let (one, other) = Handle::pair().unwrap();
    let pty = Spawn::argv(["cat"]).on_pty().coprocess().unwrap();
    for (what, handle, answers) in
        [("coprocess", &echo, None), ("socket", &one, Some(&other)), ("pty", &pty, None)]
    {
        let mut took = Duration::MAX;
        let got = while_blocked(handle, || {
            let began = Instant::now();
            handle.write(b"ping\n").unwrap();
            handle.flush().unwrap();
            took = began.elapsed();
            if let Some(peer) = answers {
                peer.write(b"ping\n").unwrap();
            }
        });
        assert_eq!(got.unwrap(), b"ping\n", "{what}");
        // The writer does not wait; the limit allows for a busy machine.
        assert!(took < Duration::from_secs(2), "{what}: {took:?}");
    }
}

#[test]
fn position_end_and_facts_can_be_asked_while_a_reader_is_blocked() {
    let (reader, writer) = Handle::pipe().unwrap();
    writer.write(b"1234").unwrap();
    assert_eq!(reader.receive(3).unwrap(), b"123");
    assert_eq!(reader.tell().unwrap(), 3);
    assert_eq!(reader.receive(3).unwrap(), b"4");
    let asked = reader.clone();
    let got = while_blocked(&reader, || {
        assert_eq!(
            ends(move || (asked.tell(), asked.is_at_end(), asked.is_terminal())).0.unwrap(),
            4
        );
        writer.write(b"5").unwrap();
        writer.flush().unwrap();
    });
    assert_eq!(got.unwrap(), b"5");
}

/// Four threads print 2,000 lines each; none is torn.
fn lines_stay_whole(handle: &Handle, read: impl FnOnce() -> String) {
    thread::scope(|scope| {
        for thread_number in 0..4 {
            scope.spawn(move || {
                for line_number in 0..2000 {
                    let word =
                        format!("{thread_number}-{line_number};").repeat(1 + line_number % 40);
                    if line_number % 2 == 0 {
                        handle.print(&word).unwrap();
                    } else {
                        handle.write_pieces(&[word.as_bytes(), b"\n"]).unwrap();
                    }
                }
            });
        }
    });
    handle.close().unwrap();
    let text = read();
    let mut next = [0; 4];
    for line in text.lines() {
        let (thread_number, rest) = line.split_once('-').unwrap();
        let line_number: usize = rest.split(';').next().unwrap().parse().unwrap();
        let thread_number: usize = thread_number.parse().unwrap();
        assert_eq!(line, format!("{thread_number}-{line_number};").repeat(1 + line_number % 40));
        assert_eq!(next[thread_number], line_number);
        next[thread_number] += 1;
    }
    assert_eq!(next, [2000; 4]);
}

#[test]
fn four_threads_printing_two_thousand_lines_each_tear_none() {
    let scratch = Scratch::new();
    for (name, buffer) in [("buffered", 64 * 1024), ("small", 100), ("unbuffered", 0)] {
        let path = scratch.path(name);
        let file = Handle::create(&path).unwrap();
        file.set_buffer(buffer).unwrap();
        lines_stay_whole(&file, || std::fs::read_to_string(path).unwrap());
    }
    let (reader, writer) = Handle::pair().unwrap();
    let reading = thread::spawn(move || reader.read_text().unwrap());
    lines_stay_whole(&writer, || reading.join().unwrap());
    let (reader, writer) = Handle::pipe().unwrap();
    let reading = thread::spawn(move || reader.read_text().unwrap());
    lines_stay_whole(&writer, || reading.join().unwrap());
}

#[test]
fn threads_that_read_one_handle_get_whole_lines_and_each_line_once() {
    let text: String = (0..10_000).map(|n| format!("line {n}\n")).collect();
    let scratch = Scratch::new();
    let handle = Handle::open(scratch.with("f", text)).unwrap();
    let mut all: Vec<usize> = thread::scope(|scope| {
        let readers: Vec<_> =
            (0..4).map(|_| scope.spawn(|| handle.lines().map(Result::unwrap).collect())).collect();
        let lines =
            readers.into_iter().flat_map(|reader| -> Vec<String> { reader.join().unwrap() });
        lines.map(|line| line.strip_prefix("line ").unwrap().parse().unwrap()).collect()
    });
    all.sort_unstable();
    assert_eq!(all, (0..10_000).collect::<Vec<_>>());
}

#[test]
fn a_read_timeout_ends_the_read_and_not_the_handle() {
    for (what, handle, other) in blocking_handles() {
        handle.set_read_timeout(Some(Duration::from_millis(20)));
        assert_eq!(handle.receive(10).unwrap_err().kind(), ErrorKind::TimedOut, "{what}");
        if let Some(other) = other {
            other.print("later").unwrap();
            assert_eq!(handle.read_line().unwrap().as_deref(), Some("later"), "{what}");
            other.write(b"half a li").unwrap();
            other.flush().unwrap();
            assert_eq!(handle.read_line().unwrap_err().kind(), ErrorKind::TimedOut, "{what}");
            other.print("ne").unwrap();
            other.flush().unwrap();
            assert_eq!(handle.read_line().unwrap().as_deref(), Some("half a line"), "{what}");
        }
        if let Some(child) = handle.child() {
            child.kill().unwrap();
        }
    }
}

#[test]
fn a_read_that_must_not_wait_says_that_nothing_has_come() {
    for (what, handle, other) in blocking_handles() {
        assert_eq!(handle.try_receive(10).unwrap(), None, "{what}");
        if let Some(other) = other {
            other.write(b"abc").unwrap();
            assert_eq!(handle.try_receive(2).unwrap().as_deref(), Some(&b"ab"[..]), "{what}");
            assert_eq!(handle.try_receive(9).unwrap().as_deref(), Some(&b"c"[..]), "{what}");
            other.close().unwrap();
            // A child that another test starts has a copy of the writer's descriptor until it executes its
            // program.
            let until = Instant::now() + Duration::from_secs(10);
            let end = loop {
                match handle.try_receive(9).unwrap() {
                    None if Instant::now() < until => thread::yield_now(),
                    received => break received,
                }
            };
            assert_eq!(end.as_deref(), Some(&b""[..]), "{what}");
        }
        if let Some(child) = handle.child() {
            child.kill().unwrap();
        }
    }
}

#[test]
fn locks_hold_off_other_handles_and_other_processes() {
    let scratch = Scratch::new();
    let path = scratch.with("f", "text");
    let update = OpenOptions::update();
    let (one, other) = (update.open(&path).unwrap(), update.open(&path).unwrap());
    one.lock(LockKind::Shared).unwrap();
    other.try_lock(LockKind::Shared).unwrap();
    assert_eq!(one.try_lock(LockKind::Exclusive).unwrap_err().kind(), ErrorKind::Locked);
    other.unlock().unwrap();
    one.try_lock(LockKind::Exclusive).unwrap();
    assert_eq!(other.try_lock(LockKind::Shared).unwrap_err().kind(), ErrorKind::Locked);
    // Another process: util-linux's flock.
    if let Ok(taken) = Spawn::argv(["flock", "-n", path.to_str().unwrap(), "true"]).run() {
        assert!(!taken.is_success());
    }
    let waiting = thread::spawn(move || {
        other.lock(LockKind::Shared).unwrap();
        other.read_text().unwrap()
    });
    thread::sleep(Duration::from_millis(50));
    one.write(b"T").unwrap();
    one.write(b"EXT").unwrap();
    one.unlock().unwrap();
    assert_eq!(ends(move || waiting.join().unwrap()), "TEXT");
}

#[test]
fn a_lock_that_the_mode_does_not_allow_is_refused_with_the_reason() {
    let scratch = Scratch::new();
    let path = scratch.with("f", "text");
    let reader = Handle::open(&path).unwrap();
    let error = reader.lock(LockKind::Exclusive).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LockMode);
    assert!(
        error.to_string().contains("an exclusive lock needs a handle that can write"),
        "{error}"
    );
    let writer = Handle::append(&path).unwrap();
    assert_eq!(writer.try_lock(LockKind::Shared).unwrap_err().kind(), ErrorKind::LockMode);
    reader.close().unwrap();
    assert_eq!(reader.lock(LockKind::Shared).unwrap_err().kind(), ErrorKind::Closed);
}

#[test]
fn what_was_read_ahead_is_read_again_under_a_lock() {
    let scratch = Scratch::new();
    let path = scratch.with("f", "one\ntwo\n");
    let reader = Handle::open(&path).unwrap();
    assert_eq!(reader.read_line().unwrap().as_deref(), Some("one"));
    std::fs::write(&path, "one\nTWO\n").unwrap();
    reader.lock(LockKind::Shared).unwrap();
    assert_eq!(reader.read_line().unwrap().as_deref(), Some("TWO"));
}

#[test]
fn a_handle_can_be_sent_and_shared() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Handle>();
    is_send_and_sync::<riverhawk_handle::Listener>();
    is_send_and_sync::<riverhawk_handle::Child>();
    is_send_and_sync::<riverhawk_handle::Error>();
    is_send_and_sync::<Redirect>();
}
