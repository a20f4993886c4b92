//! Runs the tests that reach a mutant, then the rows of the corpus that do, then the rest.

use crate::binaries::{self, Binary, Ended};
use crate::compile;
use crate::copy::Copy;
use crate::equivalent::Equivalent;
use crate::listing::Mutant;
use crate::rows::Rows;
use crate::verdicts::{Verdict, Verdicts};
use crate::whole::Whole;
use riverhawk_tests::Config;

/// Tests the open mutants, those without any answer first.
pub fn all(
    copy: &Copy,
    mutants: &[Mutant],
    equivalent: &Equivalent,
    verdicts: &mut Verdicts,
    most_rows: usize,
) -> Result<(), String> {
    let binaries = binaries::build(copy, &compile::crates(mutants))?;
    let mut rows = Rows::build(copy, &[Config::Default])?;
    let open = (1..).zip(mutants).filter(|(_, mutant)| verdicts.is_open(mutant, equivalent));
    let (known, new): (Vec<_>, Vec<_>) =
        open.partition(|(_, mutant)| verdicts.of(mutant).is_some());
    let mut passed = Vec::new();
    for (number, mutant) in new.into_iter().chain(known) {
        let verdict = match own_tests(&binaries, number) {
            None if rows.notice(number, most_rows) => Some(Verdict::Corpus),
            verdict => verdict,
        };
        match verdict {
            Some(verdict) => note(verdicts, number, mutant, verdict)?,
            None => passed.push((number, mutant)),
        }
    }
    if passed.is_empty() {
        return Ok(());
    }
    let mut whole = Whole::build(copy)?;
    for (number, mutant) in passed {
        let is_reached = rows.reach(number)
            || binaries.iter().any(|binary| binary.reaches(number))
            || whole.reaches(number);
        let verdict = match is_reached {
            false => Verdict::Unreached,
            true if whole.notices(number, most_rows) => Verdict::Whole,
            true => Verdict::Survived,
        };
        note(verdicts, number, mutant, verdict)?;
    }
    Ok(())
}

fn note(
    verdicts: &mut Verdicts,
    number: u32,
    mutant: &Mutant,
    verdict: Verdict,
) -> Result<(), String> {
    eprintln!("{number} {} {}", verdict.name(), mutant.name);
    verdicts.add(mutant, verdict)
}

fn own_tests(binaries: &[Binary], number: u32) -> Option<Verdict> {
    binaries.iter().filter(|binary| binary.reaches(number)).find_map(|binary| {
        match binary.run(number) {
            Ended::Passed => None,
            Ended::Failed => Some(Verdict::Tests),
            Ended::Late => Some(Verdict::Hung),
        }
    })
}
