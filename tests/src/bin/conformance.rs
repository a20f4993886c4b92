//! Writes `docs/conformance.md` from the corpus.

use riverhawk_tests::{conformance, load};
use std::process::ExitCode;

fn main() -> ExitCode {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/conformance.md");
    let written = load::load(&[]).and_then(|files| {
        std::fs::write(path, conformance::page(&files)).map_err(|e| format!("{path}: {e}"))
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("conformance: {message}");
            ExitCode::from(1)
        }
    }
}
