//! Mutants that no test can notice: `equivalent.txt` names each with the reason, and they do not
//! count as missed.

use crate::draw::Part;
use crate::listing::Mutant;
use crate::verdicts::{Verdict, Verdicts};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Keys, as of [`Mutant::key`]. A line is a key, a tab and the reason; `#` begins a comment.
pub struct Equivalent {
    keys: BTreeSet<String>,
}

impl Equivalent {
    pub fn read(package: &Path) -> Result<Equivalent, String> {
        let path = package.join("equivalent.txt");
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let mut keys = BTreeSet::new();
        for (number, line) in
            (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        {
            let wrong = |what: &str| format!("{}:{number}: {what}", path.display());
            let (key, reason) = line
                .split_once('\t')
                .ok_or_else(|| wrong("no tab between the mutant and the reason"))?;
            if reason.trim().is_empty() {
                return Err(wrong("no reason"));
            }
            if !keys.insert(key.to_owned()) {
                return Err(wrong("it is there twice"));
            }
        }
        Ok(Equivalent { keys })
    }

    pub fn has(&self, mutant: &Mutant) -> bool {
        self.keys.contains(&mutant.key)
    }

    /// Wrong lines: no mutant of the listed crates has that key, or a test has noticed it.
    pub fn complaints(&self, listed: &[Mutant], parts: &[Part], verdicts: &Verdicts) -> String {
        let known: BTreeSet<&str> = listed.iter().map(|mutant| &*mutant.key).collect();
        let crates: BTreeSet<&str> =
            listed.iter().filter_map(|mutant| mutant.file.split('/').nth(1)).collect();
        let of_listed =
            |key: &&String| key.split('/').nth(1).is_some_and(|name| crates.contains(name));
        let mut out = String::new();
        for key in self.keys.iter().filter(of_listed).filter(|key| !known.contains(key.as_str())) {
            let _ = writeln!(out, "equivalent.txt names what is no mutant: {key}");
        }
        let drawn = parts.iter().flat_map(|part| &part.mutants).filter(|mutant| self.has(mutant));
        let caught = drawn.filter(|mutant| verdicts.of(mutant).is_some_and(Verdict::is_caught));
        for key in caught.map(|mutant| &mutant.key).collect::<BTreeSet<_>>() {
            let _ = writeln!(out, "equivalent.txt names what a test has noticed: {key}");
        }
        out
    }
}
