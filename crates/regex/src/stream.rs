//! Search in text that arrives in chunks: a regular expression as record separator.

use std::fmt;

use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::Cache;

use crate::automata::Prefix;
use crate::compiled::CompiledRegex;
use crate::every_start::EveryStart;
use crate::limits::WASTE_BYTES;
use crate::longest::{Arrival, Reach, Walk};
use crate::shape::Shape;
use crate::table::Table;
use crate::{Match, Regex};

/// The result of a search in text that may continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Partial {
    /// A match that no further text can change.
    Found(Match),
    /// None yet, or one that more text could change.
    NotYet {
        /// No match begins before this index; the next search may start here.
        resume_from: usize,
    },
}

/// The state of one regex's search in one text. [`clear`](MatchProgress::clear) it for another text.
#[derive(Default)]
pub struct MatchProgress {
    open: Option<Open>,
    /// Bytes read by failed runs.
    wasted: usize,
    /// States of the lazy DFA for the open run.
    states: Option<Cache>,
    room: Option<Box<EveryStart>>,
    looked_at: u64,
}

enum Open {
    Run(usize, usize),
    Table(Walk<u16>),
    Lazy(Walk<LazyStateID>),
    EveryStart(Box<EveryStart>),
}

impl MatchProgress {
    /// Forgets the text.
    pub fn clear(&mut self) {
        self.open = None;
        self.wasted = 0;
    }

    /// Bytes read by all runs, with repetition: linear in the text.
    #[must_use]
    pub fn looked_at(&self) -> u64 {
        self.looked_at
    }
}

impl fmt::Debug for MatchProgress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open_from = self.open.as_ref().map(Open::start);
        out.debug_struct("MatchProgress").field("open_from", &open_from).finish_non_exhaustive()
    }
}

impl Open {
    fn start(&self) -> usize {
        match self {
            Open::Run(start, _) => *start,
            Open::Table(walk) => walk.start,
            Open::Lazy(walk) => walk.start,
            Open::EveryStart(runs) => runs.earliest(),
        }
    }

    fn at(&self) -> usize {
        match self {
            Open::Run(_, at) => *at,
            Open::Table(walk) => walk.at,
            Open::Lazy(walk) => walk.at,
            Open::EveryStart(runs) => runs.at,
        }
    }
}

impl Regex {
    /// The first match, not empty, from `from_at` on, in a text of which `text` is the beginning or
    /// all. `progress` comes from earlier calls about this text.
    ///
    /// A match is reported as soon as no further text can change it: `\r?\n` on its last byte,
    /// `\n+` with the byte after it. `^` matches at index 0. For a complete text without a match
    /// the answer is `NotYet` with its length.
    ///
    /// All calls about a text together take linear time.
    #[must_use]
    #[inline]
    pub fn find_in_stream(
        &self,
        text: &[u8],
        from_at: usize,
        arrival: Arrival,
        progress: &mut MatchProgress,
    ) -> Partial {
        let at_end = arrival == Arrival::Complete;
        match &self.compiled.shape {
            Shape::Literal(literal) => {
                let tail = text.get(from_at..).unwrap_or_default();
                match self.compiled.finder(literal).find(tail) {
                    Some(at) => Partial::Found(Match {
                        start: from_at + at,
                        end: from_at + at + literal.len(),
                    }),
                    None if at_end => Partial::NotYet { resume_from: text.len() },
                    None => Partial::NotYet {
                        resume_from: from_at.max(text.len() - tail_in(literal, tail)),
                    },
                }
            }
            Shape::One(set) => match set.find(text, from_at) {
                Some(start) => Partial::Found(Match { start, end: start + 1 }),
                None => Partial::NotYet { resume_from: from_at.max(text.len()) },
            },
            Shape::Run { class, empty: false } if class.is_of_bytes() => {
                let open = match progress.open.take() {
                    Some(Open::Run(start, known_to)) if start >= from_at => Some((start, known_to)),
                    _ => class.bytes.find(text, from_at).map(|start| (start, start)),
                };
                let Some((start, known_to)) = open else {
                    return Partial::NotYet { resume_from: text.len() };
                };
                let end = class.end(text, known_to);
                progress.looked_at += (end - known_to) as u64;
                if end < text.len() || at_end {
                    return Partial::Found(Match { start, end });
                }
                progress.open = Some(Open::Run(start, end));
                Partial::NotYet { resume_from: start }
            }
            _ => self.find_in_stream_general(text, from_at, arrival, progress),
        }
    }

    /// Finds one match after the other, each in the text that follows the one before, until `found`
    /// returns false or more text could change the next. `progress` is cleared.
    pub fn each_settled(
        &self,
        text: &[u8],
        progress: &mut MatchProgress,
        mut found: impl FnMut(Match) -> bool,
    ) {
        progress.clear();
        let mut at = 0;
        loop {
            let rest = &text[at..];
            match self.find_in_stream(rest, 0, Arrival::Partial, progress) {
                Partial::Found(next)
                    if found(Match { start: at + next.start, end: at + next.end }) =>
                {
                    at += next.end;
                    progress.wasted = 0;
                }
                _ => break,
            }
        }
        progress.clear();
    }

    #[inline]
    fn find_in_stream_general(
        &self,
        text: &[u8],
        from_at: usize,
        arrival: Arrival,
        progress: &mut MatchProgress,
    ) -> Partial {
        let at_end = arrival == Arrival::Complete;
        let mut misses = 0;
        let mut at = from_at;
        let mut open = progress.open.take().filter(|open| open.start() >= from_at);
        if open.is_none()
            && let Some(table) = self.compiled.automata.longest()
        {
            match self.compiled.find_by_table(table, text, from_at, arrival, progress) {
                Ok(answer) => return answer,
                Err(go_on_at) => at = go_on_at,
            }
        }
        loop {
            let mut run = match open.take() {
                Some(open) => open,
                None => match self.compiled.next_start(text, at, &mut misses) {
                    Ok(start) => match self.compiled.begin(text, start, progress) {
                        Some(run) => run,
                        None => return Partial::NotYet { resume_from: text.len() },
                    },
                    Err(_) if at_end => return Partial::NotYet { resume_from: text.len() },
                    Err(resume_from) => return Partial::NotYet { resume_from },
                },
            };
            let (start, begun_at) = (run.start(), run.at());
            let reach = self.compiled.go_on(&mut run, text, arrival, progress);
            progress.looked_at += (run.at() - begun_at) as u64;
            match reach {
                Reach::Found(found) => return Partial::Found(found),
                Reach::Open => {
                    let resume_from = run.start();
                    progress.open = Some(run);
                    return Partial::NotYet { resume_from };
                }
                Reach::Nothing { go_on_at } => {
                    progress.wasted += run.at().saturating_sub(go_on_at);
                    at = go_on_at;
                    if let Open::EveryStart(runs) = run {
                        progress.room = Some(runs);
                    }
                }
                Reach::Quit => {
                    progress.wasted += run.at() - start;
                    open = self.compiled.after_quitting(&run, text, progress);
                    at = start;
                    if open.is_none() {
                        return Partial::NotYet { resume_from: text.len() };
                    }
                }
            }
        }
    }
}

impl CompiledRegex {
    /// As the general search as long as the table decides; then where to go on. For short records
    /// the general one's choice of an automaton takes longer than the search.
    #[inline]
    fn find_by_table(
        &self,
        table: &Table,
        text: &[u8],
        from_at: usize,
        arrival: Arrival,
        progress: &mut MatchProgress,
    ) -> Result<Partial, usize> {
        let (mut at, mut misses) = (from_at, 0);
        while progress.wasted <= WASTE_BYTES + at {
            let start = match self.next_start(text, at, &mut misses) {
                Ok(start) => start,
                Err(_) if arrival == Arrival::Complete => {
                    return Ok(Partial::NotYet { resume_from: text.len() });
                }
                Err(resume_from) => return Ok(Partial::NotYet { resume_from }),
            };
            let mut walk = table.begin(text, start);
            let reach = table.go_on(&mut walk, text, arrival);
            progress.looked_at += (walk.at - start) as u64;
            match reach {
                Reach::Found(found) => return Ok(Partial::Found(found)),
                Reach::Open => {
                    progress.open = Some(Open::Table(walk));
                    return Ok(Partial::NotYet { resume_from: start });
                }
                Reach::Nothing { go_on_at } => {
                    progress.wasted += walk.at.saturating_sub(go_on_at);
                    at = go_on_at;
                }
                Reach::Quit => return Err(start),
            }
        }
        Err(at)
    }

    /// The next index where a match may begin, or where to resume with more text.
    fn next_start(&self, text: &[u8], at: usize, misses: &mut u32) -> Result<usize, usize> {
        let first = self.automata.first();
        let prefix = self.automata.prefix();
        let mut at = at;
        loop {
            if at >= text.len() {
                return Err(text.len());
            }
            if self.anchored_start() && at > 0 {
                return Err(text.len());
            }
            at = first.find(text, at).ok_or(text.len())?;
            let Prefix::Literal(literal) = prefix else { return Ok(at) };
            let (prefix, tail) = (literal.needle(), &text[at..]);
            if tail.starts_with(prefix) {
                return Ok(at);
            }
            *misses += 1;
            if *misses >= MISSES || tail.len() < prefix.len() {
                return literal
                    .find(tail)
                    .map(|found| at + found)
                    .ok_or(text.len() - tail_in(prefix, tail));
            }
            at += 1;
        }
    }

    /// A run from `start`, or from every start at once after too many failed runs.
    fn begin(&self, text: &[u8], start: usize, progress: &mut MatchProgress) -> Option<Open> {
        if progress.wasted <= WASTE_BYTES + start {
            if let Some(table) = self.automata.longest() {
                return Some(Open::Table(table.begin(text, start)));
            }
            if let Some(run) = self.begin_lazy(text, start, progress) {
                return Some(run);
            }
        }
        self.begin_every_start(start, progress)
    }

    fn begin_lazy(&self, text: &[u8], start: usize, progress: &mut MatchProgress) -> Option<Open> {
        let lazy = self.automata.lazy()?;
        let states = progress.states.get_or_insert_with(|| lazy.create_cache());
        lazy.begin(states, text, start).map(Open::Lazy)
    }

    fn begin_every_start(&self, start: usize, progress: &mut MatchProgress) -> Option<Open> {
        let nfa = self.automata.nfa()?;
        let mut runs = progress.room.take().unwrap_or_else(|| Box::new(EveryStart::new(nfa)));
        runs.begin(start);
        Some(Open::EveryStart(runs))
    }

    fn after_quitting(
        &self,
        run: &Open,
        text: &[u8],
        progress: &mut MatchProgress,
    ) -> Option<Open> {
        if matches!(run, Open::Table(_))
            && let Some(next) = self.begin_lazy(text, run.start(), progress)
        {
            return Some(next);
        }
        self.begin_every_start(run.start(), progress)
    }

    fn go_on(
        &self,
        run: &mut Open,
        text: &[u8],
        arrival: Arrival,
        progress: &mut MatchProgress,
    ) -> Reach {
        let reach = match run {
            Open::Run(..) => None,
            Open::Table(walk) => {
                self.automata.longest().map(|table| table.go_on(walk, text, arrival))
            }
            Open::Lazy(walk) => match (self.automata.lazy(), &mut progress.states) {
                (Some(lazy), Some(states)) => Some(lazy.go_on(states, walk, text, arrival)),
                _ => None,
            },
            Open::EveryStart(runs) => self.automata.nfa().map(|nfa| runs.go_on(nfa, text, arrival)),
        };
        reach.unwrap_or(Reach::Quit)
    }
}

/// How often the first byte of a literal prefix is tried before searching for the whole prefix,
/// whose setup costs more than a few line ends.
const MISSES: u32 = 4;

/// The longest end of `text` that is a proper prefix of `literal`.
fn tail_in(literal: &[u8], text: &[u8]) -> usize {
    (1..literal.len().min(text.len() + 1))
        .rev()
        .find(|&len| text.ends_with(&literal[..len]))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{MatchProgress, Partial};
    use crate::{Arrival, Match, Options, Regex};
    use proptest::prelude::*;

    fn regex(pattern: &str) -> Regex {
        Regex::new(pattern.as_bytes(), &Options::default()).unwrap()
    }

    fn in_pieces(
        regex: &Regex,
        text: &[u8],
        piece: usize,
        progress: &mut MatchProgress,
    ) -> Option<Match> {
        let (mut seen, mut resume_at) = (0, 0);
        loop {
            seen = text.len().min(seen + piece);
            let arrival = if seen == text.len() { Arrival::Complete } else { Arrival::Partial };
            match regex.find_in_stream(&text[..seen], resume_at, arrival, progress) {
                Partial::Found(found) => return Some(found),
                Partial::NotYet { resume_from } => {
                    assert!(
                        resume_at <= resume_from && resume_from <= seen,
                        "{resume_at} {resume_from} {seen}"
                    );
                    resume_at = resume_from;
                }
            }
            if seen == text.len() {
                return None;
            }
        }
    }

    fn first_with_a_byte(regex: &Regex, text: &[u8]) -> Option<Match> {
        regex.matches(text).find(|found| !found.is_empty())
    }

    #[test]
    fn each_byte_is_looked_at_a_bounded_number_of_times() {
        const LENGTH: usize = 5_000;
        let patterns = [
            "\n+",
            "(\n)+",
            "a+",
            "(ab)+",
            "(ab)+c",
            "a*b",
            "a*b|a*c",
            "(a*)*b",
            "(a*b)?",
            "x[^y]*y",
            "x.*y|a",
            "^a+b",
            "^a*|a*b",
            "\\<a+\\>b",
            "\\ya+\\y!",
            "[[:alpha:]]+x",
            "(é|a)+b",
            "\\<é.*\\>!",
            "(a|b)*c",
            "(aa|aba)*c",
            "a{1,300}b",
            "é+$",
            "[^z]*z",
        ];
        for pattern in patterns {
            let regex = regex(pattern);
            for unit in ["\n", "a", "ab", "x", "aé ", "é a"] {
                for end in ["", "b", "!"] {
                    let text =
                        [unit.repeat(LENGTH / unit.len()).as_bytes(), end.as_bytes()].concat();
                    let mut progress = MatchProgress::default();
                    let found = in_pieces(&regex, &text, 61, &mut progress);
                    assert_eq!(
                        found,
                        first_with_a_byte(&regex, &text),
                        "{pattern} in {unit}...{end}"
                    );
                    let looked_at = progress.looked_at();
                    assert!(
                        looked_at <= 5 * text.len() as u64,
                        "{pattern} in {unit}...{end}: {looked_at}"
                    );
                    let matched = found.map_or(0, |found| found.end - found.start);
                    assert!(
                        looked_at >= matched as u64,
                        "{pattern} in {unit}...{end}: {looked_at}, and the match has {matched}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_match_is_found_with_the_byte_that_settles_it() {
        for (pattern, text) in [
            ("\r?\n", "x\r\n"),
            ("\n+", "x\n\ny"),
            ("(ab)+", "xababa "),
            ("a|ab|abc", "xabc"),
            ("a*b", "xaab"),
        ] {
            let (regex, text) = (regex(pattern), text.as_bytes());
            let (mut early, mut late) = (MatchProgress::default(), MatchProgress::default());
            let before =
                regex.find_in_stream(&text[..text.len() - 1], 0, Arrival::Partial, &mut early);
            assert!(matches!(before, Partial::NotYet { .. }), "{pattern}");
            let then = regex.find_in_stream(text, 0, Arrival::Partial, &mut late);
            assert!(matches!(then, Partial::Found(_)), "{pattern}");
            assert_eq!(
                regex.find_in_stream(text, 1, Arrival::Partial, &mut early),
                then,
                "{pattern}"
            );
        }
    }

    #[test]
    fn a_text_that_is_cleared_away_leaves_nothing() {
        let (regex, mut progress) = (regex("(a)+"), MatchProgress::default());
        assert_eq!(
            regex.find_in_stream(b"xaa", 0, Arrival::Partial, &mut progress),
            Partial::NotYet { resume_from: 1 }
        );
        progress.clear();
        assert_eq!(
            regex.find_in_stream(b"bbbab", 0, Arrival::Partial, &mut progress),
            Partial::Found(Match { start: 3, end: 4 })
        );
    }

    #[test]
    fn an_open_match_that_begins_before_the_place_that_is_asked_for_is_forgotten() {
        for pattern in ["a+", "(a)+", "(é|a)+"] {
            let (regex, mut progress) = (regex(pattern), MatchProgress::default());
            assert_eq!(
                regex.find_in_stream(b"xaa", 0, Arrival::Partial, &mut progress),
                Partial::NotYet { resume_from: 1 }
            );
            let found = regex.find_in_stream(b"xaaaxx", 2, Arrival::Partial, &mut progress);
            assert_eq!(found, Partial::Found(Match { start: 2, end: 4 }), "{pattern}");
        }
    }

    proptest! {
        #[test]
        fn runs_from_every_start_find_what_a_search_of_the_whole_text_finds(
            text in proptest::collection::vec(proptest::sample::select(vec!["a", "b", "a", "b", "é", " ", "\n"]), 0..12),
            pattern in proptest::sample::select(vec![
                "a", "a+", "(ab)+", "a*b", "a|ab|abb", "a.*b|b", "(a|b)*é", "a*", "^a+", "^a|b+$", "a$", "\\<a", "b\\>", "\\ya\\y|b", "\\Ba",
                "é+b?", "[^a]+a", "(a*)+b", "ab|b|abab", "a?b?é", "\\<|b", "(^| )a", "b{2}|ab",
            ]),
            piece in 1usize..4,
        ) {
            let (regex, text) = (regex(pattern), text.concat());
            let mut progress = MatchProgress { wasted: usize::MAX / 2, ..MatchProgress::default() };
            let found = in_pieces(&regex, text.as_bytes(), piece, &mut progress);
            prop_assert_eq!(found, first_with_a_byte(&regex, text.as_bytes()), "{} in {:?}", pattern, text);
        }
    }
}
