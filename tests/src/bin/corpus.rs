//! Runs the corpus with any awk: `corpus [--awk COMMAND] [--config NAME]... [--rest] [-v] [FILTER]...`
//!
//! Without `--awk`, runs rhawk under every configuration, with `--rest` only under the default one
//! and those that the test `corpus` leaves out for a row.

use riverhawk_tests::suite::Matrix;
use riverhawk_tests::{Awk, Config, build, load, suite};
use std::process::ExitCode;

const USAGE: &str = "usage: corpus [--awk COMMAND] [--config NAME]... [--rest] [-v] [FILTER]...
  COMMAND   an awk, such as 'busybox awk'; rhawk of this workspace if not given
  NAME      default, window-1, window-2, window-3, window-7, window-65536, pipe, operand
  FILTER    a part of topic/name";

fn main() -> ExitCode {
    let mut awk = None;
    let mut of_rhawk = Matrix::Each(&Config::ALL);
    let mut selection = suite::Selection::default();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--awk" => awk = args.next(),
            "--config" => selection.configs.extend(args.next()),
            "--rest" => of_rhawk = Matrix::Rest,
            "-v" | "--verbose" => selection.verbose = true,
            arg if arg.starts_with('-') => {
                eprintln!("{USAGE}");
                return ExitCode::from(u8::from(!matches!(arg, "-h" | "--help")));
            }
            _ => selection.filters.push(arg),
        }
    }
    let files = match load::load(&[]) {
        Ok(files) => files,
        Err(message) => {
            eprintln!("corpus: {message}");
            return ExitCode::from(1);
        }
    };
    let rows: Vec<_> = files.iter().flat_map(|f| f.rows()).collect();
    let (awk, matrix) = match awk {
        Some(command) => (Awk::new(&command), Matrix::Each(&Config::PORTABLE)),
        None => {
            let rhawk = Awk { program: build::rhawk().to_owned(), leading: Vec::new() };
            (rhawk, of_rhawk)
        }
    };
    let tally = suite::run_rows(&awk, &rows, matrix, &selection);
    ExitCode::from(u8::from(tally.rows_failed > 0))
}
