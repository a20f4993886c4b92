//! The automata of one pattern, each built on demand.

use std::ops::Range;
use std::sync::OnceLock;

use memchr::memmem;
use regex_automata::meta::{self, Cache};
use regex_automata::nfa::thompson::{self, NFA, State, WhichCaptures};
use regex_automata::util::prefilter::Prefilter;
use regex_automata::{Input, MatchKind};
use regex_syntax::hir::{Hir, HirKind, Literal, Look};

use crate::byte_set::ByteSet;
use crate::classes::Dialect;
use crate::lazy::Lazy;
use crate::limits::{LARGE_CLASS_RANGES, LAZY_CACHE_BYTES, NFA_BYTES, TABLE_NFA_STATES};
use crate::parse::parse;
use crate::pieces::find_in_pieces;
use crate::shape::{has_class_larger_than, leading_run, without_captures};
use crate::table::{Covers, Purpose, Table};

pub(crate) struct Automata {
    pub pattern: Box<[u8]>,
    dialect: Dialect,
    /// Without captures.
    hir: Hir,
    /// All matches from one index have the same length.
    pub fixed_len: bool,
    nfa: OnceLock<Option<NFA>>,
    small: OnceLock<Option<Small>>,
    longest: OnceLock<Option<Table>>,
    anywhere: OnceLock<Option<Table>>,
    lazy: OnceLock<Option<Lazy>>,
    meta: OnceLock<Option<Meta>>,
    prefix: OnceLock<Prefix>,
    first: OnceLock<ByteSet>,
    lead: OnceLock<Option<ByteSet>>,
}

struct Small {
    nfa: NFA,
    covers: Covers,
}

/// The library's meta engine, good at literals.
pub(crate) struct Meta {
    regex: meta::Regex,
    /// Whether `is_match` is fast: it skips by literals, or works from the end of an anchored
    /// pattern.
    pub fast_test: bool,
}

impl Meta {
    pub(crate) fn create_cache(&self) -> Cache {
        self.regex.create_cache()
    }

    pub(crate) fn is_match(&self, cache: &mut Cache, text: &[u8]) -> bool {
        self.regex.search_half_with(cache, &Input::new(text).earliest(true)).is_some()
    }

    /// The leftmost match, which ends where its first possible alternative does: not always the
    /// longest.
    pub(crate) fn find(&self, cache: &mut Cache, text: &[u8], at: usize) -> Option<(usize, usize)> {
        let found = self.regex.search_with(cache, &Input::new(text).range(at..))?;
        Some((found.start(), found.end()))
    }
}

impl Automata {
    pub(crate) fn new(hir: &Hir, pattern: &[u8], dialect: Dialect) -> Automata {
        let hir = without_captures(hir);
        let lengths = hir.properties();
        let fixed_len =
            lengths.minimum_len().is_some() && lengths.minimum_len() == lengths.maximum_len();
        Automata {
            pattern: pattern.into(),
            dialect,
            hir,
            fixed_len,
            nfa: OnceLock::new(),
            small: OnceLock::new(),
            longest: OnceLock::new(),
            anywhere: OnceLock::new(),
            lazy: OnceLock::new(),
            meta: OnceLock::new(),
            prefix: OnceLock::new(),
            first: OnceLock::new(),
            lead: OnceLock::new(),
        }
    }

    /// The full automaton; [`crate::CompiledRegex::new`] has checked its size.
    pub(crate) fn nfa(&self) -> Option<&NFA> {
        self.nfa.get_or_init(|| compile(&self.hir, WhichCaptures::None)).as_ref()
    }

    fn small(&self) -> Option<&Small> {
        self.small
            .get_or_init(|| {
                let dialect = self.dialect;
                let unicode_words = self.hir.properties().look_set().contains_word_unicode();
                let ascii_part = !dialect.bytes
                    && (unicode_words || has_class_larger_than(&self.hir, LARGE_CLASS_RANGES));
                let nfa = if ascii_part {
                    let parsed =
                        parse(&self.pattern, Dialect { ascii_part: true, ..dialect }).ok()?;
                    compile(&without_captures(&parsed.hir), WhichCaptures::None)?
                } else {
                    self.nfa()?.clone()
                };
                let covers = if ascii_part { Covers::Ascii } else { Covers::All };
                (nfa.states().len() <= TABLE_NFA_STATES).then_some(Small { nfa, covers })
            })
            .as_ref()
    }

    fn table(&self, purpose: Purpose) -> Option<Table> {
        let small = self.small()?;
        Table::build(&small.nfa, purpose, small.covers)
    }

    #[inline]
    pub(crate) fn longest(&self) -> Option<&Table> {
        let build = || Some(self.table(Purpose::Longest)?.with_prefix(self.prefix().literal()));
        self.longest.get_or_init(build).as_ref()
    }

    #[inline]
    pub(crate) fn anywhere(&self) -> Option<&Table> {
        self.anywhere.get_or_init(|| self.table(Purpose::Anywhere)).as_ref()
    }

    #[inline]
    pub(crate) fn lazy(&self) -> Option<&Lazy> {
        self.lazy.get_or_init(|| Lazy::build(self.nfa()?)).as_ref()
    }

    #[inline]
    pub(crate) fn meta(&self) -> Option<&Meta> {
        self.meta
            .get_or_init(|| {
                let config = meta::Config::new()
                    .utf8_empty(false)
                    .auto_prefilter(prefilter_pays(&self.hir))
                    .which_captures(WhichCaptures::Implicit)
                    .nfa_size_limit(Some(4 * NFA_BYTES))
                    .hybrid_cache_capacity(LAZY_CACHE_BYTES);
                let regex =
                    meta::Builder::new().configure(config).build_from_hir(&self.hir).ok()?;
                let at_end = self.hir.properties().look_set_suffix().contains(Look::End);
                let fast_test = regex.is_accelerated() || at_end;
                Some(Meta { regex, fast_test })
            })
            .as_ref()
    }

    #[inline]
    pub(crate) fn prefix(&self) -> &Prefix {
        self.prefix.get_or_init(|| Prefix::of(&self.hir))
    }

    /// Where the next match may begin if none begins at `at`. A pattern that begins with a run does
    /// not match anywhere in it: what follows the rest of a run would follow all of it.
    #[inline]
    pub(crate) fn after_failure(&self, text: &[u8], at: usize) -> usize {
        match self.lead.get_or_init(|| leading_run(&self.hir)) {
            Some(run) => run.skip(text, at).max(at + 1),
            None => at + 1,
        }
    }

    pub(crate) fn first(&self) -> &ByteSet {
        self.first.get_or_init(|| ByteSet::new(self.nfa().map_or([true; 256], first_bytes)))
    }
}

/// The literals that begin every match, if searching for them pays.
pub(crate) enum Prefix {
    Literal(Box<memmem::Finder<'static>>),
    Literals(Prefilter),
    Unknown,
}

/// A literal of so many bytes is searched for alone, whatever follows it.
const LONE_LITERAL: usize = 3;

/// Whether the library's search for what matches begin with pays. It searches for single bytes too,
/// however many there are: for digits in a log it stops at every third byte.
pub(crate) fn prefilter_pays(hir: &Hir) -> bool {
    let begins_with_few = || {
        compile(hir, WhichCaptures::None)
            .is_some_and(|nfa| first_bytes(&nfa).iter().filter(|&&begins| begins).count() <= 3)
    };
    Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, hir)
        .is_none_or(|found| found.max_needle_len() > 1 || begins_with_few())
}

impl Prefix {
    fn of_literal(literal: &[u8]) -> Prefix {
        Prefix::Literal(Box::new(memmem::Finder::new(literal).into_owned()))
    }

    pub(crate) fn of(hir: &Hir) -> Prefix {
        let lone = match hir.kind() {
            HirKind::Concat(parts) => match parts.first().map(Hir::kind) {
                Some(HirKind::Literal(Literal(literal))) => Some(literal),
                _ => None,
            },
            _ => None,
        };
        // Faster than the prefilter on short texts.
        if let Some(literal) = lone.filter(|literal| literal.len() >= LONE_LITERAL) {
            return Prefix::of_literal(literal);
        }
        let prefilter = Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, hir);
        let Some(prefilter) = prefilter.filter(Prefilter::is_fast) else { return Prefix::Unknown };
        if let Some(literal) = lone.filter(|literal| literal.len() == prefilter.max_needle_len()) {
            return Prefix::of_literal(literal);
        }
        Prefix::Literals(prefilter)
    }

    /// Empty if it is not a single literal.
    pub(crate) fn literal(&self) -> &[u8] {
        match self {
            Prefix::Literal(literal) => literal.needle(),
            Prefix::Literals(_) | Prefix::Unknown => &[],
        }
    }

    /// The next possible start, up to `text.len()`; `first` are the bytes that can begin a match.
    #[inline]
    pub(crate) fn candidate(&self, first: &ByteSet, text: &[u8], at: usize) -> usize {
        match self {
            Prefix::Literal(literal) => find_literal(literal, text, at).unwrap_or(text.len() + 1),
            Prefix::Literals(prefilter) => {
                let find = |piece: Range<usize>| Some(prefilter.find(text, piece.into())?.start);
                let longest = prefilter.max_needle_len();
                find_in_pieces(at, text.len(), longest, find).unwrap_or(text.len() + 1)
            }
            Prefix::Unknown => {
                let find = |piece: Range<usize>| first.find(&text[..piece.end], piece.start);
                find_in_pieces(at, text.len(), 1, find).unwrap_or(text.len())
            }
        }
    }
}

pub(crate) fn find_literal(
    literal: &memmem::Finder<'_>,
    text: &[u8],
    from_at: usize,
) -> Option<usize> {
    let find =
        |piece: Range<usize>| literal.find(&text[piece.clone()]).map(|found| piece.start + found);
    find_in_pieces(from_at, text.len(), literal.needle().len(), find)
}

pub(crate) fn compile(hir: &Hir, captures: WhichCaptures) -> Option<NFA> {
    let config = thompson::Config::new()
        .utf8(false)
        .nfa_size_limit(Some(NFA_BYTES))
        .which_captures(captures);
    thompson::Compiler::new().configure(config).build_from_hir(hir).ok()
}

/// Bytes that can begin a match, if assertions are taken as true.
pub(crate) fn first_bytes(nfa: &NFA) -> [bool; 256] {
    let mut first = [false; 256];
    let mut seen = vec![false; nfa.states().len()];
    let mut stack = vec![nfa.start_anchored()];
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut seen[id.as_usize()], true) {
            continue;
        }
        let mut range =
            |start: u8, end: u8| first[usize::from(start)..=usize::from(end)].fill(true);
        match nfa.state(id) {
            State::ByteRange { trans } => range(trans.start, trans.end),
            State::Sparse(sparse) => {
                sparse.transitions.iter().for_each(|trans| range(trans.start, trans.end))
            }
            State::Dense(_) | State::Match { .. } => range(0, 255),
            State::Look { next, .. } | State::Capture { next, .. } => stack.push(*next),
            State::Union { alternates } => stack.extend(alternates.iter().copied()),
            State::BinaryUnion { alt1, alt2 } => stack.extend([*alt1, *alt2]),
            State::Fail => {}
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::Prefix;
    use crate::longest::Outcome;
    use crate::{Options, Regex};

    fn regex(pattern: &str) -> Regex {
        Regex::new(pattern.as_bytes(), &Options::default()).unwrap()
    }

    #[test]
    fn everyday_patterns_have_their_tables() {
        for pattern in [
            "(ab|cd)+e",
            "[[:alpha:]]+x",
            "x([[:alpha:]]|1)",
            r"\yword\y",
            "a([[:digit:]][[:alpha:]])*",
            "(é|à)+b",
        ] {
            let regex = regex(pattern);
            assert!(regex.automata.longest().is_some(), "{pattern}");
            assert!(regex.automata.anywhere().is_some(), "{pattern}");
            assert!(regex.automata.lazy().is_some(), "{pattern}");
        }
    }

    #[test]
    fn a_table_of_a_pattern_without_large_classes_knows_all_characters() {
        let regex = regex("(é|à)+b");
        let table = regex.automata.longest().unwrap();
        let end = table.longest("xéàb".as_bytes(), 1);
        assert_eq!(end, Outcome::Known { end: Some(6), read_to: 6 });
    }

    #[test]
    fn what_every_match_begins_with_is_searched_for() {
        assert!(matches!(regex("(abc|abd)e*").automata.prefix(), Prefix::Literals(_)));
        assert_eq!(regex("abc(d|e)+").automata.prefix().literal(), b"abc");
        assert!(matches!(regex("[a-z]+x").automata.prefix(), Prefix::Unknown));
    }

    #[test]
    fn bytes_with_which_no_match_begins_are_not_tried() {
        let members = |pattern: &str| -> Vec<u8> {
            let regex = regex(pattern);
            (0..=255).filter(|&byte| regex.automata.first().contains(byte)).collect()
        };
        assert_eq!(members("(b|[xy])z|^q"), b"bqxy");
        assert_eq!(members("é+b"), [0xc3]);
        assert_eq!(members("b*").len(), 256);
    }
}
