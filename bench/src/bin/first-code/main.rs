//! Writes the linker script that puts the code of every run in one place, at the beginning: `crates/cli/first.ld`.
//!
//! Out of 9 MB of machine code a run needs 1 MB, and without this it lies scattered: the kernel maps whole blocks of pages around each
//! one that is touched, so that a third of the binary would come into memory. Programs run under valgrind say which functions they
//! execute; the script names their sections, those of an empty program first.
//!
//! ```text
//! CARGO_PROFILE_RELEASE_STRIP=none cargo build --release -p riverhawk-cli
//! cargo run -p riverhawk-bench --bin first-code -- target/release/rhawk > first.ld && mv first.ld crates/cli/first.ld
//! ```
//!
//! Names in the script are without the hashes that compilers put into them, so it holds for other builds and other compilers. What has
//! been renamed since is not found, and stays where it would be without the script: nothing breaks, the run just takes more memory.

mod executed;
mod names;
mod programs;

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Generic functions of which there are more instances than this stay where they are, unless they are small: a name without its hash
/// stands for all of them.
const MOST_INSTANCES: usize = 8;

/// What all instances of a generic function may take, in bytes, if there are more than [`MOST_INSTANCES`].
const SMALL: u64 = 4096;

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
        eprintln!(
            "usage: first-code RHAWK\nRHAWK is a release build with its symbols; valgrind and nm have to be installed."
        );
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
    let sizes = names::sizes(binary)?;
    let mut groups: HashMap<String, (usize, u64)> = HashMap::new();
    for (name, size) in &sizes {
        let group = groups.entry(names::pattern(name)).or_default();
        group.0 += 1;
        group.1 += size;
    }
    let input = programs::input()?;
    let written = patterns(binary, &groups, &input);
    fs::remove_file(&input)?;
    let mut out = io::stdout().lock();
    out.write_all(HEAD.as_bytes())?;
    for pattern in written? {
        writeln!(out, "    *(.text.{pattern})")?;
    }
    out.write_all(TAIL.as_bytes())?;
    out.flush()
}

/// What matches the functions that the programs execute, in the order of the programs.
fn patterns(binary: &Path, groups: &HashMap<String, (usize, u64)>, input: &Path) -> io::Result<Vec<String>> {
    let mut written = Vec::new();
    for arguments in programs::ALL {
        let mut patterns: Vec<String> =
            executed::functions(binary, arguments, input)?.iter().map(|name| names::pattern(name)).collect();
        patterns.sort();
        for pattern in patterns {
            let is_fit = groups.get(&pattern).is_some_and(|&(count, size)| count <= MOST_INSTANCES || size <= SMALL);
            if is_fit && !written.contains(&pattern) {
                written.push(pattern);
            }
        }
    }
    Ok(written)
}
