//! The whole corpus with rhawk built by `--no-default-features`: the interpreter alone.

use riverhawk_tests::suite::{self, Matrix, Selection};
use riverhawk_tests::{Awk, Config, Row, build, load};
use std::process::Command;

#[test]
fn the_interpreter_alone_gives_every_answer() {
    let awk = Awk { program: build::naive(), leading: Vec::new() };
    let loop_of_a_thousand =
        ["--dump=asm", "--spesh-nodelay", "--spesh-blocking", "BEGIN { while (i < 1000) i++ }"];
    let shown =
        Command::new(&awk.program).args(loop_of_a_thousand).output().expect("it can be started");
    assert!(shown.status.success());
    assert_eq!(String::from_utf8_lossy(&shown.stdout), "", "it has machine code");

    let files = load::load(&[]).unwrap_or_else(|message| panic!("{message}"));
    let rows: Vec<_> = files.iter().flat_map(|file| file.rows()).collect();
    let run = |rows: &[&Row], config| {
        let tally = suite::run_rows(&awk, rows, Matrix::Each(&[config]), &Selection::default());
        assert_eq!(tally.rows_failed, 0);
        tally.rows_passed
    };
    assert_eq!(run(&rows, Config::Default), rows.len());
    // Not for every program.
    let some: Vec<_> = rows.iter().copied().step_by(4).collect();
    assert!(run(&some, Config::Pieces(2, 16)) > some.len() / 4);
}
