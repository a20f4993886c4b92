//! A run that is cancelled ends soon, whatever it does.
//!
//! `cargo run --release -p riverhawk --example endings` shows how soon.

mod operations;

use riverhawk::filesystem::{FileSystem, InputStream};
use riverhawk::{Cancel, Limits, Permissions, Program, Run, StopCause};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// A busy machine's; what is begun takes longer, or is begun again and again.
const PATIENCE: Duration = Duration::from_secs(10);

/// Cancels `source` a while after it has called `begin()`.
fn cancel(source: &str, while_it_works: Duration) -> Duration {
    cancel_in(Run::new().permissions(Permissions::all()), source, while_it_works)
}

fn cancel_in(run: Run, source: &str, while_it_works: Duration) -> Duration {
    let (sender, begun) = mpsc::channel();
    let sender = Mutex::new(sender);
    let program = Program::builder()
        .source("p.awk", source)
        .function("begin", 0..=0, move |_: &mut riverhawk::Call<'_>| {
            sender.lock().unwrap().send(()).unwrap();
            Ok(0.0.into())
        })
        .compile()
        .unwrap_or_else(|error| panic!("{source}: {error}"));
    let handle = Cancel::new();
    let cancelled_at = Arc::new(Mutex::new(None));
    let canceller = {
        let (handle, cancelled_at) = (handle.clone(), Arc::clone(&cancelled_at));
        thread::spawn(move || {
            begun.recv().unwrap();
            thread::sleep(while_it_works);
            *cancelled_at.lock().unwrap() = Some(Instant::now());
            handle.cancel();
        })
    };
    let error = program.run(run.cancel(&handle)).expect_err(source);
    let took = cancelled_at.lock().unwrap().expect(source).elapsed();
    canceller.join().unwrap();
    assert_eq!(error.stopped(), Some(StopCause::Cancelled), "{source}: {error}");
    assert_eq!(error.outcome().text(), "", "{source}");
    took
}

#[test]
fn long_operations_end_in_the_middle() {
    let size = if cfg!(debug_assertions) { 4_000_000 } else { 64_000_000 };
    for (name, setup, operation) in operations::OPERATIONS {
        let program = operations::program(setup, operation, size);
        let took = cancel(&program, Duration::from_millis(15));
        assert!(took < PATIENCE, "{name}: {took:?}");
    }
}

fn waiting(operation: &str) -> String {
    let text = operations::FUNCTIONS;
    format!("@load \"time\"\n{text}\nBEGIN {{ begin(); {operation}; while (1) n++ }}")
}

#[test]
fn what_waits_is_woken() {
    let directory = tempfile::tempdir().unwrap();
    let fifo = directory.path().join("fifo");
    let path = fifo.to_str().unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    for (name, operation) in [
        ("opening a FIFO to read", format!("getline x < \"{path}\"")),
        ("opening a FIFO to write", format!("print 1 > \"{path}\"")),
        ("a command", "system(\"sleep 1000\")".into()),
        ("reading a command", "\"sleep 1000\" | getline x".into()),
        ("writing to a command", "while (1) print text(100000) | \"sleep 1000\"".into()),
        ("closing a command", "print | \"sleep 1000\"; close(\"sleep 1000\")".into()),
        ("a coprocess", "\"cat\" |& getline x".into()),
        ("reading a connection", format!("\"/inet/tcp/0/127.0.0.1/{port}\" |& getline x")),
        ("a connection that nobody takes", "print 1 |& \"/inet/tcp/0/10.255.255.1/9\"".into()),
        ("sleep", "sleep(1000)".into()),
        ("an endless file", "while ((getline x < \"/dev/zero\") > 0) n++".into()),
        ("an endless slurp", "x = file::slurp(\"/dev/zero\")".into()),
    ] {
        if name.contains("connection") && cfg!(not(feature = "network")) {
            continue;
        }
        let program = waiting(&operation);
        let took = cancel(&program, Duration::from_millis(100));
        assert!(took < PATIENCE, "{name}: {took:?}");
    }
}

/// A run in pieces: whether its threads are working, or it waits for input.
#[test]
fn runs_on_several_threads_end_with_their_handle_and_their_time() {
    let lines = "some line of text\n".repeat(400_000);
    let first = thread::current().id();
    let handle = Cancel::new();
    let to_cancel = handle.clone();
    // Endless where the run's helpers call it; the first records are not theirs.
    let program = Program::builder()
        .source("p.awk", "{ if (is_helper($1)) for (;;) n++ } END { print n }")
        .pure_function("is_helper", 1..=1, move |_: &mut riverhawk::Call<'_>| {
            let is_helper = thread::current().id() != first;
            if is_helper {
                let handle = to_cancel.clone();
                thread::spawn(move || {
                    thread::sleep(Duration::from_millis(50));
                    handle.cancel();
                });
            }
            Ok(f64::from(u8::from(is_helper)).into())
        })
        .compile()
        .unwrap();
    let error = program.run(Run::new().jobs(3).input(lines.as_str()).cancel(&handle)).unwrap_err();
    assert_eq!(error.stopped(), Some(StopCause::Cancelled), "{error}");
    assert_eq!(error.location().map(|place| place.line), Some(1), "{error}");
    let time = Duration::from_millis(300);
    let limits = riverhawk::Limits::none().time(time);
    let error = program.run(Run::new().jobs(3).input(lines.as_str()).limits(limits)).unwrap_err();
    assert_eq!(error.stopped(), Some(StopCause::Time(time)), "{error}");

    let handle = Cancel::new();
    let (reader, mut writer) = std::io::pipe().unwrap();
    let name = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader));
    let canceller = {
        let handle = handle.clone();
        thread::spawn(move || {
            std::io::Write::write_all(&mut writer, lines.as_bytes()).unwrap();
            thread::sleep(Duration::from_millis(100));
            handle.cancel();
            (Instant::now(), writer)
        })
    };
    let count = Program::compile("{ n++ } END { print n }").unwrap();
    let error = count.run(Run::new().jobs(3).operands([name]).cancel(&handle)).unwrap_err();
    let (cancelled_at, _writer) = canceller.join().unwrap();
    assert_eq!(error.stopped(), Some(StopCause::Cancelled), "{error}");
    assert!(cancelled_at.elapsed() < PATIENCE);
}

#[test]
fn fifos_below_a_root_are_waited_for_until_then() {
    let root = tempfile::tempdir().unwrap();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(root.path().join("fifo"))
            .status()
            .unwrap()
            .success()
    );
    for operation in ["getline x < \"fifo\"", "print 1 > \"/fifo\""] {
        let files = riverhawk::filesystem::RootedFiles::new(root.path()).unwrap();
        let run = Run::new().permissions(Permissions::all()).file_system(files);
        let took = cancel_in(run, &waiting(operation), Duration::from_millis(100));
        assert!(took < PATIENCE, "{operation}: {took:?}");
    }
}

/// Endless, and says when it is dropped.
struct Trickle(Arc<Mutex<bool>>);

impl std::io::Read for Trickle {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        thread::sleep(Duration::from_millis(1));
        bytes[..4].copy_from_slice(b"tea\n");
        Ok(4)
    }
}

impl Drop for Trickle {
    fn drop(&mut self) {
        *self.0.lock().unwrap() = true;
    }
}

#[test]
fn a_reader_is_dropped_before_its_run_returns() {
    for jobs in [1, 3] {
        for program in ["{ n++ }", "NR == 100 { exit }", "NR == 100 { print n = 1 / m }"] {
            let handle = Cancel::new();
            let canceller = {
                let handle = handle.clone();
                thread::spawn(move || {
                    thread::sleep(Duration::from_millis(300));
                    handle.cancel();
                })
            };
            let is_dropped = Arc::new(Mutex::new(false));
            let run = Run::new().jobs(jobs).stdin(Trickle(Arc::clone(&is_dropped)));
            let _ = Program::compile(program).unwrap().run(run.cancel(&handle));
            assert!(*is_dropped.lock().unwrap(), "{program} with {jobs} jobs");
            canceller.join().unwrap();

            let is_dropped = Arc::new(Mutex::new(false));
            let limits = Limits::none().time(Duration::from_millis(300));
            let run = Run::new().jobs(jobs).file_system(OneFile(Arc::clone(&is_dropped)));
            let _ = Program::compile(program).unwrap().run(run.operands(["tea"]).limits(limits));
            assert!(*is_dropped.lock().unwrap(), "{program} with {jobs} jobs, from a file system");
        }
    }
}

/// Each file is a [`Trickle`].
struct OneFile(Arc<Mutex<bool>>);

impl FileSystem for OneFile {
    fn open(&self, _: &[u8]) -> std::io::Result<InputStream> {
        Ok(InputStream::new(Trickle(Arc::clone(&self.0))))
    }
}

/// A piece that a serial run would not have reached is endless.
#[test]
fn no_function_is_called_once_its_run_has_returned() {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let program = Program::builder()
        .source(
            "p.awk",
            "/exit/ { called(); exit } /loop/ { for (;;) n += call() } END { print n }",
        )
        .pure_function("call", 0..=0, move |_: &mut riverhawk::Call<'_>| {
            counted.fetch_add(1, Ordering::Relaxed);
            Ok(1.0.into())
        })
        .pure_function("called", 0..=0, {
            let calls = Arc::clone(&calls);
            move |_: &mut riverhawk::Call<'_>| {
                // On a busy machine the other piece may not begin before this one ends.
                for _ in 0..2000 {
                    if calls.load(Ordering::Relaxed) > 0 {
                        break;
                    }
                    thread::sleep(Duration::from_millis(1));
                }
                Ok(1.0.into())
            }
        })
        .compile()
        .unwrap();
    let filler = "some line of text\n".repeat(8000);
    let input = format!("{filler}exit\n{filler}loop\n{filler}");
    let outcome = program.run(Run::new().jobs(3).piece_size(100_000).input(input)).unwrap();
    assert_eq!(outcome.text(), "\n");
    let before = calls.load(Ordering::Relaxed);
    thread::sleep(Duration::from_millis(20));
    assert_eq!(calls.load(Ordering::Relaxed), before);
}
