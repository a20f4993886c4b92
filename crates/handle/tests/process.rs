//! Child processes: exit statuses, all connections, and no leaks.

mod scratch;

use riverhawk_handle::{Action, Ended, ErrorKind, Handle, Redirect, Spawn};
use scratch::{Scratch, descriptors};
use std::thread;
use std::time::Duration;

/// Serialises tests that count descriptors or children of the process.
static ALONE: std::sync::RwLock<()> = std::sync::RwLock::new(());

fn together() -> std::sync::RwLockReadGuard<'static, ()> {
    ALONE.read().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn alone() -> std::sync::RwLockWriteGuard<'static, ()> {
    ALONE.write().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[test]
fn how_a_process_ended_is_a_typed_value() {
    let _turn = together();
    let run = |command: &str| Spawn::shell(command).stderr(Redirect::Null).run().unwrap();
    assert_eq!(run("exit 0"), Ended::Code(0));
    assert_eq!(run("exit 7"), Ended::Code(7));
    assert_eq!(run("kill -9 $$"), Ended::Signal { number: 9, core: false });
    assert_eq!(run("no-such-command"), Ended::Code(127));
    assert_eq!(run(""), Ended::Code(0));
    assert_eq!(run("-no-option").code(), Some(127));
    assert!(matches!(run("ulimit -c 0; kill -11 $$"), Ended::Signal { number: 11, .. }));
    assert_eq!(Ended::Signal { number: 11, core: true }.to_string(), "signal 11, core dumped");
}

#[test]
fn what_cannot_be_started_says_why() {
    let _turn = together();
    let error = Spawn::argv(["/no/such/program", "x"]).start().unwrap_err();
    assert_eq!((error.kind(), error.action()), (ErrorKind::Missing, Action::Open));
    assert_eq!(
        error.to_string(),
        "cannot start the command \"/no/such/program x\": No such file or directory"
    );
    assert_eq!(Spawn::argv(["/etc/passwd"]).start().unwrap_err().kind(), ErrorKind::Permission);
    assert_eq!(Spawn::shell("a\0b").start().unwrap_err().kind(), ErrorKind::NulInName);
    assert_eq!(Spawn::argv::<&str>([]).start().unwrap_err().kind(), ErrorKind::EmptyName);
}

#[test]
fn exit_codes_come_with_and_without_output() {
    let _turn = together();
    for (command, output) in [("exit 3", ""), ("echo x; exit 3", "x\n")] {
        let handle = Spawn::shell(command).read().unwrap();
        assert_eq!(handle.read_text().unwrap(), output);
        assert_eq!(handle.close().unwrap(), Some(Ended::Code(3)));
        assert_eq!(handle.close().unwrap(), None);
    }
}

#[test]
fn output_without_a_newline_is_a_line_and_no_phantom_line_follows() {
    let _turn = together();
    for (command, lines) in
        [("printf ''", vec![]), ("printf x", vec!["x"]), ("printf 'x\\n'", vec!["x"])]
    {
        let handle = Spawn::shell(command).read().unwrap();
        let read: Vec<_> = handle.lines().map(Result::unwrap).collect();
        assert_eq!(read, lines);
        assert!(handle.is_at_end().unwrap());
    }
}

#[test]
fn streams_are_piped_apart_or_merged() {
    let _turn = together();
    let both = "echo out; echo err >&2; echo out2";
    let process =
        Spawn::shell(both).stdout(Redirect::Piped).stderr(Redirect::Piped).start().unwrap();
    assert_eq!(process.stdout.as_ref().unwrap().read_text().unwrap(), "out\nout2\n");
    assert_eq!(process.stderr.as_ref().unwrap().read_text().unwrap(), "err\n");
    assert!(process.finish().unwrap().is_success());

    let merged = Spawn::shell(both).stderr(Redirect::Merged).read().unwrap();
    assert_eq!(merged.read_text().unwrap(), "out\nerr\nout2\n");

    let nothing = Spawn::shell("cat; echo seen").stdin(Redirect::Null).read().unwrap();
    assert_eq!(nothing.read_text().unwrap(), "seen\n");
}

#[test]
fn a_coprocess_is_written_and_read_and_one_direction_can_be_closed() {
    let _turn = together();
    let sort = Spawn::argv(["sort"]).coprocess().unwrap();
    sort.print("b").unwrap();
    sort.print("a").unwrap();
    assert_eq!(sort.close_writing().unwrap(), None);
    assert_eq!(sort.write(b"x").unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(sort.read_text().unwrap(), "a\nb\n");
    assert_eq!(sort.close_reading().unwrap(), Some(Ended::Code(0)));

    let cat = Spawn::shell("cat >/dev/null; exit 5").coprocess().unwrap();
    cat.print("x").unwrap();
    assert_eq!(cat.close_reading().unwrap(), None);
    cat.print("y").unwrap();
    assert_eq!(cat.close_writing().unwrap(), Some(Ended::Code(5)));
    assert!(cat.is_closed());
}

#[test]
fn a_million_bytes_go_through_a_coprocess_and_none_is_lost() {
    let _turn = together();
    let text: Vec<u8> = (0..1_000_000_u32).map(|n| (n % 251) as u8).collect();
    let cat = Spawn::argv(["cat"]).coprocess().unwrap();
    let reader = cat.clone();
    let reading = thread::spawn(move || reader.read_to_end().unwrap());
    for piece in text.chunks(7919) {
        cat.write(piece).unwrap();
    }
    cat.close_writing().unwrap();
    assert!(reading.join().unwrap() == text);
    assert_eq!(cat.bytes_written(), 1_000_000);
    assert_eq!(cat.tell().unwrap(), 1_000_000);
}

#[test]
fn a_child_on_a_pty_sees_a_terminal_and_answers_line_by_line() {
    let _turn = together();
    let tty = Spawn::shell("test -t 0 && test -t 1 && echo terminal").on_pty().coprocess().unwrap();
    assert_eq!(tty.read_text().unwrap(), "terminal\n"); // no CR: output is not translated
    assert_eq!(tty.close().unwrap(), Some(Ended::Code(0)));

    // close_writing sends Ctrl-D, which ends its input.
    let cat = Spawn::argv(["cat"]).on_pty().coprocess().unwrap();
    cat.print("hello").unwrap();
    assert_eq!(cat.read_line().unwrap().as_deref(), Some("hello"));
    cat.close_writing().unwrap();
    assert_eq!(cat.read_text().unwrap(), "");
    assert_eq!(cat.close().unwrap(), Some(Ended::Code(0)));

    let slow = Spawn::shell("exec <&- >&-; sleep 0.05; exit 6").on_pty().coprocess().unwrap();
    assert_eq!(slow.read_text().unwrap(), "");
    assert_eq!(slow.close().unwrap(), Some(Ended::Code(6)));
    // By the signal, or by the end of its input.
    let waiting = Spawn::argv(["cat"]).on_pty().coprocess().unwrap();
    let ended = waiting.close().unwrap();
    assert!(
        matches!(ended, Some(Ended::Signal { number: 1, core: false } | Ended::Code(_))),
        "{ended:?}"
    );

    let own = Spawn::shell("echo via-tty >/dev/tty").on_pty().coprocess().unwrap();
    assert_eq!(own.read_line().unwrap().as_deref(), Some("via-tty"));
}

#[test]
fn a_pipeline_of_children_copies_nothing_through_us_and_leaves_no_descriptor() {
    let _turn = alone();
    let before = descriptors();
    let seq = Spawn::argv(["seq", "1", "100000"]).read().unwrap();
    let grep = Spawn::argv(["grep", "-c", "7"]).stdin(Redirect::To(seq)).read().unwrap();
    assert_eq!(grep.read_line().unwrap().as_deref(), Some("40951"));
    grep.close().unwrap();
    let scratch = Scratch::new();
    let file = Handle::create(scratch.path("out")).unwrap();
    file.write(b"before ").unwrap();
    file.write(b"it: ").unwrap();
    assert!(Spawn::shell("echo it").stdout(Redirect::To(file)).run().unwrap().is_success());
    assert_eq!(std::fs::read_to_string(scratch.path("out")).unwrap(), "before it: it\n");
    let input = Handle::open(scratch.path("out")).unwrap();
    assert_eq!(input.read_exactly(7).unwrap(), b"before ");
    let cat = Spawn::argv(["cat"]).stdin(Redirect::To(input)).read().unwrap();
    assert_eq!(cat.read_text().unwrap(), "it: it\n"); // where we had come to, whatever was read ahead
    cat.close().unwrap();
    no_children_left();
    // The dispatcher has one or two epoll descriptors.
    assert!(descriptors() <= before + 3, "{} after {before}", descriptors());
}

/// Zombies included.
fn no_children_left() {
    let children = || -> String {
        let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
        tasks
            .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok())
            .collect()
    };
    for _ in 0..1000 {
        if children().is_empty() {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("children are left: {}", children());
}

#[test]
fn a_thousand_children_started_read_and_closed_leave_no_descriptor_and_no_zombie() {
    let _turn = alone();
    let round = || {
        let handle = Spawn::argv(["echo", "x"]).read().unwrap();
        assert_eq!(handle.read_line().unwrap().as_deref(), Some("x"));
        assert_eq!(handle.close().unwrap(), Some(Ended::Code(0)));
    };
    // The first blocking read creates a wake-up descriptor.
    assert_eq!(
        Spawn::shell("sleep 0.05; echo").read().unwrap().read_line().unwrap().as_deref(),
        Some("")
    );
    let before = descriptors();
    for _ in 0..1000 {
        round();
    }
    assert!(descriptors() <= before, "{} after {before}", descriptors());
    no_children_left();
}

#[test]
fn children_whose_handles_are_dropped_or_aborted_leave_no_zombie_and_keep_nobody_waiting() {
    let _turn = alone();
    drop(Spawn::shell("exit 1").read().unwrap());
    drop(Spawn::argv(["true"]).on_pty().coprocess().unwrap());
    let waiting: Vec<_> = (0..50).map(|_| Spawn::argv(["cat"]).coprocess().unwrap()).collect();
    assert_eq!(waiting.iter().map(Handle::abort).sum::<usize>(), 0);
    let started = Spawn::shell("sleep 0.1").start().unwrap();
    drop(started);
    drop(waiting);
    let asleep = Spawn::shell("sleep 0.2").coprocess().unwrap();
    drop(asleep);
    no_children_left();
}

#[test]
fn children_inherit_standard_streams_and_nothing_else() {
    let _turn = alone();
    let count =
        || Spawn::shell("ls /proc/self/fd | wc -l").read().unwrap().read_line().unwrap().unwrap();
    let before = count();
    let scratch = Scratch::new();
    let _file = Handle::create(scratch.path("f")).unwrap();
    let _pipe = Handle::pipe().unwrap();
    let _pair = Handle::pair().unwrap();
    let _listener = riverhawk_handle::Listener::tcp("127.0.0.1", "0").unwrap();
    let _accepted =
        riverhawk_handle::Connect::tcp("127.0.0.1", &_listener.port().unwrap().to_string())
            .open()
            .unwrap();
    let _connection = _listener.accept().unwrap();
    let _pty = Spawn::argv(["cat"]).on_pty().coprocess().unwrap();
    let _child = Spawn::argv(["cat"]).coprocess().unwrap();
    let _dispatcher = riverhawk_handle::Dispatcher::get().unwrap();
    let _signals = riverhawk_handle::Signals::of(&[12]).unwrap();
    assert_eq!(count(), before);
    _pty.child().unwrap().kill().unwrap();
}

#[test]
fn children_start_with_an_empty_signal_mask_and_sigpipe_at_its_default() {
    let _turn = together();
    // Rust programs ignore SIGPIPE (13), bit 12 of the mask.
    let own = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = |text: &str, what: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(what)).unwrap();
        u64::from_str_radix(line.trim(), 16).unwrap()
    };
    assert_ne!(mask(&own, "SigIgn:") & (1 << 12), 0);
    for spawn in [
        Spawn::argv(["cat", "/proc/self/status"]),
        Spawn::argv(["cat", "/proc/self/status"]).on_pty(),
    ] {
        let theirs = spawn.coprocess().unwrap().read_text().unwrap();
        assert_eq!(mask(&theirs, "SigIgn:") & (1 << 12), 0);
        assert_eq!(mask(&theirs, "SigBlk:"), 0);
    }
    let yes = Spawn::argv(["yes"]).read().unwrap();
    assert_eq!(yes.read_line().unwrap().as_deref(), Some("y"));
    assert_eq!(yes.close().unwrap(), Some(Ended::Signal { number: 13, core: false }));
}

#[test]
fn a_child_can_be_waited_for_on_several_threads_and_signalled_meanwhile() {
    let _turn = together();
    let child = Spawn::argv(["sleep", "60"]).start().unwrap().child;
    assert_eq!(child.try_wait().unwrap(), None);
    let waiting: Vec<_> = (0..3)
        .map(|_| {
            let child = child.clone();
            thread::spawn(move || child.wait().unwrap())
        })
        .collect();
    thread::sleep(Duration::from_millis(20));
    child.signal(15).unwrap();
    for wait in waiting {
        assert_eq!(wait.join().unwrap(), Ended::Signal { number: 15, core: false });
    }
    child.signal(15).unwrap(); // nobody is hit: it has ended
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert!(child.signal(9999).is_err());
}

#[test]
fn environment_and_directory_of_a_child_can_be_set() {
    let _turn = together();
    let scratch = Scratch::new();
    let show = "echo \"$RIVER,$HOME\"; pwd";
    let handle = Spawn::shell(show)
        .env("RIVER", "hawk")
        .env_remove("HOME")
        .current_dir(scratch.path(""))
        .read()
        .unwrap();
    assert_eq!(handle.read_line().unwrap().as_deref(), Some("hawk,"));
    let directory = std::fs::canonicalize(scratch.path("")).unwrap();
    assert_eq!(handle.read_line().unwrap().as_deref(), directory.to_str());
    let bare = Spawn::argv(["/usr/bin/env"]).env_clear().env("ONLY", "this").read().unwrap();
    assert_eq!(bare.read_text().unwrap(), "ONLY=this\n");
}

#[test]
fn a_child_that_reads_nothing_makes_writing_an_error_and_its_status_is_still_had() {
    let _turn = together();
    let handle = Spawn::shell("exec <&-; sleep 0.05; exit 4").write().unwrap();
    thread::sleep(Duration::from_millis(50));
    let failed = (0..100).find_map(|_| {
        thread::sleep(Duration::from_millis(5));
        handle.print("x").and_then(|()| handle.flush()).err()
    });
    assert_eq!(failed.unwrap().kind(), ErrorKind::ReaderGone);
    assert_eq!(handle.close().unwrap(), Some(Ended::Code(4)));
}
