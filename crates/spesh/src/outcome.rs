//! The path that an operator took.

use std::fmt;

/// Whether `==` compared numbers or texts, whether `+` converted a text. A site with one outcome
/// can be compiled for it behind a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// Numbers only.
    NumNum,
    /// Strings only.
    StrStr,
    /// With a strnum, all taken as numbers.
    StrnumAsNum,
    /// With a strnum, all taken as texts.
    StrnumAsStr,
    /// A number converted to text.
    NumAsStr,
    /// A string converted to a number.
    StrAsNum,
    /// A match against a constant pattern.
    FixedPattern,
    /// A match against a pattern made at run time.
    MadePattern,
}

impl Outcome {
    /// How many there are.
    pub const COUNT: usize = 8;

    /// Every outcome, in order.
    pub const ALL: [Outcome; Outcome::COUNT] = [
        Outcome::NumNum,
        Outcome::StrStr,
        Outcome::StrnumAsNum,
        Outcome::StrnumAsStr,
        Outcome::NumAsStr,
        Outcome::StrAsNum,
        Outcome::FixedPattern,
        Outcome::MadePattern,
    ];

    /// The name shown in statistics.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::NumNum => "num-num",
            Outcome::StrStr => "str-str",
            Outcome::StrnumAsNum => "strnum as num",
            Outcome::StrnumAsStr => "strnum as str",
            Outcome::NumAsStr => "num as str",
            Outcome::StrAsNum => "str as num",
            Outcome::FixedPattern => "fixed pattern",
            Outcome::MadePattern => "made pattern",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
