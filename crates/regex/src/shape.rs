//! Patterns that need no automaton: literals, single bytes, runs of one class.

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

use crate::anything::{Characters, Known, Unknown, is_look};
use crate::between::Between;
use crate::byte_set::ByteSet;
use crate::char_set::CharSet;
use crate::pieces::AT_ONCE;
use crate::span::Match;
use riverhawk_memory::ran_out;
use std::ops::Range;

#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// Exactly this text, not empty.
    Literal(Box<[u8]>),
    /// `^text`, `text$`, `^text$`.
    Anchored(AnchoredLiteral),
    /// One byte of the set.
    One(ByteSet),
    /// One character of a class with some or all beyond ASCII: `[[:space:]]`, `[^a-z]` in UTF-8.
    OneOfMany(RunClass),
    /// As many units of the class as possible; matches the empty text if `empty`.
    Run {
        class: RunClass,
        empty: bool,
    },
    /// A run of a class at an edge of the text: `^[ \t]+`, `[[:space:]]*$`.
    EdgeRun(EdgeRun),
    /// Anything behind a literal, before one or between two.
    Between(Box<Between>),
    General,
}

#[derive(Debug, Clone)]
pub(crate) struct RunClass {
    /// Single-byte members.
    pub bytes: ByteSet,
    pub beyond_ascii: Beyond,
    /// `bytes`, and all beyond ASCII if some may be members: exact for ASCII runs.
    pub wide: ByteSet,
}

/// Which valid characters beyond ASCII are members of a class.
#[derive(Debug, Clone)]
pub(crate) enum Beyond {
    None,
    /// Of `[[:space:]]` in UTF-8.
    Some(CharSet),
    /// Of `[^ ]` in UTF-8.
    All,
}

impl Shape {
    /// Whether its search may take longer than that of a kernel.
    pub(crate) fn is_slow(&self) -> bool {
        match self {
            Shape::General | Shape::Between(_) => true,
            Shape::OneOfMany(class) | Shape::Run { class, .. } => {
                matches!(class.beyond_ascii, Beyond::Some(_))
            }
            _ => false,
        }
    }
}

pub(crate) fn shape_of(hir: &Hir, characters: Characters) -> Shape {
    match hir.kind() {
        HirKind::Literal(literal) if literal.0.len() == 1 => Shape::One(one_byte(literal.0[0])),
        HirKind::Literal(literal) => Shape::Literal(literal.0.clone()),
        HirKind::Class(_) => match run_class(hir) {
            Some(class) if class.is_of_bytes() => Shape::One(class.bytes),
            Some(class) => Shape::OneOfMany(class),
            None => Shape::General,
        },
        HirKind::Repetition(Repetition { min: min @ (0 | 1), max: None, sub, .. }) => {
            match run_class(sub) {
                Some(class) => Shape::Run { class, empty: *min == 0 },
                None => Shape::General,
            }
        }
        HirKind::Concat(subs) => {
            let literal = || anchored_literal(subs);
            let between = || Some(Shape::Between(Box::new(Between::of(subs, characters)?)));
            let edge_run = edge_run(subs).map(Shape::EdgeRun);
            edge_run.or_else(literal).or_else(between).unwrap_or(Shape::General)
        }
        _ => Shape::General,
    }
}

/// The single bytes of the run that every match begins with: of `[a-z]+` in `[a-z]+=`.
pub(crate) fn leading_run(hir: &Hir) -> Option<ByteSet> {
    let first = match hir.kind() {
        HirKind::Concat(subs) => subs.first()?,
        _ => hir,
    };
    match first.kind() {
        HirKind::Repetition(Repetition { min: 1.., max: None, sub, .. }) => {
            run_class(sub).map(|class| class.bytes)
        }
        _ => None,
    }
}

/// `^text`, `text$`, `^text$`.
fn anchored_literal(subs: &[Hir]) -> Option<Shape> {
    let start = is_look(subs.first()?, Look::Start);
    let end = is_look(subs.last()?, Look::End);
    match &subs[usize::from(start)..subs.len() - usize::from(end)] {
        [only] if start || end => match only.kind() {
            HirKind::Literal(literal) => {
                Some(Shape::Anchored(AnchoredLiteral { start, literal: literal.0.clone(), end }))
            }
            _ => None,
        },
        _ => None,
    }
}

fn edge_run(subs: &[Hir]) -> Option<EdgeRun> {
    let (edge, run) = match subs {
        [first, run] if is_look(first, Look::Start) => (Edge::Start, run),
        [run, last] if is_look(last, Look::End) => (Edge::End, run),
        _ => return None,
    };
    let (least, most, class) = match run.kind() {
        HirKind::Repetition(Repetition { min: min @ (0 | 1), max: None, sub, .. }) => {
            (*min as usize, usize::MAX, run_class(sub)?)
        }
        _ => (1, 1, run_class(run)?),
    };
    let only_ascii = !class.is_of_bytes();
    Some(EdgeRun { edge, class: class.bytes, only_ascii, least, most })
}

/// Where a text begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// The beginning.
    Start,
    /// The end.
    End,
}

/// A pattern that is a run of few bytes at an edge, for who looks for it by other means: `\r$`,
/// `^[ \t]+`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeBytes {
    /// The edge.
    pub edge: Edge,
    /// A bit for each byte, all below 64.
    pub bytes: u64,
    /// How many match at most; at least one.
    pub most: usize,
}

/// As many of a class as there are at an edge of the text, up to `most`.
#[derive(Debug, Clone)]
pub(crate) struct EdgeRun {
    edge: Edge,
    class: ByteSet,
    /// Whether the class has more characters, for an automaton, is to be asked.
    only_ascii: bool,
    /// 0 or 1.
    least: usize,
    most: usize,
}

impl EdgeRun {
    #[inline(always)]
    pub(crate) fn find(&self, text: &[u8], from_at: usize) -> Known<Option<Match>> {
        if self.edge == Edge::Start && from_at > 0 {
            return Ok(None);
        }
        let Left { start, end } = self.left(text)?;
        let found = match self.edge {
            Edge::Start => Match { start: 0, end: start },
            Edge::End => Match { start: end.max(from_at), end: text.len() },
        };
        Ok((found.end - found.start >= self.least).then_some(found))
    }

    #[inline(always)]
    fn left(&self, text: &[u8]) -> Known<Left> {
        let most = self.most.min(text.len());
        let (mut start, mut end) = (0, text.len());
        let next = match self.edge {
            Edge::Start => {
                while start < most && self.class.contains(text[start]) && !is_ended(start) {
                    start += 1;
                }
                text.get(start).filter(|_| start < most)
            }
            Edge::End => {
                let least = end - most;
                while end > least && self.class.contains(text[end - 1]) && !is_ended(end) {
                    end -= 1;
                }
                text[..end].last().filter(|_| end > least)
            }
        };
        if self.only_ascii && next.is_some_and(|byte| !byte.is_ascii()) {
            return Err(Unknown);
        }
        Ok(Left { start, end })
    }

    /// See [`CompiledRegex::edge_bytes`](crate::CompiledRegex::edge_bytes).
    pub(crate) fn edge_bytes(&self) -> Option<EdgeBytes> {
        let mut members = (0..=u8::MAX).filter(|&byte| self.class.contains(byte));
        let add = |bytes: u64, byte: u8| (byte < 64).then(|| bytes | 1 << byte);
        let bytes = members.try_fold(0, add)?;
        let is_exact = self.least == 1 && !self.only_ascii;
        is_exact.then_some(EdgeBytes { edge: self.edge, bytes, most: self.most })
    }

    /// See [`Regex::left_of`](crate::Regex::left_of).
    #[inline(always)]
    pub(crate) fn left_of(&self, text: &[u8]) -> Left {
        let Ok(left) = self.left(text) else { return Left::UNKNOWN };
        // Nothing was taken, but the empty text matches.
        if self.least == 0 && left.end - left.start == text.len() { Left::UNKNOWN } else { left }
    }
}

/// Whether the run is ended, at some of the places in a text.
#[inline(always)]
fn is_ended(at: usize) -> bool {
    at % AT_ONCE == AT_ONCE - 1 && ran_out()
}

/// The answer of [`Regex::left_of`](crate::Regex::left_of), in two registers.
#[derive(Debug, Clone, Copy)]
pub struct Left {
    start: usize,
    /// Before the start if nothing is known.
    end: usize,
}

impl Left {
    pub(crate) const UNKNOWN: Left = Left { start: 1, end: 0 };

    /// The range, if known.
    #[inline(always)]
    #[must_use]
    pub fn range(self) -> Option<Range<usize>> {
        (self.start <= self.end).then_some(self.start..self.end)
    }
}

/// A literal at the start or end of a text, or both.
#[derive(Debug, Clone)]
pub(crate) struct AnchoredLiteral {
    start: bool,
    literal: Box<[u8]>,
    end: bool,
}

impl AnchoredLiteral {
    #[inline(always)]
    pub(crate) fn find(&self, text: &[u8]) -> Option<Match> {
        let literal = &*self.literal;
        let found = match (self.start, self.end) {
            (true, false) => text.starts_with(literal),
            (true, true) => text == literal,
            (false, _) => text.ends_with(literal),
        };
        let start = if self.start { 0 } else { text.len().wrapping_sub(literal.len()) };
        found.then(|| Match { start, end: start + literal.len() })
    }

    /// As [`EdgeRun::left_of`].
    #[inline(never)]
    pub(crate) fn left_of(&self, text: &[u8]) -> Left {
        match self.find(text) {
            None => Left { start: 0, end: text.len() },
            Some(Match { start: 0, end }) if end > 0 => Left { start: end, end: text.len() },
            Some(Match { start, end }) if end > start => Left { start: 0, end: start },
            Some(_) => Left::UNKNOWN,
        }
    }
}

pub(crate) fn cost(hir: &Hir) -> u64 {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(Class::Bytes(_)) => 1,
        HirKind::Class(Class::Unicode(class)) => 1 + 2 * class.ranges().len() as u64,
        HirKind::Repetition(repetition) => {
            let copies = repetition.max.unwrap_or(repetition.min).max(1);
            cost(&repetition.sub).saturating_add(2).saturating_mul(u64::from(copies))
        }
        HirKind::Capture(capture) => cost(&capture.sub).saturating_add(2),
        HirKind::Concat(subs) | HirKind::Alternation(subs) => {
            subs.iter().map(cost).fold(1u64, |sum, cost| sum.saturating_add(cost))
        }
    }
}

pub(crate) fn has_class_larger_than(hir: &Hir, ranges: usize) -> bool {
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => class.ranges().len() > ranges,
        HirKind::Repetition(repetition) => has_class_larger_than(&repetition.sub, ranges),
        HirKind::Capture(capture) => has_class_larger_than(&capture.sub, ranges),
        HirKind::Concat(subs) | HirKind::Alternation(subs) => {
            subs.iter().any(|sub| has_class_larger_than(sub, ranges))
        }
        _ => false,
    }
}

pub(crate) fn without_captures(hir: &Hir) -> Hir {
    match hir.kind() {
        HirKind::Capture(capture) => without_captures(&capture.sub),
        HirKind::Repetition(repetition) => {
            Hir::repetition(repetition.with(without_captures(&repetition.sub)))
        }
        HirKind::Concat(subs) => Hir::concat(subs.iter().map(without_captures).collect()),
        HirKind::Alternation(subs) => Hir::alternation(subs.iter().map(without_captures).collect()),
        _ => hir.clone(),
    }
}

fn one_byte(byte: u8) -> ByteSet {
    let mut members = [false; 256];
    members[usize::from(byte)] = true;
    ByteSet::new(members)
}

fn run_class(hir: &Hir) -> Option<RunClass> {
    let mut members = [false; 256];
    let mut beyond_ascii = Beyond::None;
    match hir.kind() {
        HirKind::Literal(literal) if literal.0.len() == 1 => {
            members[usize::from(literal.0[0])] = true
        }
        HirKind::Class(Class::Bytes(class)) => {
            for range in class.ranges() {
                (range.start()..=range.end()).for_each(|byte| members[usize::from(byte)] = true);
            }
        }
        HirKind::Class(Class::Unicode(class)) => {
            for range in class.ranges() {
                let (low, high) = (range.start() as u32, range.end() as u32);
                (low..=high.min(0x7f)).for_each(|code| members[code as usize] = true);
            }
            beyond_ascii = match class.ranges().last() {
                Some(last) if last.end() == char::MAX && last.start() as u32 <= 0x80 => Beyond::All,
                Some(last) if !last.end().is_ascii() => Beyond::Some(CharSet::new(class)),
                _ => Beyond::None,
            };
        }
        _ => return None,
    }
    let bytes = ByteSet::new(members);
    if !matches!(beyond_ascii, Beyond::None) {
        members[0x80..].fill(true);
    }
    Some(RunClass { bytes, beyond_ascii, wide: ByteSet::new(members) })
}

impl RunClass {
    /// All members are single bytes.
    pub(crate) fn is_of_bytes(&self) -> bool {
        matches!(self.beyond_ascii, Beyond::None)
    }

    /// The first member of the characters beyond ASCII that stand together from `at` on, or where
    /// they end.
    #[inline]
    pub(crate) fn first_beyond(&self, text: &[u8], at: usize) -> Result<(usize, usize), usize> {
        let mut at = at;
        while text.get(at).is_some_and(|byte| !byte.is_ascii()) {
            let len = char_len(text, at);
            if len > 0 && self.has(&text[at..at + len]) {
                return Ok((at, at + len));
            }
            at += len.max(1);
        }
        Err(at)
    }

    #[inline]
    pub(crate) fn end(&self, text: &[u8], mut at: usize) -> usize {
        loop {
            let piece = &text[..text.len().min(at + AT_ONCE)];
            at = self.bytes.skip(piece, at);
            if at == piece.len() && at < text.len() && !ran_out() {
                continue;
            }
            match char_len(text, at) {
                len if len > 1 && self.has(&text[at..at + len]) => at += len,
                _ => return at,
            }
        }
    }

    /// Whether this character beyond ASCII is a member.
    #[inline]
    fn has(&self, character: &[u8]) -> bool {
        match &self.beyond_ascii {
            Beyond::None => false,
            Beyond::Some(set) => set.contains(char_of(character)),
            Beyond::All => true,
        }
    }
}

/// The character that `bytes` are, more than one and valid.
#[inline]
fn char_of(bytes: &[u8]) -> char {
    let lead = u32::from(bytes[0]) & (0x7f >> bytes.len());
    let code = bytes[1..].iter().fold(lead, |code, &byte| code << 6 | u32::from(byte & 0x3f));
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Length of the valid UTF-8 character at `at`, or 0.
#[inline]
pub(crate) fn char_len(text: &[u8], at: usize) -> usize {
    let Some(&first) = text.get(at) else { return 0 };
    if first < 0x80 {
        return 1;
    }
    let ahead = &text[at..text.len().min(at + 4)];
    let next = |index: usize| ahead.get(index).copied().unwrap_or(0);
    let continues = |byte: u8| byte & 0xc0 == 0x80;
    match (first, next(1)) {
        (0xc2..=0xdf, second) if continues(second) => 2,
        (0xe0, 0xa0..=0xbf) | (0xe1..=0xec | 0xee | 0xef, 0x80..=0xbf) | (0xed, 0x80..=0x9f)
            if continues(next(2)) =>
        {
            3
        }
        (0xf0, 0x90..=0xbf) | (0xf1..=0xf3, 0x80..=0xbf) | (0xf4, 0x80..=0x8f)
            if continues(next(2)) && continues(next(3)) =>
        {
            4
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{Edge, Shape, char_len, cost, has_class_larger_than, without_captures};
    use crate::{Options, Regex};

    fn regex(pattern: &str) -> Regex {
        Regex::new(pattern.as_bytes(), &Options::default()).unwrap()
    }

    #[test]
    fn shapes_are_seen() {
        for (pattern, start, end) in
            [("^abc", true, false), ("abc$", false, true), ("^abc$", true, true)]
        {
            let shape = &regex(pattern).shape;
            assert!(
                matches!(shape, Shape::Anchored(found) if (found.start, found.end, &found.literal[..]) == (start, end, b"abc")),
                "{pattern}: {shape:?}"
            );
        }
        for (pattern, edge, empty) in [
            ("^[ab]+", Edge::Start, false),
            ("^a*", Edge::Start, true),
            ("[ab]+$", Edge::End, false),
            ("a*$", Edge::End, true),
            ("^[^a]+", Edge::Start, false),
            ("[[:space:]]*$", Edge::End, true),
        ] {
            let shape = &regex(pattern).shape;
            assert!(
                matches!(shape, Shape::EdgeRun(run) if (run.edge, run.least == 0) == (edge, empty)),
                "{pattern}: {shape:?}"
            );
        }
        for pattern in
            ["^(a|b)", "a+$|^a+", "^a+|b", "^a+|^b+", "^a+|b+$|c", "^a+$", "^(a+)", "a+b$"]
        {
            assert!(matches!(regex(pattern).shape, Shape::General), "{pattern}");
        }
        assert!(matches!(regex("[^ ]+").shape, Shape::Run { empty: false, .. }));
        assert!(matches!(regex("[a-\x7f]*").shape, Shape::Run { empty: true, .. }));
    }

    #[test]
    fn a_run_at_an_edge_is_what_the_automaton_finds() {
        for (pattern, with_group) in [
            ("^[ab]+", "^([ab]+)"),
            ("^a*", "^(a*)"),
            ("[ab]+$", "([ab]+)$"),
            ("a*$", "(a*)$"),
            ("^a+|[ab]+$", "^(a+)|[ab]+$"),
            ("^[ab]+|a+$", "^([ab]+)|a+$"),
            ("^a*|b*$", "^(a*)|b*$"),
            ("^[ab]+|c*$", "^([ab]+)|c*$"),
        ] {
            let (quick, general) = (regex(pattern), regex(with_group));
            for text in ["", "a", "b", "c", "ab", "abcab", "cab", "abc", "aca", "aab", "bbaa"] {
                for from in 0..=text.len() {
                    let text = text.as_bytes();
                    let want = general.find_at(text, from);
                    assert_eq!(
                        quick.find_at(text, from),
                        want,
                        "{pattern} in {text:?} from {from}"
                    );
                    let all = |regex: &Regex| regex.matches(text).collect::<Vec<_>>();
                    assert_eq!(all(&quick), all(&general), "{pattern} in {text:?}");
                }
                assert_eq!(quick.is_match(text.as_bytes()), general.is_match(text.as_bytes()));
            }
        }
    }

    #[test]
    fn a_character_of_a_class_is_what_the_automaton_finds() {
        let blocks = [&b"a".repeat(63)[..], "é".repeat(40).as_bytes(), b"\xff"].concat();
        let texts =
            [&b""[..], b"a", b"b", b"ab", b"\xc3\xa9", b"a\xffb", b"\xc3", b"\xc3a", &blocks];
        for (pattern, with_group) in [("[^a]", "([^a])"), (".", "(.)"), ("[^a-z\n]", "([^a-z\n])")]
        {
            let (quick, general) = (regex(pattern), regex(with_group));
            assert!(matches!(quick.shape, Shape::OneOfMany(_)), "{pattern}");
            for text in texts {
                for from in 0..=text.len() {
                    assert_eq!(quick.find_at(text, from), general.find_at(text, from), "{pattern}");
                }
                let all = |regex: &Regex| regex.matches(text).collect::<Vec<_>>();
                assert_eq!(all(&quick), all(&general), "{pattern} in {text:?}");
                assert_eq!(quick.is_match(text), general.is_match(text));
            }
        }
    }

    #[test]
    fn cost_counts_bytes_ranges_and_copies() {
        for (pattern, want) in [
            ("", 1),
            ("abc", 3),
            ("[àéî]", 7),
            ("(abc)", 5),
            ("(abc){2,4}", 28),
            ("abc|[à-é]de", 1 + 3 + (1 + 3 + 2)),
        ] {
            assert_eq!(cost(&regex(pattern).hir), want, "{pattern}");
        }
    }

    #[test]
    fn large_classes_are_found_wherever_they_stand() {
        for pattern in ["[àéî]", "x[àéî]y", "b|([àéî])", "(x[àéî])*"] {
            let hir = &regex(pattern).hir;
            assert!(has_class_larger_than(hir, 2) && !has_class_larger_than(hir, 3), "{pattern}");
        }
        assert!(!has_class_larger_than(&regex("abc").hir, 0));
    }

    #[test]
    fn no_group_stays() {
        for pattern in ["(a)", "x(a)y", "x|(a)b", "(x(a)*|(b))+"] {
            let hir = without_captures(&regex(pattern).hir);
            assert_eq!(hir.properties().explicit_captures_len(), 0, "{pattern}");
        }
    }

    #[test]
    fn char_len_agrees_with_the_standard_library() {
        let interesting = [
            0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef,
            0xf0, 0xf4, 0xf5, 0xff,
        ];
        for a in 0..=255u8 {
            for b in interesting {
                for c in interesting {
                    for d in [0x41, 0x80, 0xbf, 0xc0] {
                        let text = [a, b, c, d];
                        let want = text
                            .utf8_chunks()
                            .next()
                            .and_then(|chunk| chunk.valid().chars().next());
                        assert_eq!(char_len(&text, 0), want.map_or(0, char::len_utf8), "{text:x?}");
                    }
                }
            }
        }
        assert_eq!(char_len("é".as_bytes(), 2), 0);
        assert_eq!(char_len(&"é".as_bytes()[..1], 0), 0);
    }
}
