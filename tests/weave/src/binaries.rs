//! The crates' own tests.

use crate::copy::Copy;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Memory for a program that is changed, in KiB: one that does not end must not take the machine along.
pub const MEMORY: u32 = 6 << 20;

/// A program of tests.
pub struct Binary {
    path: PathBuf,
    /// Its package, where it expects to be started.
    package: PathBuf,
    /// What it takes of the processor without a change: of the clock it is what others leave.
    takes: Duration,
    reached: BTreeSet<u32>,
}

/// What came of it.
pub enum Ended {
    Passed,
    Failed,
    /// It took several times longer than without a change.
    Late,
}

/// Builds the tests of the crates, and runs them as they are to see what they reach; the fastest come first.
pub fn build(copy: &Copy, crates: &BTreeSet<&str>) -> Result<Vec<Binary>, String> {
    eprintln!("mutants: building and running the tests without a change");
    let mut command = copy.cargo("test");
    command.args(["--no-run", "--tests", "--message-format=json"]);
    for name in crates {
        command.args(["-p", &format!("riverhawk-{name}")]);
    }
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err("the tests do not compile; try `cargo check --tests` in the copy".to_owned());
    }
    let messages =
        output.stdout.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let binary = |message: Value| {
        let path = PathBuf::from(message["executable"].as_str()?);
        let package = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
        let is_test = message["profile"]["test"] == true;
        is_test.then(|| Binary { path, package, takes: Duration::from_secs(200), reached: BTreeSet::new() })
    };
    let mut binaries: Vec<Binary> = messages.filter_map(binary).collect();
    let trace = copy.beside("reached");
    for binary in &mut binaries {
        let _ = std::fs::remove_file(&trace);
        let before = processor_time();
        if !matches!(binary.ended("RIVERHAWK_REACHED", &trace.to_string_lossy()), Ended::Passed) {
            return Err(format!("{} fails without a change", binary.path.display()));
        }
        binary.takes = processor_time() - before;
        binary.reached = numbers(&trace);
    }
    binaries.sort_by_key(|binary| binary.takes);
    Ok(binaries)
}

/// What the programs took that were started here and have ended.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may hold anything: hundredths of a second in programs, and in the system for them.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields
        .skip(13)
        .take(2)
        .filter_map(|field| field.parse().ok())
        .map(|ticks: u64| Duration::from_millis(10 * ticks))
        .sum()
}

/// What a program has written that was watched.
pub fn numbers(trace: &Path) -> BTreeSet<u32> {
    std::fs::read_to_string(trace).unwrap_or_default().lines().filter_map(|line| line.parse().ok()).collect()
}

impl Binary {
    pub fn reaches(&self, number: u32) -> bool {
        self.reached.contains(&number)
    }

    /// Runs it with this mutant, to the first test that fails.
    pub fn run(&self, number: u32) -> Ended {
        self.ended("RIVERHAWK_MUTANT", &number.to_string())
    }

    fn ended(&self, name: &str, value: &str) -> Ended {
        let seconds = self.takes.as_secs() * 3 + 3;
        let limits = format!("ulimit -t {seconds}; ulimit -v {MEMORY}; exec \"$0\"");
        let mut command = Command::new("sh");
        command.args(["-c", &limits]).arg(&self.path).current_dir(&self.package).env(name, value);
        command.envs([("PROPTEST_CASES", "48"), ("PROPTEST_MAX_SHRINK_ITERS", "0"), ("RIVERHAWK_GAWK_CASES", "40")]);
        command.envs([("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true"), ("RUST_BACKTRACE", "0")]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        match command.spawn() {
            Ok(child) => watched(child, Duration::from_secs(seconds * 12 + 60)),
            Err(_) => Ended::Failed,
        }
    }
}

/// Reads what the tests say, and ends them when one has failed.
fn watched(mut child: Child, patience: Duration) -> Ended {
    let deadline = Instant::now() + patience;
    let (send, lines) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            BufReader::new(stdout).split(b'\n').map_while(Result::ok).try_for_each(|line| send.send(line))
        });
    }
    let ended = loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) if line.ends_with(b" ... FAILED") => break Some(Ended::Failed),
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => break Some(Ended::Late),
            Err(RecvTimeoutError::Disconnected) => break None,
        }
    };
    if ended.is_some() {
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status();
    }
    let Ok(status) = child.wait() else { return Ended::Failed };
    ended.unwrap_or(match status.signal() {
        // The limit of the processor's time.
        Some(9 | 24) => Ended::Late,
        _ if status.success() => Ended::Passed,
        _ => Ended::Failed,
    })
}
