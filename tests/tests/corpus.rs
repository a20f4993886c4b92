//! Runs every row of the corpus with rhawk under six configurations, so that all rows together run
//! under all.
//!
//! `cargo test -p riverhawk-tests --test corpus -- [FILTER]... [--config NAME]... [--verbose]`

use riverhawk_tests::suite::Matrix;
use riverhawk_tests::{Awk, Config, build, load, suite};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut selection = suite::Selection::default();
    let mut list = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--config" => selection.configs.extend(args.next()),
            "--verbose" => selection.verbose = true,
            "--list" => list = true,
            // Options of the usual harness reach every test of a package.
            arg if arg.starts_with('-') => {}
            _ => selection.filters.push(arg),
        }
    }
    let files = load::load(&[]).unwrap_or_else(|message| panic!("{message}"));
    let rows: Vec<_> = files.iter().flat_map(|f| f.rows()).collect();
    if list {
        rows.iter().for_each(|row| println!("{}: test", row.id()));
        return ExitCode::SUCCESS;
    }
    let rhawk = Awk { program: build::rhawk().to_owned(), leading: Vec::new() };
    // `.ci/run` uses the command `corpus` for each row under every configuration.
    let matrix = match selection.configs.is_empty() {
        true => Matrix::InTurn,
        false => Matrix::Each(&Config::ALL),
    };
    let tally = suite::run_rows(&rhawk, &rows, matrix, &selection);
    ExitCode::from(u8::from(tally.rows_failed > 0))
}
