//! All matches in a text.

use crate::memory::Memory;
use crate::regex::Regex;
use crate::runs::ClassMatches;
use crate::shape::{RunClass, Shape};
use crate::span::Match;
use riverhawk_simd::is_ascii;
use std::iter::FusedIterator;

/// Iterator over the matches of one pattern in one text, in linear time.
///
/// By awk's gsub rule: matches do not overlap; an empty match directly after another is skipped,
/// and after an empty match the search advances by one character. So `b*` in `abc` gives 0..0, 1..2
/// and 3..3.
pub struct Matches<'r, 't> {
    regex: &'r Regex,
    text: &'t [u8],
    /// Past the end when finished.
    next_at: usize,
    last_end: Option<usize>,
    memory: Memory,
}

impl Iterator for Matches<'_, '_> {
    type Item = Match;

    #[inline]
    fn next(&mut self) -> Option<Match> {
        loop {
            if self.next_at > self.text.len() {
                return None;
            }
            let Some(found) = self.regex.search(self.text, self.next_at, &mut self.memory) else {
                self.next_at = usize::MAX;
                return None;
            };
            let follows = self.last_end == Some(found.start);
            self.next_at = if found.is_empty() {
                self.regex.compiled.step_over(self.text, found.end)
            } else {
                found.end
            };
            if found.is_empty() && follows {
                continue;
            }
            self.last_end = Some(found.end);
            return Some(found);
        }
    }
}

impl FusedIterator for Matches<'_, '_> {}

impl Regex {
    /// All matches from left to right, by the rule of [`Matches`].
    #[must_use]
    pub fn matches<'r, 't>(&'r self, text: &'t [u8]) -> Matches<'r, 't> {
        self.matches_from(text, 0)
    }

    /// As [`Regex::matches`], from `from_at` on; `^` and word boundaries see the text before.
    #[must_use]
    pub fn matches_from<'r, 't>(&'r self, text: &'t [u8], from_at: usize) -> Matches<'r, 't> {
        Matches { regex: self, text, next_at: from_at, last_end: None, memory: Memory::default() }
    }

    /// As [`Regex::matches`], for loops that are made for each kind.
    #[must_use]
    pub fn all_matches<'r, 't>(&'r self, text: &'t [u8]) -> AllMatches<'r, 't> {
        // Members beyond ASCII have more bytes.
        let by_bytes = |class: &RunClass| class.is_of_bytes() || is_ascii(text);
        match &self.compiled.shape {
            Shape::Run { class, empty: false } if by_bytes(class) => {
                AllMatches::Runs(ClassMatches::new(&class.bytes, text))
            }
            Shape::One(set) => AllMatches::Members(ClassMatches::new(set, text)),
            Shape::OneOfMany(class) if is_ascii(text) => {
                AllMatches::Members(ClassMatches::new(&class.bytes, text))
            }
            _ => AllMatches::Others(self.matches(text)),
        }
    }
}

/// All matches in a text, by how they are found.
pub enum AllMatches<'r, 't> {
    /// Of `[a-z]+`.
    Runs(ClassMatches<'r, 't, true>),
    /// Of `[a-z]`.
    Members(ClassMatches<'r, 't, false>),
    /// Of any other pattern.
    Others(Matches<'r, 't>),
}

#[cfg(test)]
mod tests {
    use crate::{AllMatches, Match, Options, Regex};

    #[test]
    fn matches_from_an_index_are_those_that_searches_one_by_one_find() {
        let texts = ["a bb,  cc", "", &"ab, ".repeat(40), &"x".repeat(130), &" é-".repeat(50)];
        for pattern in [
            "[^a-z]+",
            "[^a-z]",
            "[ ,]+",
            "[[:space:]]",
            "[^[:alnum:]]+",
            "a|b+",
            "^a",
            "[a-z]+,",
            "[^ ]+",
            "é",
        ] {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).expect("a pattern");
            for text in texts.map(str::as_bytes) {
                for from in 0..=text.len() {
                    let mut next = from;
                    let one_by_one = std::iter::from_fn(|| {
                        let found = regex.find_at(text, next)?;
                        next = found.end;
                        Some(found)
                    });
                    let one_by_one: Vec<Match> = one_by_one.collect();
                    let together: Vec<Match> = regex.matches_from(text, from).collect();
                    assert_eq!(together, one_by_one, "{pattern} from {from}");
                    if from == 0 {
                        let all: Vec<Match> = match regex.all_matches(text) {
                            AllMatches::Runs(runs) => runs.collect(),
                            AllMatches::Members(members) => members.collect(),
                            AllMatches::Others(others) => others.collect(),
                        };
                        assert_eq!(all, one_by_one, "{pattern}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_match_begins_past_the_end() {
        let regex = Regex::new(b"b*", &Options::default()).expect("a pattern");
        assert_eq!(regex.matches_from(b"ab", 2).collect::<Vec<_>>(), [Match { start: 2, end: 2 }]);
        assert_eq!(regex.matches_from(b"ab", 3).next(), None);
    }
}
