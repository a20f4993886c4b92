//! The search for one match, by tiers:
//!
//! 1. Kernels for literals, single bytes and runs of one class.
//! 2. The start by literal prefix or first byte, the end by the table. When failed runs have read
//!    too much, they are remembered.
//! 3. The same with the lazy DFA, for large patterns and text beyond ASCII.
//! 4. The start by the library's leftmost-first search, the end by lazy DFA or simulation.

use crate::byte_set::ByteSet;
use crate::caches::Caches;
use crate::compiled::CompiledRegex;
use crate::limits::{LIBRARY_BYTES, MEMO_TEXT_BYTES, WASTE_BYTES};
use crate::longest::Outcome;
use crate::memory::Memory;
use crate::pieces::find_in_pieces;
use crate::shape::Shape;
use crate::table::Table;
use crate::{Match, Regex, simulate};
use riverhawk_memory::ran_out;
use std::ops::Range;

/// A tier's result.
enum Verdict {
    Found(Match),
    Nothing,
    /// Unknown; no match begins before this index.
    Unknown(usize),
}

impl Regex {
    pub(crate) fn search(&self, text: &[u8], from_at: usize, memory: &mut Memory) -> Option<Match> {
        if from_at > text.len() {
            return None;
        }
        match &self.compiled.shape {
            Shape::Literal(literal) => {
                let start = self.compiled.find_literal(literal, text, from_at)?;
                Some(Match { start, end: start + literal.len() })
            }
            Shape::Anchored(anchored) => anchored.find(text).filter(|found| found.start >= from_at),
            Shape::One(set) => {
                let start = find_byte(set, text, from_at)?;
                Some(Match { start, end: start + 1 })
            }
            Shape::Run { class, empty: true } => {
                Some(Match { start: from_at, end: class.end(text, from_at) })
            }
            Shape::Run { class, empty: false } => {
                let (start, end) = memory.runs.next(&class.wide, text, from_at)?;
                if !class.other_chars || text[start..end].is_ascii() {
                    return Some(Match { start, end });
                }
                class.find(text, start).map(|(start, end)| Match { start, end })
            }
            Shape::General => self.search_general(text, from_at, memory),
        }
    }

    fn search_general(&self, text: &[u8], from_at: usize, memory: &mut Memory) -> Option<Match> {
        let compiled = &*self.compiled;
        if compiled.anchored_start() && from_at > 0 {
            return None;
        }
        let mut from_at = from_at;
        if let Some(table) = compiled.automata.longest() {
            match compiled.search_table(table, text, from_at, memory) {
                Verdict::Found(found) => return Some(found),
                Verdict::Nothing => return None,
                Verdict::Unknown(at) => from_at = at,
            }
        }
        let caches = &mut *self.caches.borrow_mut();
        match compiled.search_lazy(caches, text, from_at, memory) {
            Verdict::Found(found) => return Some(found),
            Verdict::Nothing => return None,
            Verdict::Unknown(at) => from_at = at,
        }
        let meta = compiled.automata.meta()?;
        let (start, end) = meta.find(caches.meta(meta), text, from_at)?;
        if compiled.automata.fixed_len {
            return Some(Match { start, end });
        }
        Some(Match { start, end: compiled.end_of(caches, text, start)?.max(end) })
    }

    pub(crate) fn test(&self, text: &[u8]) -> bool {
        match &self.compiled.shape {
            Shape::Literal(literal) => self.compiled.find_literal(literal, text, 0).is_some(),
            Shape::Anchored(anchored) => anchored.find(text).is_some(),
            Shape::One(set) => find_byte(set, text, 0).is_some(),
            Shape::Run { empty: true, .. } => true,
            Shape::Run { class, empty: false } => class.find(text, 0).is_some(),
            Shape::General => self.test_general(text),
        }
    }

    fn test_general(&self, text: &[u8]) -> bool {
        let compiled = &*self.compiled;
        if compiled.anchored_start() {
            return self.search_general(text, 0, &mut Memory::default()).is_some();
        }
        // The library's search cannot be ended.
        if text.len() <= LIBRARY_BYTES
            && let Some(meta) = compiled.automata.meta()
            && meta.fast_test
        {
            return meta.is_match(self.caches.borrow_mut().meta(meta), text);
        }
        if let Some(table) = compiled.automata.anywhere()
            && let Some(found) = table.matches(text, 0)
        {
            return found;
        }
        let meta = compiled.automata.meta();
        meta.is_some_and(|meta| meta.is_match(self.caches.borrow_mut().meta(meta), text))
    }
}

fn find_byte(set: &ByteSet, text: &[u8], from_at: usize) -> Option<usize> {
    let find = |piece: Range<usize>| set.find(&text[..piece.end], piece.start);
    find_in_pieces(from_at, text.len(), 1, find)
}

impl CompiledRegex {
    fn find_literal(&self, literal: &[u8], text: &[u8], from_at: usize) -> Option<usize> {
        let finder = self.finder(literal);
        find_in_pieces(from_at, text.len(), literal.len(), |piece| {
            finder.find(&text[piece.clone()]).map(|found| piece.start + found)
        })
    }

    fn end_of(&self, caches: &mut Caches, text: &[u8], start: usize) -> Option<usize> {
        if let Some(lazy) = self.automata.lazy()
            && let Outcome::Known { end, .. } = lazy.longest(caches.lazy(lazy), text, start)
        {
            return end;
        }
        match simulate::longest(self.automata.nfa()?, text, start) {
            Outcome::Known { end, .. } => end,
            Outcome::Quit => None,
        }
    }

    fn search_table(
        &self,
        table: &Table,
        text: &[u8],
        from_at: usize,
        memory: &mut Memory,
    ) -> Verdict {
        let prefix = self.automata.prefix();
        let mut at = from_at;
        loop {
            at = prefix.candidate(&table.first, text, at);
            if at > text.len() {
                return Verdict::Nothing;
            }
            let outcome = if memory.wasted < WASTE_BYTES {
                table.longest_after_prefix(text, at)
            } else if text.len() <= MEMO_TEXT_BYTES {
                memory.memo.resize(text.len() + 1, 0);
                table.longest_remembering(text, at, &mut memory.memo)
            } else {
                return Verdict::Unknown(at);
            };
            match outcome {
                Outcome::Quit => return Verdict::Unknown(at),
                Outcome::Known { end: Some(end), read_to } => {
                    memory.wasted += read_to.saturating_sub(end + 1);
                    return Verdict::Found(Match { start: at, end });
                }
                Outcome::Known { end: None, read_to } => {
                    memory.wasted += (read_to - at).saturating_sub(1);
                    if at == text.len() || self.anchored_start() || ran_out() {
                        return Verdict::Nothing;
                    }
                    at += 1;
                }
            }
        }
    }

    /// A start that costs too much is left to the library's linear search.
    fn search_lazy(
        &self,
        caches: &mut Caches,
        text: &[u8],
        from_at: usize,
        memory: &mut Memory,
    ) -> Verdict {
        let Some(lazy) = self.automata.lazy() else { return Verdict::Unknown(from_at) };
        let cache = caches.lazy(lazy);
        let (prefix, first) = (self.automata.prefix(), self.automata.first());
        let mut at = from_at;
        loop {
            at = prefix.candidate(first, text, at);
            if at > text.len() {
                return Verdict::Nothing;
            }
            if memory.wasted >= WASTE_BYTES {
                return Verdict::Unknown(at);
            }
            match lazy.longest(cache, text, at) {
                Outcome::Quit => return Verdict::Unknown(at),
                Outcome::Known { end: Some(end), read_to } => {
                    memory.wasted += read_to.saturating_sub(end + 1);
                    return Verdict::Found(Match { start: at, end });
                }
                Outcome::Known { end: None, read_to } => {
                    memory.wasted += (read_to - at).saturating_sub(1);
                    if at == text.len() || self.anchored_start() || ran_out() {
                        return Verdict::Nothing;
                    }
                    at += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::limits::WASTE_BYTES;
    use crate::memory::Memory;
    use crate::{Match, Options, Regex};

    /// Patterns whose failing runs are long.
    const HARD: &[&str] = &[
        "(a*)*b",
        "a*b|a",
        "(a|aa)*b|a",
        "a?a?a?a?a?a?aaaaaa",
        "(a|b)*c|ab",
        "([ab]*c)|a+|b",
        "a.*z|a",
        "é*b|é|a",
    ];

    fn all(regex: &Regex, text: &[u8], wasted: usize) -> (Vec<Match>, usize) {
        let mut memory = Memory { wasted, ..Memory::default() };
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(next) = regex.search(text, at, &mut memory) {
            at = next.end.max(at + 1);
            found.push(next);
        }
        (found, memory.wasted - wasted)
    }

    #[test]
    fn a_search_that_remembers_finds_the_same() {
        let alphabet = ["a", "b", "c", "z", "é"];
        for pattern in HARD {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            for seed in 0..600usize {
                let text: String =
                    (0..8).map(|place| alphabet[(seed * 7919 / 5usize.pow(place)) % 5]).collect();
                let plain = all(&regex, text.as_bytes(), 0).0;
                assert_eq!(
                    plain,
                    all(&regex, text.as_bytes(), WASTE_BYTES).0,
                    "{pattern} in {text}"
                );
            }
        }
    }

    #[test]
    fn all_matches_of_hard_patterns_read_each_byte_a_bounded_number_of_times() {
        let text = vec![b'a'; 30_000];
        for pattern in HARD {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            let (_, wasted) = all(&regex, &text, 0);
            assert!(wasted < 20 * text.len(), "{pattern}: {wasted} bytes in vain");
        }
    }
}
