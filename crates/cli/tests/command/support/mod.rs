//! Runs the command with standard input from a test.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// In UTF-8.
pub fn run_in(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rhawk"))
        .args(args)
        .current_dir(folder)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}
