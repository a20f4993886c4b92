//! The table of what was noticed, and the list of what was not.

use crate::draw::Part;
use crate::verdicts::{Verdict, Verdicts};
use std::fmt::Write;

pub fn table(parts: &[Part], verdicts: &Verdicts) -> String {
    let mut out = String::from(
        "| | drawn | compile | own tests | hung | corpus | missed | caught |\n|---|---|---|---|---|---|---|---|\n",
    );
    let mut missed = String::new();
    for part in parts {
        let found: Vec<_> = part.mutants.iter().filter_map(|mutant| Some((mutant, verdicts.of(mutant)?))).collect();
        let count = |wanted: Verdict| found.iter().filter(|(_, verdict)| *verdict == wanted).count();
        let (tests, hung, corpus) = (count(Verdict::Tests), count(Verdict::Hung), count(Verdict::Corpus));
        let lost = count(Verdict::Unreached) + count(Verdict::Survived);
        let (caught, viable) = (tests + hung + corpus, tests + hung + corpus + lost);
        let percent = 100.0 * caught as f64 / viable.max(1) as f64;
        let _ = writeln!(
            out,
            "| `{}` | {} | {viable} | {tests} | {hung} | {corpus} | {lost} | {percent:.1}% |",
            part.name,
            found.len()
        );
        let _ = writeln!(missed, "\n{}, {} more in constants that were not drawn:", part.name, part.passed_over);
        for (mutant, verdict) in found {
            if matches!(verdict, Verdict::Unreached | Verdict::Survived) {
                let _ = writeln!(missed, "  {} {}", verdict.name(), mutant.name);
            }
        }
    }
    out + &missed
}
