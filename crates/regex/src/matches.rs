//! All matches in a text.

use std::iter::FusedIterator;
use std::ops::ControlFlow;

use crate::memory::Memory;
use crate::regex::Regex;
use crate::runs::Runs;
use crate::shape::Shape;
use crate::span::Match;

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

    /// Calls `each` for every match of [`Regex::matches`] until it breaks.
    #[inline]
    pub fn for_each_match(&self, text: &[u8], mut each: impl FnMut(Match) -> ControlFlow<()>) {
        let (set, is_run) = match &self.compiled.shape {
            Shape::Run { class, empty: false } if !class.other_chars => (&class.bytes, true),
            Shape::One(set) => (set, false),
            _ => {
                for found in self.matches(text) {
                    if each(found).is_break() {
                        break;
                    }
                }
                return;
            }
        };
        let (mut runs, mut at) = (Runs::default(), 0);
        loop {
            let found = match is_run {
                true => runs.next(set, text, at),
                false => runs.first_member(set, text, at).map(|start| (start, start + 1)),
            };
            let Some((start, end)) = found else { return };
            if each(Match { start, end }).is_break() {
                return;
            }
            at = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Match, Options, Regex};
    use std::ops::ControlFlow;

    #[test]
    fn matches_from_an_index_are_those_that_searches_one_by_one_find() {
        let texts = ["a bb,  cc", "", &"ab, ".repeat(40), &"x".repeat(130), &" é-".repeat(50)];
        for pattern in ["[^a-z]+", "[ ,]+", "a|b+", "^a", "[a-z]+,", "[^ ]+", "é"] {
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
                        let mut each = Vec::new();
                        regex.for_each_match(text, |found| {
                            each.push(found);
                            if each.len() == 20 {
                                ControlFlow::Break(())
                            } else {
                                ControlFlow::Continue(())
                            }
                        });
                        assert_eq!(each, one_by_one[..one_by_one.len().min(20)], "{pattern}");
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
