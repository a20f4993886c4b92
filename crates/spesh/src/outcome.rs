//! Which path an operator took.

use std::fmt;

/// Which path an operator took: `==` compared numbers or texts, `+` converted a text. Where it is
/// always the same, that path can be compiled behind a guard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum OperatorOutcome {
    /// Numbers only.
    NumNum,
    /// Strings only.
    StrStr,
    /// With a strnum, all compared as numbers.
    StrnumAsNum,
    /// With a strnum, all compared as texts.
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

impl OperatorOutcome {
    /// How many there are.
    pub const COUNT: usize = 8;

    /// Every outcome, in order.
    pub const ALL: [OperatorOutcome; OperatorOutcome::COUNT] = [
        OperatorOutcome::NumNum,
        OperatorOutcome::StrStr,
        OperatorOutcome::StrnumAsNum,
        OperatorOutcome::StrnumAsStr,
        OperatorOutcome::NumAsStr,
        OperatorOutcome::StrAsNum,
        OperatorOutcome::FixedPattern,
        OperatorOutcome::MadePattern,
    ];

    /// The name shown in statistics.
    pub const fn name(self) -> &'static str {
        match self {
            OperatorOutcome::NumNum => "num-num",
            OperatorOutcome::StrStr => "str-str",
            OperatorOutcome::StrnumAsNum => "strnum as num",
            OperatorOutcome::StrnumAsStr => "strnum as str",
            OperatorOutcome::NumAsStr => "num as str",
            OperatorOutcome::StrAsNum => "str as num",
            OperatorOutcome::FixedPattern => "fixed pattern",
            OperatorOutcome::MadePattern => "made pattern",
        }
    }
}

impl fmt::Display for OperatorOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
