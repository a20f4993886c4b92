//! Coverage: which statements, branches and functions of a program ran, and how often.
//!
//! Counts are those of an observed run ([`riverhawk_vm::visits`]). `gather` adds places; a
//! [`Coverage`] is merged with others and written for people, as HTML, or as an lcov file, from which
//! it is read again.

mod gather;
mod html;
mod lcov;
mod text;

pub use gather::gather;

use crate::hash::fnv_1a;
use std::collections::BTreeMap;

/// What ran, by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By the name in messages.
    pub files: BTreeMap<String, FileCoverage>,
}

/// What ran of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// The file, if it was a part of the program that ran.
    pub text: Option<Vec<u8>>,
    /// Of the text, so that counts of another version are not merged.
    pub hash: u64,
    /// How often each ran.
    pub statements: BTreeMap<Stretch, u64>,
    /// How often each was taken.
    pub branches: BTreeMap<BranchPlace, u64>,
    /// How often each was entered.
    pub functions: BTreeMap<FunctionPlace, u64>,
}

/// A part of a file, without what is nested in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    /// Bytes from the start of the file.
    pub start: usize,
    /// The end, likewise.
    pub end: usize,
    /// The first line, from 1.
    pub line: usize,
}

/// One of the ways on from a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BranchPlace {
    /// Bytes from the start of the file.
    pub start: usize,
    /// The line, from 1.
    pub line: usize,
    /// Which of those from the same place.
    pub number: usize,
    /// `then`, `else`, `match`, `no match`, `body`, a case, or of a condition in an expression
    /// `true: TEXT` and `false: TEXT`.
    pub meaning: String,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FunctionPlace {
    /// The line of its name, from 1.
    pub line: usize,
    /// Its name.
    pub name: String,
}

/// How many there are, and how many of them ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoveredShare {
    /// That ran.
    pub covered: usize,
    /// All.
    pub total: usize,
}

impl CoveredShare {
    fn of<'c>(counts: impl Iterator<Item = &'c u64>) -> CoveredShare {
        counts.fold(CoveredShare::default(), |share, &count| CoveredShare {
            covered: share.covered + usize::from(count > 0),
            total: share.total + 1,
        })
    }

    fn plus(self, other: CoveredShare) -> CoveredShare {
        CoveredShare { covered: self.covered + other.covered, total: self.total + other.total }
    }

    /// Hundredths, rounded down: 100 only if nothing is missing.
    pub fn percent(self) -> usize {
        (self.covered * 100).checked_div(self.total).unwrap_or(100)
    }
}

impl FileCoverage {
    /// Sets the text, if it is the one that ran.
    pub fn take_text(&mut self, text: Vec<u8>) {
        if fnv_1a(&text) == self.hash {
            self.text = Some(text);
        }
    }

    /// Statements that ran.
    pub fn statements(&self) -> CoveredShare {
        CoveredShare::of(self.statements.values())
    }

    /// Branches that were taken.
    pub fn branches(&self) -> CoveredShare {
        CoveredShare::of(self.branches.values())
    }

    /// Functions that were entered.
    pub fn functions(&self) -> CoveredShare {
        CoveredShare::of(self.functions.values())
    }

    /// By line: the count of the statement that ran most often.
    fn lines(&self) -> BTreeMap<usize, u64> {
        let mut lines = BTreeMap::new();
        for (stretch, &count) in &self.statements {
            let most = lines.entry(stretch.line).or_insert(0);
            *most = count.max(*most);
        }
        lines
    }

    fn add(&mut self, other: &FileCoverage) {
        if self.text.is_none() {
            self.text.clone_from(&other.text);
        }
        add_counts(&mut self.statements, &other.statements);
        add_counts(&mut self.branches, &other.branches);
        add_counts(&mut self.functions, &other.functions);
    }
}

fn add_counts<K: Ord + Clone>(counts: &mut BTreeMap<K, u64>, others: &BTreeMap<K, u64>) {
    for (place, count) in others {
        let known = counts.entry(place.clone()).or_insert(0);
        *known = known.saturating_add(*count);
    }
}

impl Coverage {
    /// Adds what ran in another run. Files whose text is another by now keep only these counts;
    /// gives their names.
    pub fn merge(&mut self, earlier: &Coverage) -> Vec<String> {
        let mut changed = Vec::new();
        for (name, other) in &earlier.files {
            match self.files.get_mut(name) {
                Some(file) if file.hash != other.hash => changed.push(name.clone()),
                Some(file) => file.add(other),
                None => {
                    self.files.insert(name.clone(), other.clone());
                }
            }
        }
        changed
    }

    /// Of all files: statements, branches, functions.
    pub fn totals(&self) -> [CoveredShare; 3] {
        self.files.values().fold([CoveredShare::default(); 3], |[a, b, c], file| {
            [a.plus(file.statements()), b.plus(file.branches()), c.plus(file.functions())]
        })
    }

    /// A table.
    pub fn to_text(&self) -> String {
        text::write(self)
    }

    /// For lcov's tools and what reads its files. Lines that begin with `#` hold what its format
    /// lacks.
    pub fn to_lcov(&self) -> String {
        lcov::write(self)
    }

    /// Reads what [`Coverage::to_lcov`] wrote.
    ///
    /// # Errors
    /// It is from another program, or damaged: why.
    pub fn from_lcov(text: &str) -> Result<Coverage, String> {
        lcov::read(text)
    }

    /// Pages by their file names, of which `index.html` is the first.
    pub fn to_html(&self) -> Vec<(String, String)> {
        html::write(self)
    }

    /// Whether a text is a page of [`Coverage::to_html`], which another may replace.
    pub fn is_page(text: &[u8]) -> bool {
        html::is_page(text)
    }
}

#[cfg(test)]
mod tests;
