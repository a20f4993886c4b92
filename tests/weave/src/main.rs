//! Mutation testing: which changes would no test notice? `tests/mutants` starts it.
//!
//! `cargo mutants` lists small changes of some crates. A sample is drawn ([`draw`]) and woven into
//! one copy of the tree ([`weave`]), each chosen by a number in the environment: it compiles once,
//! without what the compiler refuses ([`compile`]). Each runs in the tests that reach it ([`ask`]),
//! up to the first failure. Answers are kept in `verdicts`; missed mutants are tested again, except
//! those that [`equivalent`] knows.

mod ask;
mod binaries;
mod compile;
mod copy;
mod draw;
mod equivalent;
mod listing;
mod report;
mod rows;
mod sites;
mod verdicts;
mod weave;
mod whole;

use copy::Copy;
use equivalent::Equivalent;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use verdicts::{Verdict, Verdicts};

const USAGE: &str = "usage: tests/mutants [--table] [--count=N] [--seed=N] [--rows=N] NAME...
  NAME      a crate, or a part of vm: records, fields, getline, comparison, assignment, printf
  --table   says what is known by now, and asks nothing
  --count   mutants to draw for each name (250)
  --seed    draws others (1)
  --rows    rows of the corpus to ask of each, spread over those that reach it (all)";

struct Asked {
    only_table: bool,
    count: usize,
    seed: u64,
    rows: usize,
    names: Vec<String>,
}

fn arguments() -> Option<Asked> {
    let mut asked =
        Asked { only_table: false, count: 250, seed: 1, rows: usize::MAX, names: Vec::new() };
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("--count", count)) => asked.count = count.parse().ok()?,
            Some(("--seed", seed)) => asked.seed = seed.parse().ok()?,
            Some(("--rows", rows)) => asked.rows = rows.parse().ok()?,
            _ if argument == "--table" => asked.only_table = true,
            _ if argument.starts_with('-') => return None,
            _ => asked.names.push(argument),
        }
    }
    (!asked.names.is_empty()).then_some(asked)
}

fn run(asked: &Asked) -> Result<(), String> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tree = package.join("../..");
    let equivalent = Equivalent::read(package)?;
    let folder = PathBuf::from(
        std::env::var_os("MUTANTS").unwrap_or_else(|| "/tmp/riverhawk-mutants".into()),
    );
    let (listed, parts) = draw::parts(&tree, asked)?;
    let mut verdicts = Verdicts::read(&folder)?;
    let mut mutants = draw::union(&parts);
    mutants.retain(|mutant| verdicts.of(mutant) != Some(Verdict::Unviable));
    if !asked.only_table && mutants.iter().any(|mutant| verdicts.is_open(mutant, &equivalent)) {
        let copy = Copy::make(&tree, &folder, &compile::woven_files(&mutants))?;
        eprintln!("mutants: weaving {} into {}", mutants.len(), copy.tree().display());
        for mutant in compile::until_it_compiles(&copy, &tree, &mut mutants)? {
            verdicts.add(&mutant, Verdict::Unviable)?;
        }
        ask::all(&copy, &mutants, &equivalent, &mut verdicts, asked.rows)?;
    }
    print!("{}", report::table(&parts, &verdicts, &equivalent));
    eprint!("{}", equivalent.complaints(&listed, &parts, &verdicts));
    Ok(())
}

fn main() -> ExitCode {
    let Some(asked) = arguments() else {
        eprintln!("{USAGE}");
        return ExitCode::from(1);
    };
    match run(&asked) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("mutants: {message}");
            ExitCode::FAILURE
        }
    }
}
