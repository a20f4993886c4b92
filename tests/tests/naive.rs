//! rhawk without the specialiser and without machine code, as it is built by `--no-default-features`: the interpreter alone gives
//! the answers of the whole corpus.

use riverhawk_tests::{Awk, Config, build, load, suite};

#[test]
fn the_interpreter_alone_gives_every_answer() {
    let awk = Awk { program: build::naive(), leading: Vec::new() };
    let files = load::load(&[]).unwrap_or_else(|message| panic!("{message}"));
    let rows: Vec<_> = files.iter().flat_map(|file| file.rows()).collect();
    let tally = suite::run_rows(
        &awk,
        &rows,
        &[Config::Default, Config::Window(3), Config::Pieces(2, 16)],
        &suite::Selection::default(),
    );
    assert_eq!(tally.rows_failed, 0);
    assert_eq!(tally.rows_passed, rows.len());
}
