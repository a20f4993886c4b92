//! The whole corpus with rhawk built by `--no-default-features`: the interpreter alone.

use riverhawk_tests::{Awk, Config, build, load, suite};
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
    let configs = [Config::Default, Config::Pieces(2, 16)];
    let tally =
        suite::run_rows(&awk, &rows, suite::Matrix::Each(&configs), &suite::Selection::default());
    assert_eq!(tally.rows_failed, 0);
    assert_eq!(tally.rows_passed, rows.len());
}
