//! Looking ahead: one search through the window answers for all the records in it.
//!
//! A rule such as `/needle/` asks the same of every record. Searching record by record pays for
//! starting a search a million times; searching the window once remembers where the next match is,
//! and a record that ends before that place has none. For a pattern that is in one line of a
//! thousand this is one comparison a record. Literals are looked ahead for always; other
//! patterns, by their twin for texts of many lines, while records are lines and few of them match.

use riverhawk_regex::{Lines, Regex};
use riverhawk_simd::Occurrences;

/// What is looked for.
pub enum LookAhead {
    /// A literal.
    Literal(Box<Occurrences>),
    /// The twin of a pattern.
    Lines(Box<Lines>),
}

impl LookAhead {
    /// How a pattern is looked ahead for, if it can be.
    pub fn of(regex: &Regex) -> Option<LookAhead> {
        match regex.literal() {
            Some(literal) => Some(LookAhead::Literal(Box::new(Occurrences::new(literal)))),
            None => regex.lines().map(|lines| LookAhead::Lines(Box::new(lines))),
        }
    }

    /// Where the next match is, and how many bytes from there on are certainly in the same record
    /// as the match: for a literal where it begins and its length, for others a place in the
    /// line and 1.
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

/// A record that lies in a window.
#[derive(Clone, Copy)]
pub struct InWindow<'w> {
    /// The window's bytes.
    pub window: &'w [u8],
    /// How often its bytes have moved or changed.
    pub epoch: u64,
    /// Where the record begins there.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// Which patterns looking ahead pays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Literals only.
    OnlyLiterals,
    /// This one, as its records have shown.
    Pays,
}

/// Where the next match of a pattern is in the window.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ahead {
    /// The state of the window that this is true of.
    epoch: u64,
    /// There is none from here ...
    from: usize,
    /// ... to here, where it is, or where the window ends.
    next: usize,
    /// Bytes from `next` on that belong to the match.
    length: usize,
    /// Records asked about, and those that matched.
    asked: u32,
    matched: u32,
}

/// The twin of a pattern is made when this many records have been asked about: it costs as much as
/// some hundred searches.
const WORTH_A_TWIN: u32 = 200;

/// While more than one record in so many matches, looking ahead saves nothing.
const RARE: u32 = 8;

impl Ahead {
    /// Whether a record has a match; none if it must be searched in the usual way. `search` is
    /// asked for what looks ahead, and told whether that pays for a pattern that is no literal.
    #[inline]
    pub fn look<'p>(
        &mut self,
        record: InWindow<'_>,
        search: impl FnOnce(Worth) -> Option<&'p mut LookAhead>,
    ) -> Option<bool> {
        let InWindow { window, epoch, start, end } = record;
        if self.epoch == epoch && self.from <= start && start <= self.next {
            if end <= self.next {
                self.note(false);
                return Some(false);
            }
        } else {
            let look_ahead = search(if self.pays() { Worth::Pays } else { Worth::OnlyLiterals })?;
            if let (true, LookAhead::Literal(literal)) =
                (self.epoch != epoch || start < self.from, &mut *look_ahead)
            {
                literal.restart();
            }
            let (next, length) = look_ahead.next(window, start);
            (self.epoch, self.from, self.next, self.length) = (epoch, start, next, length);
        }
        // A literal may begin in this record and end in the next: then it is in neither.
        let found = self.next + self.length <= end;
        self.note(found);
        Some(found)
    }

    /// Where it is, or where the window ends.
    pub fn next(&self) -> usize {
        self.next
    }

    /// There is none from `from` to `next`.
    pub fn moved_to(&mut self, from: usize, next: usize) {
        self.from = from;
        self.next = next;
    }

    /// Counts a record that was asked about, however the answer was found.
    #[inline]
    pub fn note(&mut self, found: bool) {
        self.asked = self.asked.saturating_add(1);
        self.matched = self.matched.saturating_add(u32::from(found));
    }

    /// Whether a pattern that is no literal should be looked ahead for.
    fn pays(&self) -> bool {
        self.asked > WORTH_A_TWIN && self.matched < self.asked / RARE
    }
}

#[cfg(test)]
mod tests {
    use super::{Ahead, LookAhead, RARE, WORTH_A_TWIN};
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
            (0..asked).for_each(|at| ahead.note(at % every == 0));
            ahead.pays()
        };
        assert!(!after(WORTH_A_TWIN, u32::MAX) && after(WORTH_A_TWIN + 1, u32::MAX));
        assert!(after(100 * WORTH_A_TWIN, 2 * RARE) && !after(100 * WORTH_A_TWIN, RARE / 2));
        assert!(!after(100 * RARE * WORTH_A_TWIN, RARE), "a record in so many is too many");
    }
}
