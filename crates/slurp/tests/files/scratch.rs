//! A directory per test, and this test binary as another process.

use riverhawk_slurp::Spew;
use std::ffi::OsString;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

pub fn both_spews() -> [(&'static str, Spew); 2] {
    [("in place", Spew::new().in_place()), ("atomic", Spew::new().atomic())]
}

/// Deleted on drop.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Self {
        Self::under(&std::env::temp_dir())
    }

    pub fn under(parent: &Path) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("riverhawk-slurp-test-{}-{number}", std::process::id()));
        std::fs::DirBuilder::new().mode(0o755).create(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn fifo(&self, name: &str) -> PathBuf {
        let path = self.join(name);
        let status = Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(status.success());
        path
    }

    /// Sorted.
    pub fn names(&self) -> Vec<OsString> {
        let mut names: Vec<_> =
            std::fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const ROLE: &str = "RIVERHAWK_SLURP_TEST_ROLE";

/// Runs `test` of this binary as another process, in which [`role`] gives `argument`.
pub fn again(test: &str, argument: impl Into<OsString>) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(ROLE, argument.into());
    command
}

/// The argument of [`again`]; `None` in the process that runs the suite.
pub fn role() -> Option<PathBuf> {
    std::env::var_os(ROLE).map(PathBuf::from)
}

/// Root ignores permissions.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
