//! The search for one match, by tiers:
//!
//! 1. Kernels for literals, single bytes, runs of one class and anything beside a literal.
//! 2. The start by literal prefix or first byte, the end by the table. When failed runs have read
//!    too much, they are remembered.
//! 3. The same with the lazy DFA, for large patterns and text beyond ASCII.
//! 4. The start by the library's leftmost-first search, the end by lazy DFA or simulation; in long
//!    texts from every start at once, which can be ended.

use crate::anything::Unknown;
use crate::automata::find_literal;
use crate::byte_set::ByteSet;
use crate::caches::Caches;
use crate::compiled::CompiledRegex;
use crate::every_start::EveryStart;
use crate::limits::{LIBRARY_BYTES, LIBRARY_STEPS, MEMO_TEXT_BYTES, WASTE_BYTES};
use crate::longest::{Arrival, Outcome, Reach};
use crate::memory::Memory;
use crate::pieces::find_in_pieces;
use crate::runs::Runs;
use crate::shape::{RunClass, Shape};
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
            Shape::EdgeRun(run) => run
                .find(text, from_at)
                .unwrap_or_else(|Unknown| self.search_general(text, from_at, memory)),
            Shape::One(set) => {
                let start = find_byte(set, text, from_at)?;
                Some(Match { start, end: start + 1 })
            }
            Shape::OneOfMany(class) => find_one_of_many(class, text, from_at, &mut memory.runs),
            Shape::Run { class, empty: true } => {
                Some(Match { start: from_at, end: class.end(text, from_at) })
            }
            Shape::Run { class, empty: false } => find_run(class, text, from_at, &mut memory.runs),
            Shape::Between(between) => between
                .find(text, from_at)
                .unwrap_or_else(|Unknown| self.search_general(text, from_at, memory)),
            Shape::General => self.search_general(text, from_at, memory),
        }
    }

    pub(crate) fn search_general(
        &self,
        text: &[u8],
        from_at: usize,
        memory: &mut Memory,
    ) -> Option<Match> {
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
        if !compiled.is_quick_for_library(text.len() - from_at) {
            return compiled.search_every_start(caches, text, from_at);
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
            Shape::EdgeRun(run) => match run.find(text, 0) {
                Ok(found) => found.is_some(),
                Err(Unknown) => self.test_general(text),
            },
            Shape::OneOfMany(class) => {
                find_one_of_many(class, text, 0, &mut Runs::default()).is_some()
            }
            Shape::Run { class, empty: false } => {
                find_run(class, text, 0, &mut Runs::default()).is_some()
            }
            Shape::Between(_) | Shape::General => self.test_general(text),
        }
    }

    fn test_general(&self, text: &[u8]) -> bool {
        let compiled = &*self.compiled;
        if let Some(chain) = compiled.chain()
            && let Ok(found) = chain.matches(text)
        {
            return found;
        }
        if compiled.anchored_start() {
            if let Some(table) = compiled.automata.longest()
                && let Outcome::Known { end, .. } = table.first_end(text, 0, |at| at)
            {
                return end.is_some();
            }
            return self.search_general(text, 0, &mut Memory::default()).is_some();
        }
        let is_quick = compiled.is_quick_for_library(text.len());
        if is_quick
            && let Some(meta) = compiled.automata.meta()
            && meta.fast_test
        {
            return meta.is_match(self.caches.borrow_mut().meta(meta), text);
        }
        let (prefix, first) = (compiled.automata.prefix(), compiled.automata.first());
        if let Some(table) = compiled.automata.anywhere()
            && let Outcome::Known { end, .. } =
                table.first_end(text, 0, |at| prefix.candidate(first, text, at))
        {
            return end.is_some();
        }
        if !is_quick {
            let caches = &mut *self.caches.borrow_mut();
            let answer =
                compiled.automata.lazy().and_then(|lazy| lazy.matches(caches.lazy(lazy), text, 0));
            return answer
                .unwrap_or_else(|| compiled.search_every_start(caches, text, 0).is_some());
        }
        let meta = compiled.automata.meta();
        meta.is_some_and(|meta| meta.is_match(self.caches.borrow_mut().meta(meta), text))
    }
}

fn find_byte(set: &ByteSet, text: &[u8], from_at: usize) -> Option<usize> {
    let find = |piece: Range<usize>| set.find(&text[..piece.end], piece.start);
    find_in_pieces(from_at, text.len(), 1, find)
}

fn find_one_of_many(
    class: &RunClass,
    text: &[u8],
    mut from_at: usize,
    runs: &mut Runs,
) -> Option<Match> {
    loop {
        let start = runs.first_member(&class.wide, text, from_at)?;
        if text[start].is_ascii() {
            return Some(Match { start, end: start + 1 });
        }
        match class.first_beyond(text, start) {
            Ok((start, end)) => return Some(Match { start, end }),
            Err(go_on_at) => from_at = go_on_at,
        }
    }
}

fn find_run(class: &RunClass, text: &[u8], from_at: usize, runs: &mut Runs) -> Option<Match> {
    if class.is_of_bytes() {
        return runs.next(&class.bytes, text, from_at).map(|(start, end)| Match { start, end });
    }
    // Not to the end of what may be members: that may be far.
    let Match { start, end } = find_one_of_many(class, text, from_at, runs)?;
    Some(Match { start, end: class.end(text, end) })
}

impl CompiledRegex {
    fn find_literal(&self, literal: &[u8], text: &[u8], from_at: usize) -> Option<usize> {
        find_literal(self.finder(literal), text, from_at)
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
                if memory.memo.is_empty() {
                    // Zeroed by the system as it is used, not all at once.
                    memory.memo = vec![0; text.len() + 1];
                }
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
                    at = self.automata.after_failure(text, at);
                }
            }
        }
    }

    /// Whether the library, whose searches cannot be ended, takes no more than some milliseconds.
    fn is_quick_for_library(&self, length: usize) -> bool {
        // It finds empty matches, which `EveryStart` does not. There are few where runs fail.
        if self.hir.properties().minimum_len() == Some(0) {
            return true;
        }
        match self.automata.longest() {
            Some(_) => length <= LIBRARY_BYTES,
            None => {
                let states = self.automata.nfa().map_or(0, |nfa| nfa.states().len());
                length.saturating_mul(states) <= LIBRARY_STEPS
            }
        }
    }

    /// The first match, which is not empty, with an end in the middle when memory runs out.
    fn search_every_start(
        &self,
        caches: &mut Caches,
        text: &[u8],
        from_at: usize,
    ) -> Option<Match> {
        if let Some(lazy) = self.automata.lazy()
            && lazy.matches(caches.lazy(lazy), text, from_at) == Some(false)
        {
            return None;
        }
        let nfa = self.automata.nfa()?;
        let mut runs = EveryStart::new(nfa);
        let mut at = from_at;
        while at <= text.len() && !ran_out() {
            at = self.automata.prefix().candidate(self.automata.first(), text, at);
            if at > text.len() {
                break;
            }
            runs.begin(at);
            match runs.go_on(nfa, text, Arrival::Complete) {
                Reach::Found(found) => return Some(found),
                Reach::Nothing { go_on_at } => at = go_on_at,
                Reach::Open | Reach::Quit => break,
            }
        }
        None
    }

    /// A start that costs too much is left to a linear search.
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
                    at = self.automata.after_failure(text, at);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::caches::Caches;
    use crate::limits::WASTE_BYTES;
    use crate::memory::Memory;
    use crate::shape::Shape;
    use crate::{Match, Options, Regex};
    use proptest::prelude::*;

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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]
        #[test]
        fn classes_need_no_automaton_and_find_the_same(
            text in proptest::collection::vec(
                proptest::sample::select(vec![&b"a"[..], b"B", b" ", b"\t", b"1", b"-", "é".as_bytes(), "日".as_bytes(),
                    "\u{3000}".as_bytes(), "😀".as_bytes(), "𝐀".as_bytes(), b"\xff", b"\xc3", b"\x80"]),
                0..20,
            ),
            padding in proptest::sample::select(vec![0usize, 60, 64, 130]),
            pattern in proptest::sample::select(vec![
                "[[:space:]]", "[[:space:]]+", "[[:alpha:]]+", "[[:upper:]]", "[^[:alnum:]]+", "[^[:alpha:]]", "[[:alpha:]]*", "[é-ÿa]+",
                "^[[:space:]]+", "[[:space:]]+$", "[[:space:]]*$", "^[^ ]+", "[^[:alpha:]]$", "^[[:upper:]]", "[^ a]*$", "[𝐀-𝐙]+",
            ]),
            from_at in 0usize..6,
            ignore_case in any::<bool>(),
        ) {
            let options = Options { ignore_case, ..Options::default() };
            let regex = Regex::new(pattern.as_bytes(), &options).unwrap();
            prop_assert!(!matches!(regex.shape, Shape::General), "{}", pattern);
            let text = [vec![b'-'; padding], text.concat()].concat();
            let from_at = (padding + from_at).min(text.len());
            let expected = regex.search_general(&text, from_at, &mut Memory::default());
            prop_assert_eq!(regex.find_at(&text, from_at), expected, "{} in {:?} from {}", pattern, text, from_at);
            prop_assert_eq!(regex.is_match(&text), regex.find(&text).is_some(), "{} in {:?}", pattern, text);
        }
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
    fn searches_that_can_be_ended_find_the_same() {
        let alphabet = ["a", "b", "c", "z", "é", " "];
        let words = [r"\<a+\>", r"(é|a)+\yb?", r"\yé", "(ab|ba|cab)+z", "b+$|^a+"];
        let mut compared = 0;
        for pattern in HARD.iter().chain(&words) {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            let (compiled, caches) = (&*regex.compiled, &mut Caches::default());
            if compiled.hir.properties().minimum_len() == Some(0) {
                continue;
            }
            for seed in 0..600usize {
                let text: String =
                    (0..8).map(|place| alphabet[(seed * 7919 / 6usize.pow(place)) % 6]).collect();
                let text = text.as_bytes();
                for from_at in [0, 1, 4] {
                    let expected = regex.find_at(text, from_at);
                    let found = compiled.search_every_start(caches, text, from_at);
                    assert_eq!(found, expected, "{pattern} in {text:?} from {from_at}");
                    let lazy = compiled.automata.lazy().unwrap();
                    let is_there = lazy.matches(caches.lazy(lazy), text, from_at);
                    assert!(is_there.is_none_or(|is_there| is_there == expected.is_some()));
                    compared += usize::from(is_there.is_some());
                }
            }
        }
        assert!(compared > 10_000);
    }

    #[test]
    fn a_run_is_not_searched_for_to_the_end_of_all_that_may_be_in_it() {
        // Quadratic, this would take minutes.
        for (pattern, unit) in [("[[:space:]]+", "日é ".as_bytes()), ("[^ ]+", b"a\xff")] {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            let text = unit.repeat(200_000);
            assert_eq!(regex.matches(&text).count(), 200_000, "{pattern}");
        }
    }

    #[test]
    fn long_texts_are_searched_as_short_ones() {
        let hard = "(a|b)*a(a|b){9}X";
        for (pattern, middle, found) in
            [(hard, "Xz", true), (hard, "z", false), ("(é+z|y)+", "ééz", true), ("z$", "z", false)]
        {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            let length = if pattern == hard { 200_000 } else { 1_100_000 };
            let half: String =
                (0..length).map(|at: usize| if at * at % 7 < 3 { 'a' } else { 'b' }).collect();
            let text = format!("{half}{middle}{half}c");
            assert!(!regex.is_quick_for_library(text.len()));
            assert_eq!(regex.is_match(text.as_bytes()), found, "{pattern}");
            let expected = match pattern {
                _ if !found => None,
                _ if pattern == hard => Some(Match { start: 0, end: half.len() + 1 }),
                _ => Some(Match { start: half.len(), end: half.len() + middle.len() }),
            };
            assert_eq!(regex.find(text.as_bytes()), expected, "{pattern}");
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
