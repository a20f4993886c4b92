//! Runs both awks and says whether they agree.

use crate::programs::{Case, PRELUDE};
use riverhawk_tests::run;
use riverhawk_tests::scratch::Scratch;
use std::io;
use std::process::Command;
use std::time::Duration;

/// Programs end by themselves; only a machine under load takes longer than a moment.
const LIMIT: Duration = Duration::from_secs(10);

/// How often the input is repeated when tiers are compared.
const REPEATED: usize = 9;

/// What one awk did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    pub stdout: Vec<u8>,
    pub status: i32,
    pub stderr: Vec<u8>,
}

/// What both did.
pub struct Pair {
    pub oracle: Ran,
    pub ours: Ran,
    /// Both are the same awk, so that they must say the same of errors, too, and neither is forgiven anything.
    same_awk: bool,
}

impl Pair {
    /// Same output and status, or the oracle's answer proves nothing: it was killed, ran out of time, or printed freed memory,
    /// which shows by bytes 0 that no program asked for.
    pub fn agree(&self) -> bool {
        if self.same_awk {
            return self.oracle == self.ours;
        }
        let killed = self.oracle.status < 0 || self.oracle.status >= 256;
        let damaged = self.oracle.stdout.contains(&0) && !self.ours.stdout.contains(&0);
        killed || damaged || (self.oracle.stdout == self.ours.stdout && self.oracle.status == self.ours.status)
    }

    /// Whether both went through to the end.
    pub fn ended_well(&self) -> bool {
        self.oracle.status == 0 && self.ours.status == 0
    }
}

/// The two awks.
pub struct Judge {
    pub oracle: String,
    pub ours: String,
    same_awk: bool,
    scratch: Scratch,
    /// Processes started.
    pub runs: u64,
}

impl Judge {
    pub fn new(oracle: String, ours: String) -> io::Result<Judge> {
        Ok(Judge { oracle, ours, same_awk: false, scratch: Scratch::new()?, runs: 0 })
    }

    /// Of one awk with different options.
    pub fn of_tiers(oracle: String, ours: String) -> io::Result<Judge> {
        Ok(Judge { same_awk: true, ..Judge::new(oracle, ours)? })
    }

    pub fn ask(&mut self, case: &Case) -> io::Result<Pair> {
        let prelude = self.scratch.file("prelude.awk", PRELUDE)?;
        let program = self.scratch.file("program.awk", case.text())?;
        let times = if self.same_awk { REPEATED } else { 1 };
        let input = self.scratch.file("input", case.input_text().repeat(times))?;
        let mut run = |awk: &str| -> io::Result<Ran> {
            self.runs += 1;
            let mut words = awk.split_whitespace();
            let mut command = Command::new(words.next().unwrap_or_default());
            command.args(words).arg("-f").arg(&prelude).arg("-f").arg(&program).current_dir(self.scratch.path());
            command.env_clear().env("LC_ALL", if case.bytes { "C" } else { "C.UTF-8" });
            command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
            command.stdin(std::fs::File::open(&input)?);
            let outcome = run::finish(command, None, LIMIT)?;
            let status = if outcome.timed_out { -1 } else { outcome.produced.status };
            Ok(Ran { stdout: outcome.produced.stdout, status, stderr: outcome.stderr })
        };
        Ok(Pair { oracle: run(&self.oracle)?, ours: run(&self.ours)?, same_awk: self.same_awk })
    }
}
