//! The language of a case, and the options for both awks.

use crate::dice::Dice;
use crate::rival::Rival;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    Shared,
    Gawk,
    Posix,
    Traditional,
    /// As [`Dialect::Gawk`], and what gawk does differently: only for rhawk compared with itself.
    Own,
}

impl Dialect {
    /// One for the seed; half of the programs are gawk's.
    pub fn roll(dice: &mut Dice, rival: Rival) -> Dialect {
        match dice.below(8) {
            0 | 1 => Dialect::Shared,
            2 => Dialect::Posix,
            3 => Dialect::Traditional,
            _ if rival.is_same_awk() => Dialect::Own,
            _ => Dialect::Gawk,
        }
    }

    pub fn from_name(name: &str) -> Option<Dialect> {
        let all =
            [Dialect::Shared, Dialect::Gawk, Dialect::Posix, Dialect::Traditional, Dialect::Own];
        all.into_iter().find(|dialect| dialect.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Dialect::Shared => "shared",
            Dialect::Gawk => "gawk",
            Dialect::Posix => "posix",
            Dialect::Traditional => "traditional",
            Dialect::Own => "own",
        }
    }

    pub fn options(self) -> &'static [&'static str] {
        match self {
            Dialect::Posix => &["--posix"],
            Dialect::Traditional => &["--traditional"],
            _ => &[],
        }
    }

    pub fn has_extensions(self) -> bool {
        matches!(self, Dialect::Gawk | Dialect::Own)
    }

    pub fn is_whole(self) -> bool {
        !matches!(self, Dialect::Posix | Dialect::Traditional)
    }
}
