//! Options besides the dialect's for both awks, in half of the cases.

use crate::dialect::Dialect;
use crate::dice::Dice;

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Switches {
    /// `-n`: input may be octal and hexadecimal.
    pub non_decimal: bool,
    /// `-b`: characters are bytes in every locale.
    pub bytes: bool,
    /// `-M`: numbers of any precision.
    pub precise: bool,
    /// `--csv`, for whole programs of gawk: an open quote would join the records of small cases.
    pub csv: bool,
}

impl Switches {
    /// Those of a seed; its programs do not depend on them.
    pub fn of(seed: u64, dialect: Dialect) -> Switches {
        let dice = &mut Dice::new(seed ^ 0x5eed_0f5e);
        if dice.once_in(2) {
            return Switches::default();
        }
        let (non_decimal, bytes, precise) = (dice.once_in(3), dice.once_in(4), dice.once_in(2));
        Switches { non_decimal, bytes, precise, csv: dialect.has_extensions() && dice.once_in(4) }
    }

    pub fn of_small_cases(self) -> Switches {
        Switches { csv: false, ..self }
    }

    pub fn fewer(self) -> impl Iterator<Item = Switches> {
        let less = [
            Switches { non_decimal: false, ..self },
            Switches { bytes: false, ..self },
            Switches { precise: false, ..self },
            Switches { csv: false, ..self },
        ];
        less.into_iter().filter(move |&fewer| fewer != self)
    }

    pub fn options(self) -> impl Iterator<Item = &'static str> {
        let all = [
            (self.non_decimal, "-n"),
            (self.bytes, "-b"),
            (self.precise, "-M"),
            (self.csv, "--csv"),
        ];
        all.into_iter().filter(|(is_on, _)| *is_on).map(|(_, option)| option)
    }
}
