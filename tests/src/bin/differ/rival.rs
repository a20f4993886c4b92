//! What rhawk is compared with.

use riverhawk_tests::Tier;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rival {
    Oracle,
    Tiers,
    Pieces,
}

impl Rival {
    /// With itself rhawk is compared under another set for each seed.
    pub fn options(self, seed: u64) -> (String, String) {
        let tiers = [Tier::Eager, Tier::NoInline, Tier::NoOsr, Tier::Observed];
        let pieces = [
            "--jobs=2 --piece-size=1",
            "--jobs=3 --piece-size=5",
            "--window-size=1",
            "--jobs=2 --piece-size=16",
            "--window-size=3",
            "--jobs=2 --piece-size=113",
        ];
        let at = |count: usize| (seed % count as u64) as usize;
        match self {
            Rival::Oracle => (String::new(), String::new()),
            Rival::Tiers => {
                (Tier::Interpreter.options().join(" "), tiers[at(tiers.len())].options().join(" "))
            }
            Rival::Pieces => (String::new(), pieces[at(pieces.len())].to_owned()),
        }
    }

    pub fn is_same_awk(self) -> bool {
        self != Rival::Oracle
    }
}
