//! What `--lint` finds while a program runs, with gawk's messages.
//!
//! A program compiled for it has an operation `Lint` before each one that may need a warning; other
//! programs pay nothing. [`Level`] decides whether a finding is a warning or ends the run.

mod check;

mod arguments;
mod arrays;
mod assignments;
mod fields;
mod formats;
mod integers;
mod redirections;
mod substrings;

use riverhawk_value::format::Format;
use std::collections::{HashMap, HashSet};

/// Which warnings are given, and what they do; by option or by `LINT`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// Whether there are any warnings.
    pub on: bool,
    /// Whether extensions of gawk are included.
    pub extensions: bool,
    /// Whether the first finding ends the run.
    pub fatal: bool,
}

impl Level {
    /// No warnings.
    pub const OFF: Level = Level { on: false, extensions: false, fatal: false };
    /// All warnings.
    pub const ALL: Level = Level { on: true, extensions: true, fatal: false };

    /// Whether there are any warnings.
    #[inline]
    pub const fn is_on(self) -> bool {
        self.on
    }

    /// The level for a value of `LINT`: the empty text is off, `fatal` and `no-ext` are as the
    /// options, other text is all.
    pub fn of_text(text: &[u8]) -> Level {
        match text {
            b"" => Level::OFF,
            b"fatal" => Level { fatal: true, ..Level::ALL },
            b"no-ext" => Level { extensions: false, ..Level::ALL },
            _ => Level::ALL,
        }
    }
}

pub(crate) struct Lint {
    pub level: Level,
    pub(crate) reported: HashSet<&'static str>,
    subarrays: HashMap<usize, String>,
    /// How files were opened last, to find uses of both `>` and `>>`.
    appended: HashMap<Vec<u8>, bool>,
}

impl Default for Lint {
    fn default() -> Lint {
        Lint {
            level: Level::OFF,
            reported: HashSet::new(),
            subarrays: HashMap::new(),
            appended: HashMap::new(),
        }
    }
}

pub(crate) fn general(number: f64) -> String {
    let mut text = Vec::new();
    let _ = Format::parse(b"%g").write_number(number, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Level, general};

    #[test]
    fn large_numbers_have_six_digits_as_in_c() {
        for (number, text) in [
            (1e300, "1e+300"),
            (1_234_567.0, "1.23457e+06"),
            (1.8446744073709552e19, "1.84467e+19"),
        ] {
            assert_eq!(general(number), text);
        }
    }

    #[test]
    fn the_text_of_lint_says_what_the_option_says() {
        assert_eq!(Level::of_text(b""), Level::OFF);
        assert_eq!(Level::of_text(b"abc"), Level::ALL);
        assert!(Level::of_text(b"fatal").fatal && !Level::of_text(b"no-ext").extensions);
    }
}
