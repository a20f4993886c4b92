//! Search in text that arrives piece by piece: a regular expression as record separator.

use crate::longest::Reach;
use crate::search::Memory;
use crate::shape::Shape;
use crate::{Match, Regex, simulate};

/// Answer of a search in text that may go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Partial {
    /// The match that the whole text would give, whatever follows.
    Found(Match),
    /// None yet, or none that more text could not change.
    NotYet {
        /// No match begins before this index: with more text behind, search again from here.
        resume_from: usize,
    },
}

impl Regex {
    /// The first match at or behind `from_at` in a text of which `text` is the beginning; `at_end` says that it is all.
    ///
    /// A match is reported as soon as nothing that could follow would change it, and not before: `\r?\n` is found on its
    /// last byte, `\n+` only with the byte behind it. Index 0 of `text` is where `^` matches. With `at_end` and without
    /// a match the answer is `NotYet` with the length of the text.
    #[must_use]
    pub fn find_in_stream(&self, text: &[u8], from_at: usize, at_end: bool) -> Partial {
        if at_end {
            let found = self.search(text, from_at, &mut Memory::default());
            return found.map_or(Partial::NotYet { resume_from: text.len() }, Partial::Found);
        }
        match &self.shape {
            Shape::Literal(literal) => {
                let tail = text.get(from_at..).unwrap_or_default();
                match self.finder(literal).find(tail) {
                    Some(at) => Partial::Found(Match { start: from_at + at, end: from_at + at + literal.len() }),
                    None => Partial::NotYet { resume_from: from_at.max(text.len() - tail_in(literal, tail)) },
                }
            }
            Shape::One(set) => match set.find(text, from_at) {
                Some(start) => Partial::Found(Match { start, end: start + 1 }),
                None => Partial::NotYet { resume_from: from_at.max(text.len()) },
            },
            Shape::Run { class, empty: false } if !class.other_chars => match class.find(text, from_at) {
                Some((start, end)) if end < text.len() => Partial::Found(Match { start, end }),
                Some((start, _)) => Partial::NotYet { resume_from: start },
                None => Partial::NotYet { resume_from: from_at.max(text.len()) },
            },
            _ => self.find_in_stream_general(text, from_at),
        }
    }

    fn find_in_stream_general(&self, text: &[u8], from_at: usize) -> Partial {
        let table = self.automata.longest(&self.pattern, self.dialect());
        let first = self.automata.first();
        let literal = self.automata.literal_prefix();
        let prefix = literal.map_or(&[][..], |literal| literal.needle());
        let mut misses = 0;
        let mut at = from_at;
        while at < text.len() {
            if self.anchored_start() && at > 0 {
                return Partial::NotYet { resume_from: text.len() };
            }
            let Some(candidate) = first.find(text, at) else { break };
            at = candidate;
            let tail = &text[at..];
            if let Some(literal) = literal
                && !tail.starts_with(prefix)
            {
                misses += 1;
                if misses < MISSES && tail.len() >= prefix.len() {
                    at += 1;
                    continue;
                }
                match literal.find(tail) {
                    Some(found) => at += found,
                    None => return Partial::NotYet { resume_from: text.len() - tail_in(prefix, tail) },
                }
            }
            let reach = table
                .and_then(|table| table.reach_behind(prefix, text, at))
                .or_else(|| self.automata.lazy()?.reach(text, at))
                .or_else(|| Some(simulate::reach(self.automata.nfa()?, text, at)));
            match reach {
                Some(Reach { end: Some(end), open: false }) => return Partial::Found(Match { start: at, end }),
                Some(Reach { open: true, .. }) => return Partial::NotYet { resume_from: at },
                Some(Reach { end: None, open: false }) | None => at += 1,
            }
        }
        Partial::NotYet { resume_from: from_at.max(text.len()) }
    }
}

/// Places where only the first byte of a literal prefix stands before the whole of it is searched for: starting that search costs more
/// than looking at the few line ends of a short record.
const MISSES: u32 = 4;

/// Length of the longest end of `text` that is a proper beginning of `literal`.
fn tail_in(literal: &[u8], text: &[u8]) -> usize {
    (1..literal.len().min(text.len() + 1)).rev().find(|&len| text.ends_with(&literal[..len])).unwrap_or(0)
}
