//! Anything behind a literal, before one or between two: `#.*`, `.*/`, `^.*"`, `".*"`, ` .*$`.
//!
//! The longest match begins at the first literal and ends at the last one behind it. If there is
//! none behind the first, there is none behind a later one.

use memchr::memmem::{Finder, FinderRev};
use regex_syntax::hir::{Hir, HirKind};

use crate::anything::{
    Anything, Characters, Known, Texts, Unanchored, Unknown, anything, is_plain,
};
use crate::pieces::AT_ONCE;
use crate::span::Match;

#[derive(Debug, Clone)]
pub(crate) struct Between {
    /// Where the match begins.
    at_start: bool,
    before: Finder<'static>,
    /// Characters between the literals, at least: 0 or 1.
    least: usize,
    after: FinderRev<'static>,
    /// Where the match ends.
    at_end: bool,
    characters: Characters,
}

impl Between {
    pub(crate) fn of(subs: &[Hir], characters: Characters) -> Option<Between> {
        let Unanchored { subs, at_start, end } = Unanchored::of(subs);
        let literal = |hir: &Hir| match hir.kind() {
            HirKind::Literal(literal) if is_plain(hir, characters) => Some(literal.0.clone()),
            _ => None,
        };
        let (before, between, after) = match subs {
            [before, between] if anything(between, Texts::All).is_some() => {
                (literal(before)?, between, Box::default())
            }
            [between, after] => (Box::default(), between, literal(after)?),
            [before, between, after] => (literal(before)?, between, literal(after)?),
            _ => return None,
        };
        let Anything { least, .. } = anything(between, Texts::All)?;
        Some(Between {
            at_start,
            before: Finder::new(&before).into_owned(),
            least: least as usize,
            after: FinderRev::new(&after).into_owned(),
            at_end: end.is_some(),
            characters,
        })
    }

    /// The leftmost match from `from_at` on, the longest there.
    pub(crate) fn find(&self, text: &[u8], from_at: usize) -> Known<Option<Match>> {
        // A search that is to end does not wait for a long text.
        if text.len() > AT_ONCE {
            return Err(Unknown);
        }
        let Some(start) = self.start(text, from_at) else { return Ok(None) };
        let from = start + self.before.needle().len();
        let Some(to) = self.end_of_gap(&text[from..]).map(|to| from + to) else {
            return Ok(None);
        };
        if to < from + self.least {
            return Ok(None);
        }
        if !self.characters.are_valid(&text[from..to]) {
            return Err(Unknown);
        }
        Ok(Some(Match { start, end: to + self.after.needle().len() }))
    }

    fn start(&self, text: &[u8], from_at: usize) -> Option<usize> {
        let before = self.before.needle();
        match self.at_start {
            true => (from_at == 0 && text.starts_with(before)).then_some(0),
            false if before.is_empty() => Some(from_at),
            false => self.before.find(text.get(from_at..)?).map(|at| from_at + at),
        }
    }

    fn end_of_gap(&self, text: &[u8]) -> Option<usize> {
        let after = self.after.needle();
        match after {
            [] => Some(text.len()),
            _ if self.at_end => text.ends_with(after).then(|| text.len() - after.len()),
            [byte] => memchr::memrchr(*byte, text),
            _ => self.after.rfind(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::shape::Shape;
    use crate::{Match, Options, Regex};
    use proptest::prelude::*;

    const PATTERNS: &[&str] = &[
        "a.*",
        "a.+",
        "ab.*$",
        "^a.*",
        "^a.+b",
        ".*a",
        ".+a",
        ".*ab$",
        "^.*ab",
        "a.*b",
        "ab.*ab",
        "a.+a",
        "^a.*b$",
        "a.*a$",
        "\u{e9}.*",
        ".*\u{e9}",
        "b.*\u{e9}a",
        " .*\n",
        "a.*aba",
    ];

    #[test]
    fn anything_beside_a_literal_needs_no_automaton() {
        for pattern in PATTERNS {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            assert!(matches!(regex.shape, Shape::Between(_)), "{pattern}");
        }
        for pattern in [
            ".*", "^.*$", "^.+", "[ab].*", "a.*[ab]", "a.*b.*", "a.?b", r"\<a.*", r"a\>.*",
            "(a.*|b)",
        ] {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            assert!(!matches!(regex.shape, Shape::Between(_)), "{pattern}");
        }
    }

    #[test]
    fn what_is_not_valid_ends_anything() {
        let find = |bytes, pattern: &str, text: &[u8]| {
            let options = Options { bytes, ..Options::default() };
            Regex::new(pattern.as_bytes(), &options).unwrap().find(text)
        };
        assert_eq!(find(false, "a.*", b"xab\xffb"), Some(Match { start: 1, end: 3 }));
        assert_eq!(find(true, "a.*", b"xab\xffb"), Some(Match { start: 1, end: 5 }));
        assert_eq!(find(false, ".*a", b"a\xffba"), Some(Match { start: 0, end: 1 }));
        assert_eq!(find(false, "a.*b", b"a\xffab"), Some(Match { start: 2, end: 4 }));
        assert_eq!(
            find(false, "a.*\u{e9}", "aé\u{a9}".as_bytes()),
            Some(Match { start: 0, end: 3 })
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn they_match_as_the_general_search(
            text in proptest::collection::vec(proptest::sample::select(b"aabbab \n\xc3\xa9\xff".to_vec()), 0..24),
            pattern in proptest::sample::select(PATTERNS),
            bytes in any::<bool>(),
            from_at in 0usize..8,
        ) {
            let options = Options { bytes, ..Options::default() };
            let regex = Regex::new(pattern.as_bytes(), &options).unwrap();
            let from_at = from_at.min(text.len());
            let expected = regex.search_general(&text, from_at, &mut Default::default());
            prop_assert_eq!(regex.find_at(&text, from_at), expected, "{} in {:?} from {}", pattern, text, from_at);
            prop_assert_eq!(regex.is_match(&text), regex.find(&text).is_some());
        }
    }
}
