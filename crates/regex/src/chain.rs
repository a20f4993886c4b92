//! Whether a text matches a pattern of parts with anything between them: `^GET .*Firefox`.
//!
//! Such a match exists if the parts are found one after the other, each where its first match ends:
//! what lies between only has to be characters. So most bytes are seen by searches for literals
//! and not by an automaton, which takes a step for each.

use memchr::memmem;
use regex_syntax::hir::{Hir, HirKind};

use crate::anything::{
    Anything, Characters, Known, Texts, Unanchored, Unknown, anything, is_plain,
};
use crate::automata::{Prefix, compile, find_literal, first_bytes};
use crate::byte_set::ByteSet;
use crate::limits::{LARGE_CLASS_RANGES, TABLE_NFA_STATES};
use crate::longest::Outcome;
use crate::shape::has_class_larger_than;
use crate::table::{Covers, Purpose, Table};
use regex_automata::nfa::thompson::{NFA, WhichCaptures};

pub(crate) struct Chain {
    /// At the text's start.
    head: Option<Part>,
    middle: Vec<Part>,
    /// At the text's end.
    tail: Option<Tail>,
    characters: Characters,
}

/// What lies between two of "anything".
enum Part {
    Literal(Box<memmem::Finder<'static>>),
    Automaton(Box<Automaton>),
}

struct Automaton {
    table: Table,
    prefix: Prefix,
    first: ByteSet,
}

/// A last part whose matches have one length.
struct Tail {
    table: Table,
    length: usize,
}

impl Chain {
    /// `hir` has no captures; `None` if there is no "anything" in it or a part is too large.
    pub(crate) fn of(hir: &Hir, characters: Characters, texts: Texts) -> Option<Chain> {
        let subs = match hir.kind() {
            HirKind::Concat(subs) => &subs[..],
            _ => std::slice::from_ref(hir),
        };
        let Unanchored { subs, at_start, end } = Unanchored::of(subs);
        let mut parts = vec![Vec::new()];
        for sub in subs {
            match anything(sub, texts) {
                Some(Anything { least: 0, .. }) => parts.push(Vec::new()),
                Some(Anything { class, .. }) => {
                    parts.last_mut()?.push(class.clone());
                    parts.push(Vec::new());
                }
                None => parts.last_mut()?.push(sub.clone()),
            }
        }
        if parts.len() == 1 {
            return None;
        }
        let mut parts: Vec<Hir> = parts.into_iter().map(Hir::concat).collect();
        if !parts.iter().all(|part| is_plain(part, characters)) {
            return None;
        }
        let mut tail = None;
        if let Some(end) = end {
            let last = parts.pop()?;
            tail = Tail::of(&last);
            if tail.is_none() {
                parts.push(Hir::concat(vec![last, end.clone()]));
            }
        }
        let mut parts = parts.into_iter();
        let head = match at_start {
            true => Some(Part::of(&parts.next()?, Purpose::Longest)?),
            false => None,
        };
        // Anything before the first part and after the last may be nothing.
        let may_be_nothing =
            |part: &Hir| part.properties().minimum_len() == Some(0) && !ends_text(part);
        let middle = parts
            .filter(|part| !may_be_nothing(part))
            .map(|part| Part::of(&part, Purpose::Anywhere))
            .collect::<Option<_>>()?;
        Some(Chain { head, middle, tail, characters })
    }

    pub(crate) fn matches(&self, text: &[u8]) -> Known<bool> {
        if !self.may_end(text)? {
            return Ok(false);
        }
        let (end, parts) = match &self.head {
            Some(head) => (head.end_at_start(text)?, &self.middle[..]),
            None => (self.first_end(text, 0)?, self.behind_first()),
        };
        end.map_or(Ok(false), |end| self.go_on(text, end, parts))
    }

    /// Whether every match begins with a part that may be anywhere.
    pub(crate) fn has_first_part(&self) -> bool {
        self.head.is_none() && !self.middle.is_empty()
    }

    /// Where the first match of the first part ends.
    pub(crate) fn first_end(&self, text: &[u8], from_at: usize) -> Known<Option<usize>> {
        match self.middle.first() {
            Some(part) => part.first_end(text, from_at),
            None => Ok(Some(from_at)),
        }
    }

    /// As [`matches`](Self::matches), where the first part ends at `end`.
    pub(crate) fn matches_behind(&self, text: &[u8], end: usize) -> Known<bool> {
        Ok(self.may_end(text)? && self.go_on(text, end, self.behind_first())?)
    }

    fn behind_first(&self) -> &[Part] {
        self.middle.get(1..).unwrap_or_default()
    }

    fn may_end(&self, text: &[u8]) -> Known<bool> {
        self.tail.as_ref().map_or(Ok(true), |tail| tail.ends(text))
    }

    fn go_on(&self, text: &[u8], end: usize, parts: &[Part]) -> Known<bool> {
        let mut at = end;
        for part in parts {
            match part.first_end(text, at)? {
                Some(end) if self.characters.are_valid(&text[at..end]) => at = end,
                Some(_) => return Err(Unknown),
                None => return Ok(false),
            }
        }
        match &self.tail {
            Some(tail) if at + tail.length > text.len() => Ok(false),
            Some(_) if !self.characters.are_valid(&text[at..]) => Err(Unknown),
            _ => Ok(true),
        }
    }
}

impl Part {
    fn of(hir: &Hir, purpose: Purpose) -> Option<Part> {
        if let HirKind::Literal(literal) = hir.kind() {
            let finder = memmem::Finder::new(&literal.0).into_owned();
            return Some(Part::Literal(Box::new(finder)));
        }
        let nfa = small_nfa(hir)?;
        Some(Part::Automaton(Box::new(Automaton {
            table: Table::build(&nfa, purpose, Covers::All)?,
            prefix: Prefix::of(hir),
            first: ByteSet::new(first_bytes(&nfa)),
        })))
    }

    /// Where the match that ends first of those from `from_at` on does.
    fn first_end(&self, text: &[u8], from_at: usize) -> Known<Option<usize>> {
        match self {
            Part::Literal(literal) => {
                let found = find_literal(literal, text, from_at);
                Ok(found.map(|at| at + literal.needle().len()))
            }
            Part::Automaton(part) => {
                let skip = |at| part.prefix.candidate(&part.first, text, at);
                known(part.table.first_end(text, from_at, skip))
            }
        }
    }

    fn end_at_start(&self, text: &[u8]) -> Known<Option<usize>> {
        match self {
            Part::Literal(literal) => {
                Ok(text.starts_with(literal.needle()).then(|| literal.needle().len()))
            }
            Part::Automaton(part) => known(part.table.first_end(text, 0, |at| at)),
        }
    }
}

fn small_nfa(hir: &Hir) -> Option<NFA> {
    if has_class_larger_than(hir, LARGE_CLASS_RANGES) {
        return None;
    }
    compile(hir, WhichCaptures::None).filter(|nfa| nfa.states().len() <= TABLE_NFA_STATES)
}

impl Tail {
    /// `None` if matches have different lengths.
    fn of(hir: &Hir) -> Option<Tail> {
        let length = hir.properties().minimum_len()?;
        if hir.properties().maximum_len() != Some(length) {
            return None;
        }
        let table = Table::build(&small_nfa(hir)?, Purpose::Longest, Covers::All)?;
        Some(Tail { table, length })
    }

    fn ends(&self, text: &[u8]) -> Known<bool> {
        match text.len().checked_sub(self.length) {
            Some(at) => known(self.table.longest(text, at)).map(|end| end == Some(text.len())),
            None => Ok(false),
        }
    }
}

fn known(outcome: Outcome) -> Known<Option<usize>> {
    match outcome {
        Outcome::Known { end, .. } => Ok(end),
        Outcome::Quit => Err(Unknown),
    }
}

fn ends_text(hir: &Hir) -> bool {
    !hir.properties().look_set().is_empty()
}

#[cfg(test)]
mod tests {
    use super::{Chain, Texts, Unknown};
    use crate::shape::without_captures;
    use crate::{Options, Regex};
    use proptest::prelude::*;

    fn chain_of(regex: &Regex) -> Option<Chain> {
        Chain::of(&without_captures(&regex.hir), regex.characters(), Texts::All)
    }

    fn compiled(pattern: &str, options: &Options) -> (Regex, Chain) {
        let regex = Regex::new(pattern.as_bytes(), options).unwrap();
        let chain = chain_of(&regex).unwrap_or_else(|| panic!("{pattern} is a chain"));
        (regex, chain)
    }

    #[test]
    fn patterns_without_anything_and_with_assertions_inside_are_no_chains() {
        for pattern in
            ["abc", "a[^b]*c", r"a.*\<b", "a.*^b", "(a.*b|c)d", "a.{2,}b", "a.*b|c", "^.$"]
        {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            assert!(chain_of(&regex).is_none(), "{pattern}");
        }
    }

    #[test]
    fn what_is_not_valid_between_two_parts_is_for_another_automaton() {
        let (regex, chain) = compiled("a.*b.*c$", &Options::default());
        let texts: [(&[u8], _); 6] = [
            (b"xa\xffb c", Err(Unknown)),
            (b"xa b\xc3c", Err(Unknown)),
            (b"x\xffa bc", Ok(true)),
            (b"x\xffa c", Ok(false)),
            (b"x\xffa b", Ok(false)),
            ("xaéb日c".as_bytes(), Ok(true)),
        ];
        for (text, expected) in texts {
            assert_eq!(chain.matches(text), expected, "{text:?}");
            assert_eq!(regex.is_match(text), regex.find(text).is_some(), "{text:?}");
        }
        let (regex, chain) = compiled("a.*b.*c$", &Options { bytes: true, ..Options::default() });
        assert_eq!(chain.matches(b"xa\xffb\xc3c"), Ok(true));
        assert!(regex.is_match(b"xa\xffb\xc3c"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn a_chain_matches_where_the_pattern_does(
            text in proptest::collection::vec(proptest::sample::select(b"aabbcc \n\xc3\xa9\xff".to_vec()), 0..30),
            pattern in proptest::sample::select(vec![
                "a.*b", "^a.*b", "a.*b$", "^a.*b$", "^.*b$", "^.*b", "a.*$", ".*a.*", "a.+b", "^.+b.+$", "^a.*bc.*[ab]$", "(a|bc).*c",
                "ab?.*(c|bb).*a", "[ab][bc].*a.*b.*c", "\u{e9}.*a", "a.*\u{e9}$", "[^a].*[^b]$", "b*.*ca", "^b*.*ca", "a.*b.*a.*b.*c",
                "(ab.*)c.*(a b)", "^(a|b)+c.*b", "ab+c.*a", ".*", "^.*$", "(a|b)?.*c ", "a[^\n]*b.*c",  "ca.*c?$|x{0}b", "a.*b+$", "^a.*b*$",
                ".*(a|bc)$", "a.*(bc)*$", ".*b+$", "^.*(ab|c)+$", "a.*b?c$",
            ]),
            bytes in any::<bool>(),
        ) {
            let options = Options { bytes, ..Options::default() };
            let regex = Regex::new(pattern.as_bytes(), &options).unwrap();
            let expected = regex.find(&text).is_some();
            prop_assert_eq!(regex.is_match(&text), expected, "{} in {:?}", pattern, text);
            if let Some(chain) = chain_of(&regex) {
                match chain.matches(&text) {
                    Ok(found) => prop_assert_eq!(found, expected, "{} in {:?}", pattern, text),
                    Err(Unknown) => prop_assert!(!bytes && std::str::from_utf8(&text).is_err()),
                }
            }
        }
    }
}
