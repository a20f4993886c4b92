//! Standard streams on any thread, in child processes that run one scenario of this test program.

mod scratch;

use riverhawk_handle::{ErrorKind, Handle, Redirect, Spawn, close_all};
use scratch::Scratch;
use std::thread;

const SCENARIO: &str = "RIVERHAWK_HANDLE_SCENARIO";

fn play(scenario: &str) -> Spawn {
    let program = std::env::current_exe().unwrap();
    let arguments = ["--exact", "scenario", "--ignored", "--nocapture", "--quiet"];
    Spawn::argv([program.as_os_str()].into_iter().chain(arguments.iter().map(std::ffi::OsStr::new)))
        .env(SCENARIO, scenario)
}

/// The test harness writes to the standard output.
#[test]
#[ignore = "played by the other tests, in child processes"]
fn scenario() {
    let Ok(scenario) = std::env::var(SCENARIO) else { return };
    if scenario == "exit, the disk being full" {
        // The harness has already printed to it.
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        rustix::stdio::dup2_stdout(full).unwrap();
    }
    let (stdin, stdout, stderr) = (Handle::stdin(), Handle::stdout(), Handle::stderr());
    let on_another = |work: Box<dyn FnOnce() + Send>| thread::spawn(work).join().unwrap();
    match scenario.as_str() {
        "threads" => {
            let (reader, writer) = (stdin.clone(), stderr.clone());
            on_another(Box::new(move || {
                for line in reader.lines() {
                    writer.print(&format!("read {}", line.unwrap())).unwrap();
                }
            }));
            let out = stdout.clone();
            on_another(Box::new(move || out.print("printed elsewhere").unwrap()));
            let (first, second) = (stdout.clone(), stdin.clone());
            on_another(Box::new(move || {
                first.close().unwrap();
                second.close().unwrap();
            }));
            let write = stdout.print("x").unwrap_err().kind();
            let read = stdin.read_line().unwrap_err().kind();
            stderr.print(&format!("{write:?} {read:?}")).unwrap();
            // No other file gets the numbers.
            let file = Handle::open("/dev/null").unwrap();
            assert!(file.raw_fd().unwrap() > 2);
        }
        "pool" => {
            let pool = riverhawk_pool::Pool::new();
            let reader = stdin.clone();
            let count = pool.spawn(move || {
                reader.lines().map(Result::unwrap).filter(|line| line.contains('7')).count()
            });
            stderr.print(&count.wait().unwrap().to_string()).unwrap();
        }
        "main thread reads what a thread has begun" => {
            let reader = stdin.clone();
            on_another(Box::new(move || {
                assert_eq!(reader.read_line().unwrap().as_deref(), Some("one"))
            }));
            stderr.print(&stdin.read_line().unwrap().unwrap()).unwrap();
        }
        "exit" | "exit, the disk being full" => {
            if let Err(error) = stdout.write(b"first ") {
                stderr.print(&error.to_string()).unwrap();
                std::process::exit(2);
            }
            stdout.write(b"held back").unwrap();
            assert_eq!(stdout.pending(), 9);
            assert_eq!(stderr.buffer(), 0);
            let failures = close_all();
            let messages: Vec<_> = failures.iter().map(ToString::to_string).collect();
            stderr.print(&messages.join("; ")).unwrap();
            std::process::exit(if failures.is_empty() { 0 } else { 2 });
        }
        "close while blocked" => {
            let reader = stdin.clone();
            let blocked = thread::spawn(move || reader.read_line().unwrap_err().kind());
            thread::sleep(std::time::Duration::from_millis(50));
            stdin.close().unwrap();
            assert_eq!(blocked.join().unwrap(), ErrorKind::Closed);
            stderr.print("ended").unwrap();
        }
        "no dispatcher" => {
            let handle = Spawn::shell("sleep 0.05; echo x").coprocess().unwrap();
            handle.read_line().unwrap();
            handle.close().unwrap();
            let (reader, writer) = Handle::pipe().unwrap();
            writer.print("x").unwrap();
            reader.read_line().unwrap();
            let names = || -> Vec<String> {
                let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
                tasks
                    .filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok())
                    .collect()
            };
            let runs = || names().iter().any(|name| name.starts_with("handle-dispatch"));
            assert!(!runs());
            riverhawk_handle::Dispatcher::get().unwrap();
            while !runs() {
                thread::yield_now(); // a thread names itself when it starts
            }
            stderr.print("as it should be").unwrap();
        }
        "flags" => {
            use rustix::fs::{OFlags, fcntl_getfl};
            stdin.set_read_timeout(Some(std::time::Duration::from_millis(10)));
            assert_eq!(stdin.read_line().unwrap_err().kind(), ErrorKind::TimedOut);
            let blocking = !fcntl_getfl(rustix::stdio::stdin()).unwrap().contains(OFlags::NONBLOCK);
            stderr.print(&format!("blocking: {blocking}")).unwrap();
        }
        _ => panic!("no scenario {scenario}"),
    }
}

#[test]
fn standard_streams_are_used_on_one_thread_and_closed_on_another() {
    let scratch = Scratch::new();
    let file = scratch.with("input", "one\ntwo");
    // As a file, and as a pipe.
    for from_file in [true, false] {
        let input =
            if from_file { Redirect::To(Handle::open(&file).unwrap()) } else { Redirect::Piped };
        let process = play("threads")
            .stdin(input)
            .stdout(Redirect::Piped)
            .stderr(Redirect::Piped)
            .start()
            .unwrap();
        if let Some(stdin) = &process.stdin {
            stdin.write(b"one\ntwo").unwrap();
            stdin.close().unwrap();
        }
        let output = process.stdout.as_ref().unwrap().read_text().unwrap();
        assert!(output.contains("printed elsewhere\n"), "{output}");
        let text = process.stderr.as_ref().unwrap().read_text().unwrap();
        assert_eq!(text, "read one\nread two\nClosed Closed\n");
        process.finish().unwrap();
    }
}

#[test]
fn what_one_thread_has_read_ahead_the_next_one_gets() {
    let process = play("main thread reads what a thread has begun")
        .stdin(Redirect::Piped)
        .stdout(Redirect::Null)
        .stderr(Redirect::Piped)
        .start()
        .unwrap();
    process.stdin.as_ref().unwrap().write(b"one\ntwo\n").unwrap();
    assert_eq!(process.stderr.as_ref().unwrap().read_line().unwrap().as_deref(), Some("two"));
    assert!(process.finish().unwrap().is_success());
}

#[test]
fn standard_input_is_read_on_a_thread_of_a_pool() {
    let numbers = Spawn::argv(["seq", "1", "1000"]).read().unwrap();
    let process = play("pool")
        .stdin(Redirect::To(numbers))
        .stdout(Redirect::Null)
        .stderr(Redirect::Piped)
        .start()
        .unwrap();
    assert_eq!(process.stderr.as_ref().unwrap().read_text().unwrap(), "271\n");
    assert!(process.finish().unwrap().is_success());
}

#[test]
fn standard_output_is_flushed_at_exit_and_its_failure_told() {
    let process = play("exit").stdout(Redirect::Piped).stderr(Redirect::Piped).start().unwrap();
    let output = process.stdout.as_ref().unwrap().read_text().unwrap();
    assert!(output.ends_with("first held back"), "{output}");
    assert_eq!(process.stderr.as_ref().unwrap().read_text().unwrap(), "\n");
    assert_eq!(process.finish().unwrap().code(), Some(0));

    let process = play("exit, the disk being full")
        .stdout(Redirect::Null)
        .stderr(Redirect::Piped)
        .start()
        .unwrap();
    let text = process.stderr.as_ref().unwrap().read_text().unwrap();
    assert_eq!(text, "cannot write to standard output: No space left on device\n");
    assert_eq!(process.finish().unwrap().code(), Some(2));
}

#[test]
fn closing_standard_input_ends_its_blocked_reader() {
    let process = play("close while blocked")
        .stdin(Redirect::Piped)
        .stdout(Redirect::Null)
        .stderr(Redirect::Piped)
        .start()
        .unwrap();
    assert_eq!(process.stderr.as_ref().unwrap().read_text().unwrap(), "ended\n");
    assert!(process.finish().unwrap().is_success());
}

#[test]
fn the_dispatcher_runs_only_when_it_is_needed() {
    let process =
        play("no dispatcher").stdout(Redirect::Null).stderr(Redirect::Piped).start().unwrap();
    assert_eq!(process.stderr.as_ref().unwrap().read_text().unwrap(), "as it should be\n");
    assert!(process.finish().unwrap().is_success());
}

#[test]
fn what_is_shared_with_other_processes_stays_as_it_is() {
    let process = play("flags")
        .stdin(Redirect::Piped)
        .stdout(Redirect::Null)
        .stderr(Redirect::Piped)
        .start()
        .unwrap();
    assert_eq!(process.stderr.as_ref().unwrap().read_text().unwrap(), "blocking: true\n");
    process.finish().unwrap();
}
