//! Writes the linker script that puts the code of every run in one place, at the beginning: `crates/cli/first.ld`.
//!
//! Out of 9 MB of machine code a run needs 1 MB, and without this it lies scattered: the kernel maps whole blocks of pages around each
//! one that is touched, so that a third of the binary would come into memory. Programs run under valgrind say which functions they
//! execute; the script names their sections, those of an empty program first.
//!
//! ```text
//! RIVERHAWK_UNORDERED=1 CARGO_PROFILE_RELEASE_STRIP=none cargo build --release -p riverhawk-cli
//! cargo run -p riverhawk-bench --bin first-code -- target/release/rhawk > first.ld && mv first.ld crates/cli/first.ld
//! ```
//!
//! Names in the script are without the hashes that compilers put into them, so it holds for other builds and other compilers. What has
//! been renamed since is not found, and stays where it would be without the script: nothing breaks, the run just takes more memory.

mod executed;
mod names;
mod programs;

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

const HEAD: &str = "/* The code of every run, in one place: fewer pages are read and mapped. `cargo run -p riverhawk-bench --bin first-code` writes this. */
SECTIONS
{
  .text.first :
  {
";

const TAIL: &str = "  }
}
INSERT BEFORE .text;
";

fn main() -> ExitCode {
    let Some(binary) = std::env::args_os().nth(1) else {
        eprintln!("usage: first-code RHAWK\nRHAWK is a release build with its symbols; valgrind has to be installed.");
        return ExitCode::FAILURE;
    };
    match write(Path::new(&binary)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("first-code: {}: {error}", Path::new(&binary).display());
            ExitCode::FAILURE
        }
    }
}

fn write(binary: &Path) -> io::Result<()> {
    let input = programs::input()?;
    let patterns = patterns(binary, &input);
    fs::remove_file(&input)?;
    let patterns = patterns?;
    let mut out = io::stdout().lock();
    out.write_all(HEAD.as_bytes())?;
    for pattern in patterns {
        writeln!(out, "    *(.text.{pattern})")?;
    }
    out.write_all(TAIL.as_bytes())?;
    out.flush()
}

/// What matches the functions that the programs execute, in the order of the programs.
fn patterns(binary: &Path, input: &Path) -> io::Result<Vec<String>> {
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for arguments in programs::ALL {
        let functions = executed::functions(binary, arguments, input)?;
        // Valgrind has other names for what has no symbol.
        let named =
            functions.iter().filter(|name| name.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic()));
        let patterns: BTreeSet<String> = named.map(|name| names::pattern(name)).collect();
        found.extend(patterns.into_iter().filter(|pattern| seen.insert(pattern.clone())));
    }
    match found.len() {
        0..500 => Err(io::Error::other(
            "it has no symbols where valgrind looks for them: build it with RIVERHAWK_UNORDERED=1 CARGO_PROFILE_RELEASE_STRIP=none",
        )),
        _ => Ok(found),
    }
}
