//! Runs both awks and compares.

use crate::bytes;
use crate::complaints::Complaints;
use crate::dialect::Dialect;
use crate::prelude;
use crate::programs::Case;
use crate::rival::Rival;
use riverhawk_tests::run;
use riverhawk_tests::scratch::Scratch;
use std::io;
use std::process::{Command, Stdio};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(10);

/// Summer time by rules in the name: no table of zones is needed.
const ZONE: &str = "EST5EDT,M3.2.0,M11.1.0";

const REPEATED: usize = 9;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    pub stdout: Vec<u8>,
    pub status: i32,
    pub stderr: Vec<u8>,
}

pub struct Pair {
    pub oracle: Ran,
    pub ours: Ran,
    names: (String, String),
    rival: Rival,
    /// The oracle's answer proves nothing.
    beyond_oracle: bool,
    /// The results of the awks that must agree with the oracle.
    witnesses: Vec<Ran>,
    posix: bool,
}

impl Pair {
    /// Same output, status and complaints, or the oracle's answer proves nothing: it was killed,
    /// ran out of time, printed freed memory (bytes 0), or ordered invalid text by a locale.
    pub fn agree(&self) -> bool {
        if self.rival.is_same_awk() {
            return self.oracle == self.ours;
        }
        if self.beyond_oracle || !self.is_witnessed() {
            return true;
        }
        if !self.witnesses.is_empty() {
            return self.ours.status == 0 && self.ours.stdout == self.oracle.stdout;
        }
        let killed = self.oracle.status < 0 || self.oracle.status >= 256;
        let damaged = self.oracle.stdout.contains(&0) && !self.ours.stdout.contains(&0);
        let same_output =
            self.oracle.stdout == self.ours.stdout && self.oracle.status == self.ours.status;
        // Each awk has its own complaints about an invalid program, status 1.
        let same_complaints = || self.oracle_complaints().agree(&self.our_complaints());
        let cut = self.posix
            && String::from_utf8_lossy(&self.oracle.stderr).contains("Invalid multibyte");
        // With -M gawk prints a format literally for a negative number of more than 64 bits, an
        // infinity as an integer (--posix), or groups the minus as a digit.
        let grouped = |ran: &Ran| ran.stdout.windows(2).any(|text| text == b"-,");
        let damaged = damaged
            || grouped(&self.oracle) && !grouped(&self.ours)
            || self.oracle.stdout.windows(5).any(|text| text == b"*.*R*")
            || self.posix && self.oracle.stdout.windows(4).any(|text| text == b"e-32");
        killed || damaged || cut || (same_output && (self.oracle.status == 1 || same_complaints()))
    }

    /// Whether the language defines an answer: all awks give the same without complaint.
    pub fn is_witnessed(&self) -> bool {
        let agrees = |ran: &Ran| ran.status == 0 && ran.stdout == self.oracle.stdout;
        self.witnesses.is_empty() || self.oracle.status == 0 && self.witnesses.iter().all(agrees)
    }

    fn oracle_complaints(&self) -> Complaints {
        Complaints::of(&self.oracle.stderr, &self.names.0)
    }

    fn our_complaints(&self) -> Complaints {
        Complaints::of(&self.ours.stderr, &self.names.1)
    }

    pub fn ended_well(&self) -> bool {
        self.oracle.status == 0 && self.ours.status == 0
    }
}

pub struct Judge {
    pub oracle: String,
    pub ours: String,
    /// Awks that must agree with the oracle, or its answer proves nothing.
    witnesses: Vec<String>,
    rival: Rival,
    scratch: Scratch,
    pub runs: u64,
}

impl Judge {
    pub fn new(rival: Rival, witnesses: &[String]) -> io::Result<Judge> {
        let (oracle, ours, witnesses) = (String::new(), String::new(), witnesses.to_vec());
        Ok(Judge { oracle, ours, witnesses, rival, scratch: Scratch::new()?, runs: 0 })
    }

    pub fn ask(&mut self, case: &Case) -> io::Result<Pair> {
        let times = if self.rival.is_same_awk() { REPEATED } else { 1 };
        let oracle = self.oracle.clone();
        let ours = self.ours.clone();
        Ok(Pair {
            oracle: self.run(&oracle, case, times)?,
            ours: self.run(&ours, case, times)?,
            names: (name_of(&oracle), name_of(&ours)),
            rival: self.rival,
            beyond_oracle: case.is_beyond_oracle(),
            posix: case.dialect == Dialect::Posix,
            witnesses: self
                .witnesses
                .clone()
                .iter()
                .map(|awk| self.run(awk, case, times))
                .collect::<Result<_, _>>()?,
        })
    }

    fn run(&mut self, awk: &str, case: &Case, times: usize) -> io::Result<Ran> {
        self.runs += 1;
        let scratch = Scratch::new()?;
        let prelude = self.scratch.file("prelude.awk", prelude::of(case.dialect))?;
        let program = self.scratch.file("program.awk", bytes::written(&case.text()))?;
        let mut words = awk.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command
            .args(words)
            .args(case.dialect.options())
            .args(case.switches.options())
            .arg("-f")
            .arg(&prelude)
            .arg("-f")
            .arg(&program);
        command.args(&case.operands).current_dir(scratch.path());
        command.env_clear().env("LC_ALL", case.locale()).env("TZ", ZONE);
        // Commands that sort use the oracle's locales.
        for name in ["PATH", "LOCPATH"] {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        if case.operands.is_empty() {
            let input = self.scratch.file("input", case.input_bytes().repeat(times))?;
            command.stdin(std::fs::File::open(&input)?);
        } else {
            let [first, second] = case.halves();
            scratch.file("in1", first.repeat(times))?;
            scratch.file("in2", second.repeat(times))?;
            command.stdin(Stdio::null());
        }
        let outcome = run::finish(command, None, LIMIT)?;
        let status = if outcome.timed_out { -1 } else { outcome.produced.status };
        Ok(Ran { stdout: outcome.produced.stdout, status, stderr: outcome.stderr })
    }
}

fn name_of(command: &str) -> String {
    let path = command.split_whitespace().next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default().to_owned()
}
