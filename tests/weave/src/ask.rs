//! Asks the tests that reach a mutant, and if none fails the rows of the corpus that do.

use crate::binaries::{self, Binary, Ended};
use crate::compile;
use crate::copy::Copy;
use crate::listing::Mutant;
use crate::rows::Rows;
use crate::verdicts::{Verdict, Verdicts};

pub fn all(copy: &Copy, mutants: &[Mutant], verdicts: &mut Verdicts, most_rows: usize) -> Result<(), String> {
    let binaries = binaries::build(copy, &compile::crates(mutants))?;
    let mut rows = Rows::build(copy)?;
    let open = (1..).zip(mutants).filter(|(_, mutant)| verdicts.is_open(mutant));
    let (known, new): (Vec<_>, Vec<_>) = open.partition(|(_, mutant)| verdicts.of(mutant).is_some());
    for (number, mutant) in new.into_iter().chain(known) {
        let verdict = match own_tests(&binaries, number) {
            Some(verdict) => verdict,
            None if rows.notice(number, most_rows) => Verdict::Corpus,
            None if rows.reach(number) || binaries.iter().any(|binary| binary.reaches(number)) => Verdict::Survived,
            None => Verdict::Unreached,
        };
        eprintln!("{number}/{} {} {}", mutants.len(), verdict.name(), mutant.name);
        verdicts.add(mutant, verdict)?;
    }
    Ok(())
}

fn own_tests(binaries: &[Binary], number: u32) -> Option<Verdict> {
    binaries.iter().filter(|binary| binary.reaches(number)).find_map(|binary| match binary.run(number) {
        Ended::Passed => None,
        Ended::Failed => Some(Verdict::Tests),
        Ended::Late => Some(Verdict::Hung),
    })
}
