//! The table of noticed mutants, and the list of missed ones.

use crate::draw::Part;
use crate::equivalent::Equivalent;
use crate::verdicts::{Verdict, Verdicts};
use std::fmt::Write;

pub fn table(parts: &[Part], verdicts: &Verdicts, equivalent: &Equivalent) -> String {
    let mut out = String::from(
        "| | drawn | compile | own tests | hung | corpus | whole | equivalent | missed | caught |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut missed = String::new();
    for part in parts {
        let found: Vec<_> =
            part.mutants.iter().filter_map(|mutant| Some((mutant, verdicts.of(mutant)?))).collect();
        let count =
            |wanted: Verdict| found.iter().filter(|(_, verdict)| *verdict == wanted).count();
        let caught = [Verdict::Tests, Verdict::Hung, Verdict::Corpus, Verdict::Whole].map(count);
        let (same, lost): (Vec<_>, Vec<_>) = found
            .iter()
            .filter(|(_, verdict)| verdict.is_missed())
            .partition(|(mutant, _)| equivalent.has(mutant));
        let all_caught: usize = caught.iter().sum();
        let viable = all_caught + same.len() + lost.len();
        let percent = 100.0 * all_caught as f64 / (all_caught + lost.len()).max(1) as f64;
        let [tests, hung, corpus, whole] = caught;
        let (drawn, same) = (found.len(), same.len());
        let _ = writeln!(
            out,
            "| `{}` | {drawn} | {viable} | {tests} | {hung} | {corpus} | {whole} | {same} | {} | {percent:.1}% |",
            part.name,
            lost.len()
        );
        let _ = writeln!(
            missed,
            "\n{}, {} more in constants that were not drawn:",
            part.name, part.passed_over
        );
        for (mutant, verdict) in lost {
            let _ = writeln!(missed, "  {} {}", verdict.name(), mutant.name);
        }
    }
    out + &missed
}
