//! Tests that are programs: the crates' own, and those that run the command.

use crate::copy::Copy;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// In KiB: a changed program that does not end must not exhaust the machine.
pub const MEMORY: u32 = 6 << 20;

pub struct Binary {
    path: PathBuf,
    arguments: Vec<String>,
    /// Its package, the directory it starts in.
    package: PathBuf,
    rhawk: PathBuf,
    /// Processor time without a change.
    takes: Duration,
    reached: BTreeSet<u32>,
}

pub enum Ended {
    Passed,
    Failed,
    /// It took several times longer than without a change.
    Late,
}

/// Runs the tests unchanged to see what they reach; the fastest come first.
pub fn build(copy: &Copy, crates: &BTreeSet<&str>) -> Result<Vec<Binary>, String> {
    eprintln!("mutants: building and running the tests without a change");
    let packages: Vec<String> = crates.iter().map(|name| format!("riverhawk-{name}")).collect();
    let mut binaries = compiled(copy, &packages, |_| true)?;
    match watched_all(copy, &mut binaries).first() {
        Some(&at) => Err(format!("{} fails without a change", binaries[at].path.display())),
        None => Ok(binaries),
    }
}

/// Runs each test unchanged; those that fail are left out.
pub fn build_of_command(
    copy: &Copy,
    packages: &[String],
    is_wanted: fn(&str) -> bool,
) -> Result<Vec<Binary>, String> {
    eprintln!("mutants: building and running the tests of the command without a change");
    let programs = compiled(copy, packages, is_wanted)?;
    let mut tests: Vec<Binary> = programs.iter().flat_map(Binary::tests).collect();
    tests.retain(|test| is_wanted(test.arguments[0].split("::").next().unwrap_or_default()));
    let failed = watched_all(copy, &mut tests);
    for &at in &failed {
        let name = tests[at].path.file_name().unwrap_or_default().to_string_lossy();
        eprintln!(
            "mutants: left out, as it fails without a change: {name} {}",
            tests[at].arguments.join(" ")
        );
    }
    let mut at = 0..;
    tests.retain(|_| at.next().is_some_and(|at| !failed.contains(&at)));
    Ok(tests)
}

fn compiled(
    copy: &Copy,
    packages: &[String],
    is_wanted: fn(&str) -> bool,
) -> Result<Vec<Binary>, String> {
    let mut command = copy.cargo("test");
    command.args(["--no-run", "--tests", "--message-format=json"]);
    for package in packages {
        command.args(["-p", package]);
    }
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        return Err("the tests do not compile; try `cargo check --tests` in the copy".to_owned());
    }
    let messages = output
        .stdout
        .split(|&byte| byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let binary = |message: Value| {
        let path = PathBuf::from(message["executable"].as_str()?);
        let package = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
        let is_test =
            message["profile"]["test"] == true && is_wanted(message["target"]["name"].as_str()?);
        let takes = Duration::from_secs(200);
        let rhawk = copy.built("rhawk");
        is_test.then(|| Binary {
            path,
            arguments: Vec::new(),
            package,
            rhawk,
            takes,
            reached: BTreeSet::new(),
        })
    };
    Ok(messages.filter_map(binary).collect())
}

fn watched_all(copy: &Copy, binaries: &mut [Binary]) -> Vec<usize> {
    let trace = copy.beside("reached");
    let mut failed = BTreeSet::new();
    for binary in &mut *binaries {
        let _ = std::fs::remove_file(&trace);
        let before = processor_time();
        if !matches!(binary.ended("RIVERHAWK_REACHED", &trace.to_string_lossy()), Ended::Passed) {
            failed.insert((binary.path.clone(), binary.arguments.clone()));
        }
        binary.takes = processor_time() - before;
        binary.reached = numbers(&trace);
    }
    binaries.sort_by_key(|binary| binary.takes);
    let has_failed =
        |binary: &Binary| failed.contains(&(binary.path.clone(), binary.arguments.clone()));
    (0..binaries.len()).filter(|&at| has_failed(&binaries[at])).collect()
}

/// Processor time of the ended child processes.
fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name, which may contain anything: hundredths of a second of user and system time.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields
        .skip(13)
        .take(2)
        .filter_map(|field| field.parse().ok())
        .map(|ticks: u64| Duration::from_millis(10 * ticks))
        .sum()
}

/// The mutants in the trace of a program.
pub fn numbers(trace: &Path) -> BTreeSet<u32> {
    std::fs::read_to_string(trace)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.parse().ok())
        .collect()
}

impl Binary {
    pub fn reaches(&self, number: u32) -> bool {
        self.reached.contains(&number)
    }

    fn tests(&self) -> Vec<Binary> {
        let listed =
            self.command("exec \"$0\" \"$@\"").arg("--list").output().map(|output| output.stdout);
        let listed = String::from_utf8_lossy(&listed.unwrap_or_default()).into_owned();
        let names = listed.lines().filter_map(|line| line.strip_suffix(": test"));
        let test = |name: &str| Binary {
            path: self.path.clone(),
            arguments: vec![name.to_owned(), "--exact".to_owned()],
            package: self.package.clone(),
            rhawk: self.rhawk.clone(),
            takes: self.takes,
            reached: BTreeSet::new(),
        };
        names.map(test).collect()
    }

    /// Runs it with this mutant, to the first test that fails.
    pub fn run(&self, number: u32) -> Ended {
        self.ended("RIVERHAWK_MUTANT", &number.to_string())
    }

    fn ended(&self, name: &str, value: &str) -> Ended {
        let seconds = self.takes.as_secs() * 3 + 3;
        let mut command =
            self.command(&format!("ulimit -t {seconds}; ulimit -v {MEMORY}; exec \"$0\" \"$@\""));
        command
            .env(name, value)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0);
        match command.spawn() {
            Ok(child) => watched(child, Duration::from_secs(seconds * 12 + 60)),
            Err(_) => Ended::Failed,
        }
    }

    fn command(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        command
            .args(["-c", script])
            .arg(&self.path)
            .args(&self.arguments)
            .current_dir(&self.package);
        command.envs([
            ("PROPTEST_CASES", "48"),
            ("PROPTEST_MAX_SHRINK_ITERS", "0"),
            ("RIVERHAWK_GAWK_CASES", "40"),
        ]);
        command.envs([("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true"), ("RUST_BACKTRACE", "0")]);
        command.env("RHAWK", &self.rhawk);
        command
    }
}

/// Reads the output of the tests, and ends them when one has failed.
fn watched(mut child: Child, patience: Duration) -> Ended {
    let deadline = Instant::now() + patience;
    let (send, lines) = mpsc::channel();
    if let Some(stdout) = child.stdout.take() {
        std::thread::spawn(move || {
            BufReader::new(stdout)
                .split(b'\n')
                .map_while(Result::ok)
                .try_for_each(|line| send.send(line))
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
