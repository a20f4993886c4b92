//! The result for each mutant, kept in a file.

use crate::equivalent::Equivalent;
use crate::listing::Mutant;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Unviable,
    /// A test of its crate fails.
    Tests,
    /// A test of its crate does not end.
    Hung,
    /// A row of the corpus fails.
    Corpus,
    /// Noticed by another configuration of the corpus, or the command's tests.
    Whole,
    /// No test and no row reaches it.
    Unreached,
    Survived,
}

impl Verdict {
    const ALL: [(Verdict, &str); 7] = [
        (Verdict::Unviable, "unviable"),
        (Verdict::Tests, "tests"),
        (Verdict::Hung, "hung"),
        (Verdict::Corpus, "corpus"),
        (Verdict::Whole, "whole"),
        (Verdict::Unreached, "unreached"),
        (Verdict::Survived, "survived"),
    ];

    pub fn is_caught(self) -> bool {
        matches!(self, Verdict::Tests | Verdict::Hung | Verdict::Corpus | Verdict::Whole)
    }

    pub fn is_missed(self) -> bool {
        matches!(self, Verdict::Unreached | Verdict::Survived)
    }

    pub fn name(self) -> &'static str {
        Verdict::ALL.iter().find(|(verdict, _)| *verdict == self).map_or("", |(_, name)| name)
    }
}

/// All of them, by key; the file grows by a line for each.
pub struct Verdicts {
    known: HashMap<String, Verdict>,
    file: File,
}

impl Verdicts {
    pub fn read(folder: &Path) -> Result<Verdicts, String> {
        let path = folder.join("verdicts");
        let said = |error: std::io::Error| format!("{}: {error}", path.display());
        std::fs::create_dir_all(folder).map_err(said)?;
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(said)?;
        let text = std::fs::read_to_string(&path).map_err(said)?;
        let verdict = |line: &str| {
            let (name, key) = line.split_once('\t')?;
            let (verdict, _) = Verdict::ALL.iter().find(|(_, known)| *known == name)?;
            Some((key.to_owned(), *verdict))
        };
        Ok(Verdicts { known: text.lines().filter_map(verdict).collect(), file })
    }

    pub fn of(&self, mutant: &Mutant) -> Option<Verdict> {
        self.known.get(&mutant.key).copied()
    }

    /// Whether it has to be tested, for the first time or again.
    pub fn is_open(&self, mutant: &Mutant, equivalent: &Equivalent) -> bool {
        self.of(mutant).is_none_or(|verdict| verdict.is_missed() && !equivalent.has(mutant))
    }

    pub fn add(&mut self, mutant: &Mutant, verdict: Verdict) -> Result<(), String> {
        self.known.insert(mutant.key.clone(), verdict);
        writeln!(self.file, "{}\t{}", verdict.name(), mutant.key).map_err(|error| error.to_string())
    }
}
