//! Runs the command with standard input from a test.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// In UTF-8, with pipes to it.
pub fn start_in(folder: &Path, args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_rhawk"))
        .args(args)
        .current_dir(folder)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// As [`start_in`], to its end.
pub fn run_in(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut child = start_in(folder, args);
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}
