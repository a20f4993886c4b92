//! A run ends soon after it is cancelled, whatever it does, and leaves nothing behind.
#![cfg(target_os = "linux")]

use riverhawk_engine::{
    Cancel, CommandLine, CompileOptions, Config, Limits, MachineConfig, Outcome, Source, compile,
};
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// Far more than a run takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(1);

/// The tests count what the process holds, so they run one after the other.
static ALONE: Mutex<()> = Mutex::new(());

fn run(program: &str, operands: &[PathBuf], machine: MachineConfig) -> Outcome {
    let options = CompileOptions { limited: true, ..CompileOptions::default() };
    let program = compile(vec![Source::new("p", program)], &options).unwrap();
    let operands = operands.iter().map(|path| path.to_str().unwrap().into()).collect();
    let command_line = CommandLine { operands, ..CommandLine::default() };
    program.run(Config { machine: MachineConfig { command_line, ..machine }, ..Config::default() })
}

fn with(cancel: &Cancel) -> MachineConfig {
    MachineConfig { cancel: Some(cancel.clone()), ..MachineConfig::default() }
}

#[track_caller]
fn ends(program: &str, operands: &[PathBuf]) {
    let cancel = Cancel::new();
    let (outcome, took) = thread::scope(|scope| {
        let running = scope.spawn(|| {
            let outcome = run(program, operands, with(&cancel));
            (outcome, Instant::now())
        });
        thread::sleep(Duration::from_millis(150));
        assert!(!running.is_finished(), "{program}");
        let asked = Instant::now();
        cancel.cancel();
        let (outcome, ended) = running.join().unwrap();
        (outcome, ended - asked)
    });
    println!("{:6} us: {program}", took.as_micros());
    let messages: Vec<_> = outcome.errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(messages, ["the run was cancelled"], "{program}");
    assert!(took < PATIENCE, "{program}: {took:?}");
}

/// Numbers of open descriptors, and of child processes not yet waited for.
fn held() -> (usize, usize) {
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let children = tasks
        .filter_map(|task| fs::read_to_string(task.unwrap().path().join("children")).ok())
        .map(|list| list.split_whitespace().count())
        .sum();
    (fs::read_dir("/proc/self/fd").unwrap().count(), children)
}

/// Commands that were killed are waited for soon, too.
#[track_caller]
fn assert_nothing_more_is_held(before: (usize, usize)) {
    let begun = Instant::now();
    let holds_more = || {
        let (descriptors, processes) = held();
        descriptors > before.0 || processes > before.1
    };
    while holds_more() && begun.elapsed() < Duration::from_secs(5) {
        thread::sleep(Duration::from_millis(20));
    }
    assert!(!holds_more(), "{:?} before, now {:?}", before, held());
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("rhawk-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn loops_and_long_operations_end() {
    let _alone = ALONE.lock();
    for program in [
        "BEGIN { while (1) i++ }",
        "BEGIN { while (1) { } }",
        "function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { f(90) }",
        "BEGIN { for (i = 0; i < 9; i++) a[i]; while (1) for (k in a) s += a[k] }",
        "BEGIN { s = sprintf(\"%50000000s\", \"\"); while (1) { t = s; gsub(/ /, \"ab\", t) } }",
        "BEGIN { s = sprintf(\"%50000000s\", \"\"); while (1) gensub(/( )/, \"<\\\\1>\", \"g\", s) }",
        "BEGIN { $0 = sprintf(\"%50000000s\", \"\"); while (1) { gsub(/ /, \"x\"); gsub(/x/, \" \") } }",
        "BEGIN { s = sprintf(\"%50000000s\", \"\"); gsub(/ /, \"a \", s); while (1) split(s, a) }",
        "@load \"time\"; BEGIN { sleep(1000) }",
    ] {
        ends(program, &[]);
    }
}

#[test]
fn waiting_for_input_ends() {
    let _alone = ALONE.lock();
    let folder = Folder::new("cancel");
    let fifo = folder.0.join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    // Open for both, so that neither end waits.
    let other_end = fs::File::options().read(true).write(true).open(&fifo).unwrap();
    let name = fifo.to_str().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let before = held();
    ends("{ n++ }", std::slice::from_ref(&fifo));
    ends("BEGIN { while (1) getline }", std::slice::from_ref(&fifo));
    ends(&format!("BEGIN {{ getline line < \"{name}\" }}"), &[]);
    ends("BEGIN { \"sleep 1000\" | getline }", &[]);
    ends("BEGIN { \"cat\" |& getline }", &[]);
    ends(&format!("BEGIN {{ \"/inet/tcp/0/127.0.0.1/{port}\" |& getline }}"), &[]);
    assert_nothing_more_is_held(before);
    drop(other_end);
}

#[test]
fn waiting_for_commands_ends_and_they_are_ended() {
    let _alone = ALONE.lock();
    let mut bystander = Command::new("sleep").arg("1000").spawn().unwrap();
    let before = held();
    for program in [
        "BEGIN { system(\"sleep 1000\") }",
        "BEGIN { system(\"sleep 1000 & sleep 1000 & wait\") }",
        "BEGIN { system(\"trap : TERM; while :; do sleep 0.1; done\") }",
        "BEGIN { print | \"sleep 1000\"; close(\"sleep 1000\") }",
        "BEGIN { print | \"sleep 1000\" }",
        "BEGIN { print |& \"sleep 1000\"; close(\"sleep 1000\") }",
        "BEGIN { \"trap : TERM; while :; do sleep 0.1; done\" | getline }",
    ] {
        ends(program, &[]);
    }
    assert_nothing_more_is_held(before);
    assert!(bystander.try_wait().unwrap().is_none(), "it is none of the runs'");
    bystander.kill().unwrap();
    bystander.wait().unwrap();
}

#[test]
fn one_handle_ends_all_its_runs_and_those_that_begin_later() {
    let _alone = ALONE.lock();
    let (cancel, other) = (Cancel::new(), Cancel::new());
    thread::scope(|scope| {
        let endless = || run("BEGIN { while (1) i++ }", &[], with(&cancel));
        let runs = [scope.spawn(endless), scope.spawn(endless)];
        let finite = scope.spawn(|| run("BEGIN { while (i < 2e6) i++ }", &[], with(&other)));
        thread::sleep(Duration::from_millis(50));
        cancel.cancel();
        for run in runs {
            assert_eq!(run.join().unwrap().errors[0].message, "the run was cancelled");
        }
        assert!(finite.join().unwrap().errors.is_empty());
    });
    let outcome = run("BEGIN { while (1) i++ }", &[], with(&cancel));
    assert_eq!((outcome.status, outcome.errors.len()), (2, 1));
    assert_eq!(outcome.errors[0].span.map(|span| span.start), Some(15), "the loop");
    assert!(cancel.is_cancelled() && !other.is_cancelled());
}

#[test]
fn runs_have_time_limits_of_their_own() {
    let _alone = ALONE.lock();
    let limited = |milliseconds| MachineConfig {
        limits: Limits { timeout: Some(Duration::from_millis(milliseconds)), ..Limits::default() },
        ..MachineConfig::default()
    };
    let endless = "BEGIN { while (1) i++ }";
    let begun = Instant::now();
    thread::scope(|scope| {
        let long = scope.spawn(|| (run(endless, &[], limited(400)), begun.elapsed()));
        let short = scope.spawn(|| (run(endless, &[], limited(100)), begun.elapsed()));
        let commands = scope.spawn(|| run("BEGIN { system(\"sleep 1000\") }", &[], limited(50)));
        for (run, limit) in [(short, 100), (long, 400)] {
            let (outcome, took) = run.join().unwrap();
            println!("{limit} ms: {took:?}");
            let message = format!("the time limit of {limit}ms is reached");
            assert_eq!(outcome.errors[0].message, message);
            assert!(took >= Duration::from_millis(limit));
            assert!(took < Duration::from_millis(limit) + PATIENCE);
        }
        assert_eq!(commands.join().unwrap().errors.len(), 1);
    });
    assert!(run("BEGIN { i++ }", &[], limited(10_000)).errors.is_empty());
}
