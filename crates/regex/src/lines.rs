//! Finds which line has a match, by one search over many lines: starting a search costs more than
//! searching a short line.

use std::cell::RefCell;
use std::sync::Arc;

use memchr::{memchr, memrchr};
use regex_automata::Input;
use regex_automata::meta::Cache;

use crate::anything::Unknown;
use crate::compiled::CompiledRegex;
use crate::twin::Twin;
use riverhawk_memory::ran_out;

/// Bytes searched at once, and the rest of a line: a tenth of a millisecond, unless the cache of the
/// lazy DFA is too small.
const AT_ONCE: usize = 16 << 10;

/// A pattern for texts of many lines.
pub struct Lines {
    twin: Arc<Twin>,
    cache: RefCell<Cache>,
}

impl Lines {
    /// An index in the first matching line from `from_at`, which begins a line.
    #[must_use]
    pub fn next_match(&self, text: &[u8], from_at: usize) -> Option<usize> {
        let mut at = from_at;
        while at < text.len() && !ran_out() {
            // No match goes beyond a line.
            let end = match text.get(at + AT_ONCE..) {
                Some(rest) => memchr(b'\n', rest).map_or(text.len(), |line| at + AT_ONCE + line),
                None => text.len(),
            };
            if let Some(found) = self.next_match_to(&text[..end], at) {
                return Some(found);
            }
            at = end;
        }
        None
    }

    fn next_match_to(&self, text: &[u8], from_at: usize) -> Option<usize> {
        let Some(chain) = &self.twin.chain else { return self.search(text, from_at) };
        let mut at = from_at;
        loop {
            let Ok(first_end) = chain.first_end(text, at) else { return self.search(text, at) };
            // A first part is not empty and has no newline.
            let found = first_end? - 1;
            let end = memchr(b'\n', &text[found..]).map_or(text.len(), |line| found + line);
            match chain.matches_behind(&text[..end], found + 1) {
                Ok(true) => return Some(found),
                Ok(false) => at = end,
                Err(Unknown) => {
                    let start = memrchr(b'\n', &text[..found]).map_or(0, |before| before + 1);
                    if let Some(found) = self.search(&text[..end], start.max(at)) {
                        return Some(found);
                    }
                    at = end;
                }
            }
        }
    }

    fn search(&self, text: &[u8], from_at: usize) -> Option<usize> {
        let input = Input::new(text).range(from_at..).earliest(true);
        let cache = &mut self.cache.borrow_mut();
        // A match is not empty and has no newline.
        Some(self.twin.regex.search_half_with(cache, &input)?.offset() - 1)
    }
}

impl CompiledRegex {
    /// The pattern for texts of many lines; `None` if it is anchored, can match the empty text, needs a
    /// newline, or is so simple that a search costs next to nothing.
    #[must_use]
    pub fn lines(&self) -> Option<Lines> {
        let twin = self.twin.get_or_init(|| self.build_twin().map(Arc::new)).clone()?;
        let cache = RefCell::new(twin.regex.create_cache());
        Some(Lines { twin, cache })
    }

    fn build_twin(&self) -> Option<Twin> {
        if !self.shape.is_slow()
            || self.anchored_start()
            || self.hir.properties().minimum_len()? == 0
        {
            return None;
        }
        Twin::of(&self.hir, self.characters())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, Regex};
    use proptest::prelude::*;

    fn regex(pattern: &str) -> Regex {
        Regex::new(pattern.as_bytes(), &Options::default()).unwrap()
    }

    fn both_ways(pattern: &str, text: &[u8]) -> (Vec<usize>, Vec<usize>) {
        let regex = regex(pattern);
        let lines = regex.lines().expect("has a twin");
        let mut by_twin = Vec::new();
        let mut one_by_one = Vec::new();
        let mut at = 0;
        for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
            if lines.next_match(text, at).is_some_and(|inside| inside < at + line.len()) {
                by_twin.push(number);
            }
            if regex.is_match(line) {
                one_by_one.push(number);
            }
            at += line.len() + 1;
        }
        (by_twin, one_by_one)
    }

    #[test]
    fn patterns_that_are_anchored_can_be_empty_or_need_a_newline_have_no_twin() {
        for pattern in ["a*", "^$", "x|", "a\nb", "()", "^a.*b"] {
            assert!(regex(pattern).lines().is_none(), "{pattern}");
        }
        assert!(regex("a[^b]c").lines().is_some());
    }

    proptest! {
        #[test]
        fn the_twin_finds_the_lines_that_match_one_by_one(
            text in proptest::collection::vec(proptest::sample::select(b"aabbc \n\n\xc3\xa9\xff".to_vec()), 0..60),
            pattern in proptest::sample::select(vec![
                "a[bc]", ".a$", "[^a]b", "a.c", "(a|b)c", "[^ ]+b", "\\<b", "b\\>", "a+b*c", "\u{e9}+b", "[[:space:]]a",
                ".b", "^.a|c$", "[ab]{2}", "\\yb\\y", "a.*b", "a.*b.*c$", "a[^\n]*c", ".*bb?.+c", "[ab]c.*[^a]$", ".*b+$", "a.*b+$", "a.*b*$", ".+(b|cc)$", "\u{e9}.*b",
            ]),
        ) {
            let (by_twin, one_by_one) = both_ways(pattern, &text);
            prop_assert_eq!(by_twin, one_by_one, "{} in {:?}", pattern, String::from_utf8_lossy(&text));
        }
    }
}
