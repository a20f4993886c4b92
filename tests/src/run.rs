//! Runs one awk on one row under one configuration.

use crate::escape;
use crate::row::{Result as Produced, Row};
use crate::scratch::Scratch;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// An awk: a program, and words before all others (`busybox awk`).
#[derive(Clone, Debug)]
pub struct Awk {
    /// The executable: a path, or a name found in `PATH`.
    pub program: PathBuf,
    pub leading: Vec<String>,
}

impl Awk {
    pub fn new(command: &str) -> Awk {
        let mut words = command.split_whitespace().map(str::to_owned);
        Awk { program: words.next().unwrap_or_default().into(), leading: words.collect() }
    }

    pub fn is_installed(&self) -> bool {
        let mut probe = self.command();
        probe
            .arg("BEGIN { exit 0 }")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        probe.status().is_ok_and(|s| s.success())
    }

    /// Checks that a gawk knows the locale in which awks are compared; others count bytes
    /// everywhere.
    ///
    /// # Errors
    /// What has to be installed.
    pub fn knows_the_locale(&self) -> Result<(), String> {
        let mut probe = self.command();
        probe
            .arg("BEGIN { exit \"version\" in PROCINFO && length(\"é\") != 1 }")
            .env("LC_ALL", "en_US.UTF-8");
        match probe.stdin(Stdio::null()).status() {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => {
                Err("the locale en_US.UTF-8 is not installed, without which gawk counts bytes: \
                `apt-get install locales`, then `localedef -i en_US -f UTF-8 en_US.UTF-8`"
                    .to_owned())
            }
            Err(error) => Err(format!("{}: {error}", self.program.display())),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.leading);
        command
    }
}

/// How the input reaches the program, and the size of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Config {
    /// Standard input is a file; the awk chooses its window.
    Default,
    Window(usize),
    Pipe,
    Operand,
    /// Cut into pieces for a number of threads, of a number of bytes; input from a file.
    Pieces(usize, usize),
    Tier(Tier),
}

/// All but the first two and the last specialise at the first observation, and the program waits
/// for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// The program as it is written, interpreted.
    Interpreter,
    /// Observing and planning, without machine code.
    Observed,
    Eager,
    NoInline,
    /// All but entering machine code in the middle of a loop.
    NoOsr,
    Racing,
    /// All, with a profile of the time.
    Profiled,
}

impl Tier {
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Interpreter => "interpreter",
            Tier::Observed => "observed",
            Tier::Eager => "eager",
            Tier::NoInline => "no-inline",
            Tier::NoOsr => "no-osr",
            Tier::Racing => "racing",
            Tier::Profiled => "profiled",
        }
    }

    pub const fn options(self) -> &'static [&'static str] {
        match self {
            Tier::Interpreter => {
                &["--no-jit", "--no-inline", "--no-pass=forms", "--no-pass=locals"]
            }
            Tier::Observed => &["--no-jit", "--spesh-nodelay", "--spesh-blocking"],
            Tier::Eager => &["--spesh-nodelay", "--spesh-blocking"],
            Tier::NoInline => &["--no-inline", "--spesh-nodelay", "--spesh-blocking"],
            Tier::NoOsr => &["--no-osr", "--spesh-nodelay", "--spesh-blocking"],
            Tier::Racing => &["--spesh-nodelay"],
            Tier::Profiled => &["--profile=text:/dev/null", "--spesh-nodelay", "--spesh-blocking"],
        }
    }
}

impl Config {
    /// Window sizes that cut each separator everywhere, all kinds of input, pieces of a few bytes
    /// on two and three threads, and each set of the specialiser's parts.
    pub const ALL: [Config; 18] = [
        Config::Default,
        Config::Window(1),
        Config::Window(2),
        Config::Window(3),
        Config::Window(7),
        Config::Window(65_536),
        Config::Pipe,
        Config::Operand,
        Config::Pieces(2, 1),
        Config::Pieces(2, 16),
        Config::Pieces(3, 5),
        Config::Tier(Tier::Interpreter),
        Config::Tier(Tier::Observed),
        Config::Tier(Tier::Eager),
        Config::Tier(Tier::NoInline),
        Config::Tier(Tier::NoOsr),
        Config::Tier(Tier::Racing),
        Config::Tier(Tier::Profiled),
    ];

    /// Six for this row: as users run it, with all of it compiled at once, and in turn one of the
    /// windows, sources, cuts and tiers, so that the rows together run under all.
    pub fn in_turn(number: usize) -> Vec<Config> {
        const WINDOWS: [usize; 5] = [1, 2, 3, 7, 65_536];
        const SOURCES: [Config; 2] = [Config::Pipe, Config::Operand];
        const CUTS: [(usize, usize); 3] = [(2, 1), (2, 16), (3, 5)];
        const TIERS: [Tier; 6] = [
            Tier::Interpreter,
            Tier::Observed,
            Tier::NoInline,
            Tier::NoOsr,
            Tier::Racing,
            Tier::Profiled,
        ];
        let (threads, size) = CUTS[number % CUTS.len()];
        vec![
            Config::Default,
            Config::Tier(Tier::Eager),
            Config::Window(WINDOWS[number % WINDOWS.len()]),
            SOURCES[number % SOURCES.len()],
            Config::Pieces(threads, size),
            Config::Tier(TIERS[number % TIERS.len()]),
        ]
    }

    /// The default, and all that [`Config::in_turn`] leaves out.
    pub fn rest(number: usize) -> Vec<Config> {
        let in_turn = Config::in_turn(number);
        let is_left = |config: &Config| *config == Config::Default || !in_turn.contains(config);
        Config::ALL.into_iter().filter(is_left).collect()
    }

    /// Those that need no option of rhawk's own.
    pub const PORTABLE: [Config; 3] = [Config::Default, Config::Pipe, Config::Operand];

    pub fn name(self) -> String {
        match self {
            Config::Default => "default".to_owned(),
            Config::Window(n) => format!("window-{n}"),
            Config::Pipe => "pipe".to_owned(),
            Config::Operand => "operand".to_owned(),
            Config::Pieces(threads, size) => format!("j{threads}-{size}"),
            Config::Tier(tier) => tier.name().to_owned(),
        }
    }

    pub fn applies_to(self, row: &Row) -> bool {
        let program = row.program.as_deref().unwrap_or(b"");
        let mentions = |word: &str| program.windows(word.len()).any(|w| w == word.as_bytes());
        if !row.configs.is_empty() && !row.configs.contains(&self.name()) {
            return false;
        }
        match self {
            Config::Default | Config::Tier(_) => true,
            Config::Window(_) => row.input.is_some() || !row.files.is_empty(),
            // Standard input is a file here too, with all its names.
            Config::Pieces(..) => row.input.is_some() || row.has_operands(),
            Config::Pipe => row.input.is_some(),
            // The input's name, or another reader of it, must not be visible; an operand sets FNR
            // to 0.
            Config::Operand => {
                let shows = [
                    "FILENAME",
                    "ARG",
                    "FNR = ",
                    "stdin",
                    "\"-\"",
                    "system",
                    "| getline",
                    "|getline",
                ];
                row.input.is_some()
                    && !row.has_operands()
                    && !shows.iter().any(|word| mentions(word))
            }
        }
    }
}

#[derive(Debug, Default)]
pub struct Outcome {
    pub produced: Produced,
    pub stderr: Vec<u8>,
    /// None for a missing file.
    pub created: Vec<Option<Vec<u8>>>,
    pub timed_out: bool,
}

const OPERAND: &str = "input.data";

/// Inherited variables: where commands are found, and those of `tests/weave`.
const INHERITED: [&str; 3] = ["PATH", "RIVERHAWK_MUTANT", "RIVERHAWK_REACHED"];

/// Runs it in a directory of its own, without other environment variables.
pub fn run(awk: &Awk, row: &Row, config: Config, limit: Duration) -> io::Result<Outcome> {
    let scratch = Scratch::new()?;
    for (name, content) in &row.files {
        scratch.file(name, content)?;
    }
    let mut command = awk.command();
    if let Config::Window(size) = config {
        command.arg(format!("--window-size={size}"));
    }
    if let Config::Pieces(threads, size) = config {
        command.args([format!("--jobs={threads}"), format!("--piece-size={size}")]);
    }
    if let Config::Tier(tier) = config {
        command.args(tier.options());
    }
    command.args(row.command_line().into_iter().map(OsString::from_vec));
    command.current_dir(scratch.path()).env_clear().env("LC_ALL", row.lc_all());
    command.envs(INHERITED.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    for word in escape::words(&row.env).unwrap_or_default() {
        let mut parts =
            word.bytes.splitn(2, |&b| b == b'=').map(|part| OsString::from_vec(part.to_vec()));
        if let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            command.env(name, value);
        }
    }
    let piped = match (&row.input, config) {
        (None, _) => None,
        (Some(input), Config::Pipe) => {
            command.stdin(Stdio::piped());
            Some(input.clone())
        }
        (Some(input), _) => {
            let path = scratch.file(OPERAND, input)?;
            if config == Config::Operand {
                command.arg(OPERAND).stdin(Stdio::null());
            } else {
                command.stdin(std::fs::File::open(&path)?);
                std::fs::remove_file(path)?;
            }
            None
        }
    };
    if row.input.is_none() {
        command.stdin(Stdio::null());
    }
    let mut outcome = finish(command, piped, limit)?;
    outcome.created =
        row.creates.iter().map(|(name, _)| std::fs::read(scratch.path().join(name)).ok()).collect();
    Ok(outcome)
}

/// Kills the command's process group at the limit.
pub fn finish(
    mut command: Command,
    input: Option<Vec<u8>>,
    limit: Duration,
) -> io::Result<Outcome> {
    let deadline = Instant::now() + limit;
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).spawn()?;
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        // A program may end before it has read everything.
        std::thread::spawn(move || stdin.write_all(&input).is_ok());
    }
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    let mut outcome = Outcome::default();
    for (from, into) in [(stdout, &mut outcome.produced.stdout), (stderr, &mut outcome.stderr)] {
        match from.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(bytes) => *into = bytes,
            Err(RecvTimeoutError::Disconnected) => {}
            Err(RecvTimeoutError::Timeout) => outcome.timed_out = true,
        }
    }
    let status = wait_until(&mut child, deadline)?;
    outcome.timed_out |= status.is_none();
    if outcome.timed_out {
        // The group: what the program started must end too.
        let _ = Command::new("kill").args(["-9", "--", &format!("-{}", child.id())]).status();
        child.wait()?;
    }
    outcome.produced.status =
        status.map_or(-1, |s| s.code().unwrap_or_else(|| 256 + s.signal().unwrap_or(0)));
    Ok(outcome)
}

fn collect(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe
            && pipe.read_to_end(&mut bytes).is_ok()
        {
            let _ = send.send(bytes);
        }
    });
    receive
}

/// The status, or none at the deadline. Its pipes are closed by now, so it ends soon.
fn wait_until(child: &mut Child, deadline: Instant) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(50);
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(Some(status)),
            None if Instant::now() >= deadline => return Ok(None),
            None => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
