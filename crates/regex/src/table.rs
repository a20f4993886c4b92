//! A small DFA as rows of 256 entries, with its own loop: a step is one load. The library's search
//! costs 50-130 ns a call; short matches are 3 to 8 times faster here.
//!
//! It is anchored, has all matches (`MatchKind::All`), and reports a match one byte late: entering
//! a match row on the byte at `at` means that a match ended before it. At the end of the text the
//! row's `at_end` decides. So assertions that look one byte ahead need no special case.

use std::collections::{HashMap, HashSet};

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson::NFA;
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};

use crate::byte_set::ByteSet;
use crate::limits::TABLE_ROWS;
use crate::longest::{Arrival, NOWHERE, Outcome, Reach, Walk};
use crate::pieces::AT_ONCE;
use riverhawk_memory::ran_out;

const DEAD: u16 = 0;
/// Unknown: a byte beyond ASCII, in an ASCII-only table.
const QUIT: u16 = 1;
/// No row's number: the row stays, and `leaves` tells how long.
const STAYS: u16 = 1 << 15;

pub(crate) struct Table {
    /// The next row for each byte. Rows 0 and 1 are [`DEAD`] and [`QUIT`]; match rows come last.
    rows: Vec<[u16; 256]>,
    first_match: u16,
    /// Per row: a match ends here if the text does.
    at_end: Vec<bool>,
    /// Per row: no further byte changes the verdict.
    settled: Vec<bool>,
    /// Per row: the bytes that lead to another, if half of ASCII does not. Searching for them is
    /// faster than a step for each byte: of `".*`, `[^ ]+`.
    leaves: Vec<Option<Box<ByteSet>>>,
    /// The first row, by the preceding byte; the last entry is for the start of the text.
    starts: Box<[u16; 257]>,
    /// The row after the literal prefix, and the prefix's length.
    after_prefix: Option<(u16, usize)>,
    /// Bytes that do not fail at once.
    pub first: ByteSet,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Longest match from a given index.
    Longest,
    Anywhere,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Covers {
    All,
    /// The ASCII part: the table quits at other bytes.
    Ascii,
}

impl Table {
    /// `None` if it has too many rows.
    pub(crate) fn build(nfa: &NFA, purpose: Purpose, covers: Covers) -> Option<Table> {
        let (start_kind, anchored) = match purpose {
            Purpose::Longest => (StartKind::Anchored, Anchored::Yes),
            Purpose::Anywhere => (StartKind::Unanchored, Anchored::No),
        };
        let mut config = dense::Config::new()
            .match_kind(MatchKind::All)
            .start_kind(start_kind)
            .accelerate(false)
            .dfa_size_limit(Some(TABLE_ROWS * 1024))
            .determinize_size_limit(Some(TABLE_ROWS * 2048));
        if covers == Covers::Ascii {
            for byte in 0x80..=0xff {
                config = config.quit(byte, true);
            }
        }
        let dfa = dense::Builder::new().configure(config).build_from_nfa(nfa).ok()?;
        Table::copy_from(&dfa, anchored, nfa.look_set_any().contains_word())
    }

    fn copy_from(
        dfa: &dense::DFA<Vec<u32>>,
        anchored: Anchored,
        asks_for_words: bool,
    ) -> Option<Table> {
        // A preceding byte beyond ASCII matters only for word boundaries.
        let start_for = |before: Option<u8>| {
            let before =
                before.map(|byte| if byte > 0x7f && !asks_for_words { b' ' } else { byte });
            let config = start::Config::new().anchored(anchored).look_behind(before);
            dfa.start_state(&config).ok()
        };
        let behind: Vec<Option<u8>> = (0..=255).map(Some).chain([None]).collect();
        let start_ids: Vec<Option<StateID>> =
            behind.iter().map(|&before| start_for(before)).collect();

        // Collects reachable states, then numbers them: plain rows first, match rows last.
        let mut found: Vec<StateID> = Vec::new();
        let mut seen: HashSet<StateID> = HashSet::new();
        let mut note = |id: StateID, found: &mut Vec<StateID>| {
            if !dfa.is_dead_state(id) && !dfa.is_quit_state(id) && seen.insert(id) {
                found.push(id);
            }
        };
        start_ids.iter().flatten().for_each(|&id| note(id, &mut found));
        let representatives: Vec<u8> =
            dfa.byte_classes().representatives(0..=255u8).filter_map(|unit| unit.as_u8()).collect();
        let mut next_at = 0;
        while next_at < found.len() {
            for &byte in &representatives {
                note(dfa.next_state(found[next_at], byte), &mut found);
            }
            next_at += 1;
            if found.len() + 2 > TABLE_ROWS {
                return None;
            }
        }
        let (matching, plain): (Vec<StateID>, Vec<StateID>) =
            found.iter().partition(|&&id| dfa.is_match_state(id));
        let ordered: Vec<StateID> = plain.iter().chain(&matching).copied().collect();
        let numbers: HashMap<StateID, u16> =
            ordered.iter().zip(2u16..).map(|(&id, number)| (id, number)).collect();
        let number = |id: StateID| match numbers.get(&id) {
            Some(&number) => number,
            None if dfa.is_quit_state(id) => QUIT,
            None => DEAD,
        };

        let mut rows = vec![[DEAD; 256], [QUIT; 256]];
        let mut at_end = vec![false, false];
        for &id in &ordered {
            let mut row = [DEAD; 256];
            for (byte, entry) in (0..=255u8).zip(&mut row) {
                *entry = number(dfa.next_state(id, byte));
            }
            rows.push(row);
            at_end.push(dfa.is_match_state(dfa.next_eoi_state(id)));
        }
        let mut starts = Box::new([QUIT; 257]);
        for (entry, id) in starts.iter_mut().zip(&start_ids) {
            *entry = id.map_or(QUIT, number);
        }
        let first_match = 2 + plain.len() as u16;
        let settled = settled(&rows, &at_end, first_match);
        let mut first = [false; 256];
        for &start in starts.iter().filter(|&&start| start != QUIT) {
            for (flag, &next) in first.iter_mut().zip(&rows[usize::from(start)]) {
                *flag |= next != DEAD;
            }
        }
        let leaves = (0..).zip(&mut rows).map(|(number, row)| mark_staying(row, number)).collect();
        Some(Table {
            rows,
            first_match,
            at_end,
            settled,
            leaves,
            starts,
            after_prefix: None,
            first: ByteSet::new(first),
        })
    }

    #[inline]
    fn start(&self, text: &[u8], at: usize) -> u16 {
        self.starts[if at == 0 { 256 } else { usize::from(text[at - 1]) }]
    }

    #[inline]
    pub(crate) fn longest(&self, text: &[u8], at: usize) -> Outcome {
        self.longest_from(text, at, self.start(text, at))
    }

    /// Sets the literal that begins every match.
    pub(crate) fn with_prefix(mut self, prefix: &[u8]) -> Table {
        self.after_prefix = self.row_after(prefix).map(|row| (row, prefix.len()));
        self
    }

    /// As [`Table::longest`], where the literal prefix, if any, is at `at`.
    #[inline]
    pub(crate) fn longest_after_prefix(&self, text: &[u8], at: usize) -> Outcome {
        match self.after_prefix {
            Some((row, length)) => self.longest_from(text, at + length, row),
            None => self.longest(text, at),
        }
    }

    fn step(&self, row: u16, byte: u8) -> u16 {
        match self.rows[usize::from(row)][usize::from(byte)] {
            STAYS => row,
            next => next,
        }
    }

    /// `None` if it depends on the text before.
    fn row_after(&self, prefix: &[u8]) -> Option<u16> {
        let start = self.starts[256];
        let is_same = self.starts.iter().all(|&other| other == start);
        let row = prefix.iter().fold(start, |row, &byte| self.step(row, byte));
        (is_same && row > QUIT && row < self.first_match).then_some(row)
    }

    /// Where a row is left that stays at `at`. Out of line: what steps is to stay small.
    #[inline(never)]
    fn left_at(&self, row: u16, text: &[u8], at: usize) -> usize {
        let leaves = self.leaves[usize::from(row)].as_ref();
        leaves.and_then(|leaves| leaves.find(text, at)).unwrap_or(text.len())
    }

    #[inline(always)]
    fn longest_from(&self, text: &[u8], at: usize, row: u16) -> Outcome {
        let mut row = row;
        let mut end = NOWHERE;
        let found = |end| (end != NOWHERE).then_some(end);
        let mut step_at = at;
        loop {
            let piece = &text[..text.len().min(step_at.saturating_add(AT_ONCE))];
            while let Some(&byte) = piece.get(step_at) {
                let next = self.rows[usize::from(row)][usize::from(byte)];
                if next == STAYS {
                    step_at = self.left_at(row, piece, step_at);
                    if row >= self.first_match {
                        end = step_at - 1;
                    }
                    continue;
                }
                row = next;
                if row >= self.first_match {
                    end = step_at;
                } else if row <= QUIT {
                    return if row == QUIT {
                        Outcome::Quit
                    } else {
                        Outcome::Known { end: found(end), read_to: step_at }
                    };
                }
                step_at += 1;
            }
            if step_at >= text.len() {
                break;
            }
            if ran_out() {
                return Outcome::Known { end: found(end), read_to: step_at };
            }
        }
        if row == QUIT {
            return Outcome::Quit;
        }
        if self.at_end[usize::from(row)] {
            end = text.len();
        }
        Outcome::Known { end: found(end), read_to: text.len() }
    }

    /// As [`Table::longest`], but gives up where an earlier call failed in the same state: this
    /// keeps `(a*)*b` and `a*b|a` linear. `memo` has one row per index of this text, 0 for none.
    pub(crate) fn longest_remembering(&self, text: &[u8], at: usize, memo: &mut [u16]) -> Outcome {
        let mut row = self.start(text, at);
        let mut end = None;
        let mut tail = (at, row);
        let mut step_at = at;
        while step_at < text.len() {
            if memo[step_at] == row && row > QUIT {
                break;
            }
            if step_at.is_multiple_of(AT_ONCE) && ran_out() {
                return Outcome::Known { end, read_to: step_at };
            }
            row = self.step(row, text[step_at]);
            if row >= self.first_match {
                end = Some(step_at);
                tail = (step_at + 1, row);
            } else if row <= QUIT {
                if row == QUIT {
                    return Outcome::Quit;
                }
                break;
            }
            step_at += 1;
        }
        if step_at == text.len() && self.at_end[usize::from(row)] {
            return Outcome::Known { end: Some(text.len()), read_to: text.len() };
        }
        let (mut tail_at, mut tail_row) = tail;
        while tail_at < step_at {
            memo[tail_at] = tail_row;
            tail_row = self.step(tail_row, text[tail_at]);
            tail_at += 1;
        }
        Outcome::Known { end, read_to: step_at }
    }

    /// The end of the match that ends first, from `at` on. `skip` tells where the next one may begin,
    /// wherever none has begun; none if that is behind the text.
    #[inline]
    pub(crate) fn first_end(
        &self,
        text: &[u8],
        at: usize,
        skip: impl Fn(usize) -> usize,
    ) -> Outcome {
        let nothing = Outcome::Known { end: None, read_to: text.len() };
        let mut at = skip(at);
        if at > text.len() {
            return nothing;
        }
        let mut start = self.start(text, at);
        let mut row = start;
        if start == QUIT {
            return Outcome::Quit;
        }
        loop {
            let piece = &text[..text.len().min(at.saturating_add(AT_ONCE))];
            while let Some(&byte) = piece.get(at) {
                let next = self.rows[usize::from(row)][usize::from(byte)];
                if next == STAYS {
                    at = self.left_at(row, piece, at);
                    continue;
                }
                row = next;
                if row >= self.first_match {
                    return Outcome::Known { end: Some(at), read_to: at };
                }
                at += 1;
                if row == start {
                    let next_at = skip(at);
                    if next_at > text.len() {
                        return nothing;
                    }
                    if next_at > at {
                        at = next_at;
                        // What stands before may count.
                        start = self.start(text, at);
                        row = start;
                        if start == QUIT {
                            return Outcome::Quit;
                        }
                    }
                } else if row <= QUIT {
                    return if row == QUIT { Outcome::Quit } else { nothing };
                }
            }
            if at >= text.len() {
                break;
            }
            if ran_out() {
                return nothing;
            }
        }
        if row == QUIT {
            return Outcome::Quit;
        }
        let ends = at == text.len() && self.at_end[usize::from(row)];
        Outcome::Known { end: ends.then_some(text.len()), read_to: text.len() }
    }

    /// Starts at `at` in text that may grow; the literal prefix, if any, is there.
    #[inline]
    pub(crate) fn begin(&self, text: &[u8], at: usize) -> Walk<u16> {
        match self.after_prefix {
            Some((row, length)) => Walk { start: at, at: at + length, state: row, end: NOWHERE },
            None => Walk { start: at, at, state: self.start(text, at), end: NOWHERE },
        }
    }

    #[inline]
    pub(crate) fn go_on(&self, walk: &mut Walk<u16>, text: &[u8], arrival: Arrival) -> Reach {
        let Walk { mut state, mut end, mut at, .. } = *walk;
        while let Some(&byte) = text.get(at) {
            let next = self.rows[usize::from(state)][usize::from(byte)];
            if next == STAYS {
                at = self.left_at(state, text, at);
                if state >= self.first_match {
                    end = at - 1;
                }
                continue;
            }
            state = next;
            if state >= self.first_match {
                end = at;
                // No longer match either.
                if self.settled[usize::from(state)] && !self.at_end[usize::from(state)] {
                    *walk = Walk { start: walk.start, at: at + 1, state, end };
                    return walk.settle();
                }
            } else if state <= QUIT {
                *walk = Walk { start: walk.start, at, state, end };
                return if state == QUIT { Reach::Quit } else { walk.settle() };
            }
            at += 1;
        }
        *walk = Walk { start: walk.start, at, state, end };
        if state == QUIT {
            return Reach::Quit;
        }
        if arrival == Arrival::Partial && !self.settled[usize::from(state)] {
            return Reach::Open;
        }
        if self.at_end[usize::from(state)] {
            walk.end = at;
        }
        walk.settle()
    }
}

/// Marks where the row stays and returns the other bytes, if half of ASCII stays.
fn mark_staying(row: &mut [u16; 256], number: u16) -> Option<Box<ByteSet>> {
    let leaves = row.map(|next| next != number);
    if number <= QUIT || leaves[..128].iter().filter(|&&leaves| !leaves).count() < 64 {
        return None;
    }
    row.iter_mut().filter(|next| **next == number).for_each(|next| *next = STAYS);
    Some(Box::new(ByteSet::new(leaves)))
}

fn settled(rows: &[[u16; 256]], at_end: &[bool], first_match: u16) -> Vec<bool> {
    // A row is live if a match row is reachable.
    let mut live: Vec<bool> = at_end.to_vec();
    live[usize::from(QUIT)] = true;
    loop {
        let mut changed = false;
        for (index, row) in rows.iter().enumerate() {
            if !live[index]
                && row.iter().any(|&next| next >= first_match || live[usize::from(next)])
            {
                live[index] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    rows.iter()
        .zip(at_end)
        .map(|(row, &ends)| {
            row.iter().all(|&next| !live[usize::from(next)] && (next >= first_match) == ends)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Table};
    use crate::{Options, Regex};

    fn with_table<T>(pattern: &str, ask: impl FnOnce(&Table) -> T) -> T {
        let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
        ask(regex.automata.longest().unwrap())
    }

    #[test]
    fn a_search_goes_on_behind_a_prefix_unless_that_decides_something() {
        let after = |pattern: &str, prefix: &[u8]| {
            with_table(pattern, |table| table.row_after(prefix).is_some())
        };
        assert!(after("abc(d|e)+", b"abc"));
        assert!(!after("abc(d|e)+", b"x"), "it is no prefix");
        assert!(!after("^abc(d|e)+", b"abc"), "what stands before counts");
        assert!(!after("a(b)*", b"ab"), "a match ends inside");
    }

    #[test]
    fn a_character_beyond_ascii_in_front_counts_for_words_only() {
        let longest = |pattern: &str, text: &str, at| {
            with_table(pattern, |table| table.longest(text.as_bytes(), at))
        };
        assert!(matches!(
            longest("[[:alpha:]]+x", "éabx.", 2),
            Outcome::Known { end: Some(5), .. }
        ));
        assert_eq!(longest(r"\y[[:alpha:]]+x", "éabx.", 2), Outcome::Quit);
        assert!(matches!(
            longest(r"\y[[:alpha:]]+x", ".abx.", 1),
            Outcome::Known { end: Some(4), .. }
        ));
    }

    #[test]
    fn a_search_that_skips_sees_what_stands_before() {
        let regex = Regex::new(br"c+|\ya ", &Options::default()).unwrap();
        let table = regex.automata.anywhere().unwrap();
        let ends = |text: &[u8]| {
            let skip = |at: usize| regex.automata.first().find(text, at).unwrap_or(text.len());
            table.first_end(text, 0, skip)
        };
        assert!(matches!(ends(b"aa ba "), Outcome::Known { end: None, .. }));
        assert!(matches!(ends(b"aa b a "), Outcome::Known { end: Some(7), .. }));
        // Behind a letter that the table does not know, it does not know more.
        for text in ["日éa", "x日éa", "日x日éa"] {
            let regex = Regex::new("é|c\\y".as_bytes(), &Options::default()).unwrap();
            assert!(regex.is_match(text.as_bytes()), "{text}");
        }
        let regex = Regex::new(br"c\y", &Options::default()).unwrap();
        let (text, automata) = ("cd-日cd".as_bytes(), &regex.automata);
        let skip = |at| automata.prefix().candidate(automata.first(), text, at);
        assert_eq!(automata.anywhere().unwrap().first_end(text, 0, skip), Outcome::Quit);
    }

    #[test]
    fn what_was_read_in_vain_is_not_read_again() {
        with_table("a*b", |table| {
            let text = [b'a'; 50];
            let mut memo = vec![0; text.len() + 1];
            assert_eq!(
                table.longest_remembering(&text, 0, &mut memo),
                Outcome::Known { end: None, read_to: 50 }
            );
            assert_eq!(
                table.longest_remembering(&text, 1, &mut memo),
                Outcome::Known { end: None, read_to: 1 }
            );
        });
    }
}
