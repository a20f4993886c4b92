//! Which way an operator went.

use std::fmt;

/// Which of its paths an operator took: whether `==` compared numbers or texts, whether `+` had to
/// read a text. A site that always takes one path can be compiled for it behind a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// Numbers only.
    NumNum,
    /// Strings only.
    StrStr,
    /// A strnum was among the operands, and all were taken as numbers.
    StrnumAsNum,
    /// A strnum was among the operands, and all were taken as texts.
    StrnumAsStr,
    /// A number was converted to text: concatenation, or a comparison with a string.
    NumAsStr,
    /// A string was converted to a number: arithmetic on it.
    StrAsNum,
    /// A match against a pattern that stands in the program.
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

    /// As statistics show it.
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
