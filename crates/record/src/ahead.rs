//! Looking ahead: one search of the window serves all records in it.
//!
//! One search finds the next match, and records before it have none: for a pattern in one line of a
//! thousand, one comparison per record. Literals always qualify; other patterns, by a twin for
//! multi-line text, while records are lines and few match.

use riverhawk_regex::{Lines, Regex};
use riverhawk_simd::Occurrences;

/// What to look ahead for.
pub enum LookAhead {
    /// A literal.
    Literal(Box<Occurrences>),
    /// The twin of a pattern, for multi-line text.
    Lines(Box<Lines>),
}

impl LookAhead {
    /// The look-ahead for a pattern, if there is one.
    pub fn of(regex: &Regex) -> Option<LookAhead> {
        match regex.literal() {
            Some(literal) => Some(LookAhead::Literal(Box::new(Occurrences::new(literal)))),
            None => regex.lines().map(|lines| LookAhead::Lines(Box::new(lines))),
        }
    }

    /// The next match, and how many bytes belong to the same record: for a literal its length, else
    /// 1.
    #[inline]
    fn next(&mut self, window: &[u8], from: usize) -> (usize, usize) {
        match self {
            LookAhead::Literal(literal) => {
                (literal.next(window, from).unwrap_or(window.len()), literal.literal().len())
            }
            LookAhead::Lines(lines) => (lines.next_match(window, from).unwrap_or(window.len()), 1),
        }
    }
}

/// A record in a window.
#[derive(Clone, Copy)]
pub struct InWindow<'w> {
    /// The window's bytes.
    pub window: &'w [u8],
    /// Changes whenever those bytes move or change.
    pub epoch: u64,
    /// Its start.
    pub start: usize,
    /// Its end.
    pub end: usize,
}

/// The patterns worth looking ahead for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookAheadScope {
    /// Literals only.
    OnlyLiterals,
    /// This one, judging by its records.
    Pays,
}

/// Whether a tested record matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestedRecord {
    /// It does.
    Matches,
    /// It does not.
    Differs,
}

impl TestedRecord {
    /// By the answer of a search.
    #[inline]
    pub fn of(found: bool) -> TestedRecord {
        if found { TestedRecord::Matches } else { TestedRecord::Differs }
    }
}

/// The next match of a pattern in the window.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ahead {
    epoch: u64,
    /// No match from here ...
    from: usize,
    /// ... to here.
    next: usize,
    /// Length of the match.
    length: usize,
    asked: u32,
    matched: u32,
}

/// The twin costs as much as some hundred searches.
const WORTH_A_TWIN: u32 = 200;

/// Looking ahead pays while at most one record in this many matches.
const RARE: u32 = 8;

impl Ahead {
    /// Whether a record has a match; none if it must be searched. `search` gets whether looking
    /// ahead pays for non-literals.
    #[inline]
    pub fn look<'p>(
        &mut self,
        record: InWindow<'_>,
        search: impl FnOnce(LookAheadScope) -> Option<&'p mut LookAhead>,
    ) -> Option<bool> {
        let InWindow { window, epoch, start, end } = record;
        if self.epoch == epoch && self.from <= start && start <= self.next {
            if end <= self.next {
                self.note_tested(TestedRecord::Differs);
                return Some(false);
            }
        } else {
            let look_ahead = search(if self.pays() {
                LookAheadScope::Pays
            } else {
                LookAheadScope::OnlyLiterals
            })?;
            if let (true, LookAhead::Literal(literal)) =
                (self.epoch != epoch || start < self.from, &mut *look_ahead)
            {
                literal.restart();
            }
            let (next, length) = look_ahead.next(window, start);
            (self.epoch, self.from, self.next, self.length) = (epoch, start, next, length);
        }
        // A literal across two records is in neither.
        let found = self.next + self.length <= end;
        self.note_tested(TestedRecord::of(found));
        Some(found)
    }

    /// The next match or the window's end.
    pub fn next(&self) -> usize {
        self.next
    }

    /// Records that there is no match from `from` to `next`.
    pub fn moved_to(&mut self, from: usize, next: usize) {
        self.from = from;
        self.next = next;
    }

    /// Counts a tested record, for the statistics.
    #[inline]
    pub fn note_tested(&mut self, record: TestedRecord) {
        self.asked = self.asked.saturating_add(1);
        self.matched = self.matched.saturating_add(u32::from(record == TestedRecord::Matches));
    }

    fn pays(&self) -> bool {
        self.asked > WORTH_A_TWIN && self.matched < self.asked / RARE
    }
}

#[cfg(test)]
mod tests {
    use super::{Ahead, LookAhead, RARE, TestedRecord, WORTH_A_TWIN};
    use riverhawk_regex::{Options, Regex};

    #[test]
    fn literals_and_patterns_within_a_line_are_looked_ahead_for() {
        let of = |pattern: &[u8]| LookAhead::of(&Regex::new(pattern, &Options::default()).unwrap());
        assert!(matches!(of(b"abc"), Some(LookAhead::Literal(_))));
        assert!(matches!(of(b"a[bc]+d"), Some(LookAhead::Lines(_))));
        assert!(of(b"a*").is_none());
    }

    #[test]
    fn looking_ahead_pays_once_many_records_were_asked_and_few_of_them_match() {
        let after = |asked: u32, every: u32| {
            let mut ahead = Ahead::default();
            (0..asked).for_each(|at| ahead.note_tested(TestedRecord::of(at % every == 0)));
            ahead.pays()
        };
        assert!(!after(WORTH_A_TWIN, u32::MAX) && after(WORTH_A_TWIN + 1, u32::MAX));
        assert!(after(100 * WORTH_A_TWIN, 2 * RARE) && !after(100 * WORTH_A_TWIN, RARE / 2));
        assert!(!after(100 * RARE * WORTH_A_TWIN, RARE), "a record in so many is too many");
    }
}
