//! All matches in a text.

use std::iter::FusedIterator;
use std::ops::ControlFlow;

use crate::memory::Memory;
use crate::regex::Regex;
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
        Matches { regex: self, text, next_at: 0, last_end: None, memory: Memory::default() }
    }

    /// Calls `each` for every match of [`Regex::matches`] until it breaks.
    pub fn for_each_match(&self, text: &[u8], mut each: impl FnMut(Match) -> ControlFlow<()>) {
        for found in self.matches(text) {
            if each(found).is_break() {
                return;
            }
        }
    }
}
