//! Runs a shell script around rhawk, for descriptors, limits, signals and pipelines.

use crate::build;
use crate::run::{self, Outcome};
use crate::scratch::Scratch;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Far more than any script takes.
const LIMIT: Duration = Duration::from_secs(120);

#[derive(Debug)]
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub status: i32,
}

impl Ran {
    /// Fails unless a message contains one of `words` (in any case) and the status is `status`.
    #[track_caller]
    pub fn assert_says(&self, words: &[&str], status: i32) {
        let lower = self.stderr.to_lowercase();
        assert!(
            words.iter().any(|word| lower.contains(&word.to_lowercase())),
            "stderr has none of {words:?}: {self:?}"
        );
        assert!(!lower.contains("panicked"), "{self:?}");
        assert_eq!(self.status, status, "{self:?}");
    }

    /// Fails unless the status is 0, the output this, and standard error empty.
    #[track_caller]
    pub fn assert_prints(&self, stdout: &str) {
        assert_eq!(
            (self.stdout.as_str(), self.stderr.as_str(), self.status),
            (stdout, "", 0),
            "{self:?}"
        );
    }
}

/// `$RHAWK` in its scripts is the binary.
#[derive(Debug)]
pub struct Shell {
    scratch: Scratch,
}

impl Shell {
    pub fn new() -> Shell {
        Shell { scratch: Scratch::new().expect("a directory for the test") }
    }

    pub fn dir(&self) -> &Path {
        self.scratch.path()
    }

    pub fn with_file(self, name: &str, content: impl AsRef<[u8]>) -> Shell {
        self.scratch.file(name, content).expect("a file for the test");
        self
    }

    pub fn content(&self, name: &str) -> String {
        let bytes = std::fs::read(self.dir().join(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub fn command(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        command
            .args(["-c", script])
            .current_dir(self.dir())
            .env("RHAWK", build::rhawk())
            .env("LC_ALL", "en_US.UTF-8");
        for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR"] {
            command.env_remove(variable);
        }
        command
    }

    /// Runs a script to its end, with empty standard input.
    #[track_caller]
    pub fn run(&self, script: &str) -> Ran {
        let mut command = self.command(script);
        command.stdin(Stdio::null());
        let Outcome { produced, stderr, timed_out, .. } =
            run::finish(command, None, LIMIT).expect("sh");
        assert!(!timed_out, "still running after {LIMIT:?}: {script}");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ran { stdout: text(produced.stdout), stderr: text(stderr), status: produced.status }
    }
}

impl Default for Shell {
    fn default() -> Shell {
        Shell::new()
    }
}
