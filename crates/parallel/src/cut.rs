//! Finds where a record begins, without reading what precedes it.
//!
//! This works for:
//! - a separator of one byte: a record begins after each;
//! - a string of which no prefix is also a suffix, so that every occurrence separates: with `RS =
//!   "aba"`, the second occurrence in `ababa` depends on all before it;
//! - paragraphs: a record begins at each byte that is no newline and follows two;
//! - a regular expression with bytes only at the end of its matches, or never
//!   ([`Regex::cut_bytes`]): after one a search needs no context;
//! - lines of TSV and JSON; rows of CSV by [`rows`](super::rows), which may scan from a known
//!   place.

use crate::rows;
use crate::source::PieceInput;
use riverhawk_awkio::filesystem::ReadAt;
use riverhawk_awkio::fill_at;
use riverhawk_record::record_rule::RecordRule;
use riverhawk_record::table::{JsonForm, TableFormat, quoting};
use riverhawk_regex::{Arrival, ByteSet, MatchProgress, Options, Partial, Regex};
use riverhawk_simd::{QuoteState, Quoting};
use std::io;

/// Bytes searched at once.
const LOOK: usize = 8 * 1024;

/// For rows, also the maximum distance searched for a quote.
const LOOK_AT_ROWS: usize = 64 * 1024;

/// How records end, as far as input can be cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// At this byte.
    Byte(u8),
    /// At this text, which does not overlap itself.
    Text(Vec<u8>),
    /// At blank lines.
    Paragraph,
    /// At matches of a regex, with its [cut bytes](riverhawk_regex::CompiledRegex::cut_bytes).
    Pattern(Vec<u8>, Options),
    /// At newlines outside quotes.
    Rows(Quoting),
}

impl Cut {
    /// `None` if no cut can be proved right under this RS.
    pub fn of(rule: &RecordRule) -> Option<Cut> {
        match rule.rows {
            Some(TableFormat::Csv { separator }) => return Some(Cut::Rows(quoting(separator))),
            Some(TableFormat::Tsv | TableFormat::Json(JsonForm::Lines)) => {
                return Some(Cut::Byte(b'\n'));
            }
            Some(TableFormat::Json(JsonForm::Values)) => return None,
            None => {}
        }
        match rule.separator.as_slice() {
            [] => Some(Cut::Paragraph),
            [byte] => Some(Cut::Byte(*byte)),
            pattern => {
                let regex = Regex::new(pattern, &rule.options).ok()?;
                match regex.literal() {
                    Some(&[byte]) => Some(Cut::Byte(byte)),
                    Some(text) if !text.is_empty() && !overlaps_itself(text) => {
                        Some(Cut::Text(text.to_vec()))
                    }
                    _ => regex.cut_bytes().map(|_| Cut::Pattern(pattern.to_vec(), rule.options)),
                }
            }
        }
    }

    /// The search for boundaries.
    pub fn finder(&self) -> Boundaries {
        let pattern = match self {
            Cut::Pattern(pattern, options) => Regex::new(pattern, options)
                .ok()
                .and_then(|regex| Some((regex.cut_bytes()?, regex))),
            _ => None,
        };
        Boundaries { cut: self.clone(), pattern }
    }
}

/// Finds where records begin.
#[derive(Debug)]
pub struct Boundaries {
    cut: Cut,
    /// Cut bytes and separator.
    pattern: Option<(ByteSet, Regex)>,
}

impl Boundaries {
    /// Bytes needed before a place.
    fn before(&self) -> usize {
        match &self.cut {
            Cut::Byte(_) | Cut::Pattern(..) | Cut::Rows(_) => 1,
            Cut::Text(text) => text.len(),
            Cut::Paragraph => 2,
        }
    }

    /// A boundary, or how much of the text need not be searched again.
    fn find(&self, text: &[u8], at_end: bool) -> Result<usize, usize> {
        let searched = text.len().saturating_sub(self.before());
        match &self.cut {
            Cut::Byte(byte) => memchr::memchr(*byte, text).map(|found| found + 1).ok_or(text.len()),
            Cut::Text(separator) => memchr::memmem::find(text, separator)
                .map(|found| found + separator.len())
                .ok_or(searched),
            Cut::Paragraph => {
                let place = |three: &[u8]| three[..2] == *b"\n\n" && three[2] != b'\n';
                text.windows(3).position(place).map(|found| found + 2).ok_or(searched)
            }
            Cut::Pattern(..) => {
                let Some((bytes, regex)) = &self.pattern else { return Err(text.len()) };
                let Some(free) = bytes.find(text, 0) else { return Err(text.len()) };
                let arrival = if at_end { Arrival::Complete } else { Arrival::Partial };
                match regex.find_in_stream(
                    &text[free + 1..],
                    0,
                    arrival,
                    &mut MatchProgress::default(),
                ) {
                    Partial::Found(found) => Ok(free + 1 + found.end),
                    Partial::NotYet { .. } if at_end => Err(text.len()),
                    Partial::NotYet { .. } => Err(free),
                }
            }
            // Handled by `row_boundary`.
            Cut::Rows(_) => Err(text.len()),
        }
    }

    /// The last boundary, possibly the text's end, in a text that begins with a record.
    pub(crate) fn last_in(&self, text: &[u8]) -> Option<usize> {
        if let Cut::Rows(quoting) = self.cut {
            return rows::last_row(text, quoting);
        }
        let mut back = LOOK;
        loop {
            let from = text.len().saturating_sub(back);
            let mut last = None;
            let mut at = from;
            while at < text.len()
                && let Ok(found) = self.find(&text[at..], false)
            {
                last = Some(at + found);
                // The context of the next boundary may overlap this one.
                at = (at + found).saturating_sub(self.before()).max(at + 1);
            }
            if last.is_some() || from == 0 {
                return last;
            }
            back = back.saturating_mul(8);
        }
    }

    /// As [`Boundaries::boundary`], but false if a record begins there only unless the place is in
    /// quotes. If it is, the record before it is unterminated.
    ///
    /// # Errors
    /// Reading fails.
    pub fn likely_boundary(
        &self,
        input: &PieceInput,
        known: u64,
        from: u64,
        end: u64,
    ) -> io::Result<(u64, bool)> {
        match self.cut {
            Cut::Rows(quoting) if from > known => {
                row_boundary(input, quoting, known, from, end, true)
            }
            _ => self.boundary(input, known, from, end).map(|at| (at, true)),
        }
    }

    /// The first boundary in the middle of a text of whose beginning nothing is known; `None` if no
    /// record begins there, or rows are quoted.
    ///
    /// # Errors
    /// Reading fails.
    pub fn first_after_context(&self, text: &PieceInput) -> io::Result<Option<u64>> {
        if matches!(self.cut, Cut::Rows(_)) {
            return Ok(None);
        }
        let context = self.before() as u64;
        let found = self.boundary(text, 0, context, u64::MAX)?;
        let has_more = found < u64::MAX && text.read_at(&mut [0], found)? > 0;
        Ok(has_more.then_some(found))
    }

    /// A boundary from `from` on, or `end`: the first, except for regular expressions and quoted
    /// rows. `known`, at most `from`, is a boundary too.
    ///
    /// # Errors
    /// Reading fails.
    pub fn boundary(&self, input: &PieceInput, known: u64, from: u64, end: u64) -> io::Result<u64> {
        if from == known {
            return Ok(known);
        }
        if let Cut::Rows(quoting) = self.cut {
            return row_boundary(input, quoting, known, from, end, false).map(|(at, _)| at);
        }
        let before = self.before();
        let mut at = from.saturating_sub(before as u64);
        let mut block = vec![0; LOOK.max(before * 2)];
        while at < end {
            let filled = fill_at(input, &mut block, at)?;
            let at_end = filled < block.len();
            match self.find(&block[..filled], at_end) {
                // The record begins before `from`.
                Ok(found) if at + (found as u64) < from => at += found as u64,
                Ok(found) => return Ok((at + found as u64).min(end)),
                Err(_) if at_end => break,
                // A long match may end after the block.
                Err(0) => block.resize(block.len() * 2, 0),
                Err(passed) => at += passed as u64,
            }
        }
        Ok(end)
    }
}

/// Certain unless it `may_suppose`.
fn row_boundary(
    input: &PieceInput,
    quoting: Quoting,
    known: u64,
    from: u64,
    end: u64,
    may_suppose: bool,
) -> io::Result<(u64, bool)> {
    let mut block = vec![0; LOOK_AT_ROWS];
    let filled = fill_at(input, &mut block, from)?;
    if may_suppose && let Some(place) = rows::guess(&block[..filled], quoting) {
        return Ok(((from + place as u64).min(end), false));
    }
    let (mut at, mut state) = (known, QuoteState::START);
    while at < end {
        // So that each block is entirely before or after `from`.
        let wanted =
            if at < from { (from - at).min(LOOK_AT_ROWS as u64) as usize } else { LOOK_AT_ROWS };
        let filled = fill_at(input, &mut block[..wanted], at)?;
        if filled == 0 {
            break;
        }
        if at < from {
            rows::follow(&block[..filled], quoting, &mut state);
        } else if let Some(place) = rows::first_row(&block[..filled], quoting, &mut state) {
            return Ok(((at + place as u64).min(end), true));
        }
        at += filled as u64;
    }
    Ok((end, true))
}

fn overlaps_itself(text: &[u8]) -> bool {
    (1..text.len()).any(|length| text[..length] == text[text.len() - length..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_regex::Options;
    use riverhawk_stream::{MemorySource, Records, Step};
    use std::fs::File;
    use std::io::Write;
    use std::sync::Arc;

    fn rule(separator: &[u8]) -> RecordRule {
        RecordRule {
            separator: separator.to_vec(),
            generation: 1,
            options: Options::default(),
            rows: None,
            checked: false,
        }
    }

    fn beginnings(text: &[u8], separator: &[u8]) -> Vec<u64> {
        let mut records = Records::with_window(MemorySource::new(text), text.len() + 1);
        records.set_separator(rule(separator).separator().unwrap());
        let mut found = Vec::new();
        loop {
            match records.next_buffered() {
                Step::Record(record) => found.push(records.offset(record.start)),
                Step::NeedMore => drop(records.refill().unwrap()),
                Step::End => return found,
            }
        }
    }

    #[test]
    fn a_boundary_is_the_first_beginning_of_a_record_from_there_on() {
        let path = std::env::temp_dir().join(format!("riverhawk-cut-{}", std::process::id()));
        let long =
            format!("{}\n{}\n\n\nx", "a".repeat(LOOK + 5), "b".repeat(2 * LOOK)).into_bytes();
        let texts: [&[u8]; 9] = [
            b"",
            b"a",
            b"a\n",
            b"a\n\nb\n\n\nc\nd\n\n",
            b"\n\n\na\n\n\n\nb",
            b"\n\na\n",
            b"ab<>c<>>d<<>e<>",
            b"<><>x",
            &long,
        ];
        for text in texts {
            File::create(&path).unwrap().write_all(text).unwrap();
            let file = PieceInput::File(Arc::new(File::open(&path).unwrap()));
            let end = text.len() as u64;
            for separator in [&b"\n"[..], b"", b"<>", b"a"] {
                let cut = Cut::of(&rule(separator)).expect("can be cut").finder();
                let beginnings = beginnings(text, separator);
                let step = if text.len() > 1000 { 997 } else { 1 };
                for from in (1..=end).step_by(step) {
                    let expected =
                        beginnings.iter().copied().find(|&start| start >= from).unwrap_or(end);
                    let found = cut.boundary(&file, 0, from, end).unwrap();
                    assert_eq!(found, expected, "{cut:?} from {from} in text of {end} bytes");
                }
            }
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn regular_expressions_are_cut_only_where_records_begin() {
        let path =
            std::env::temp_dir().join(format!("riverhawk-cut-pattern-{}", std::process::id()));
        let long = format!("{},;\n{}aba\n\n\nx\r\n,", "a".repeat(LOOK + 5), "b".repeat(2 * LOOK))
            .into_bytes();
        let texts: [&[u8]; 8] = [
            b"",
            b"a\r\nb\nc\r\r\n\nd",
            b"ababab\naba\nabaaba",
            b",a;b,,;\nc,\nd",
            b"aaa\naa\na",
            b"\n\n\na\n\n\n\nb\n",
            b"a,\nb;\nc",
            &long,
        ];
        for separator in
            ["\r?\n", "[,;]", "a|b", "aba", "aa", "a+", "[,;]\n", "\n\n", "\n+", "(a|ab)(c|\n)"]
        {
            let cut = Cut::of(&rule(separator.as_bytes())).expect(separator);
            assert!(matches!(cut, Cut::Pattern(..)), "{separator}");
            let cut = cut.finder();
            let mut found = 0;
            for text in texts {
                File::create(&path).unwrap().write_all(text).unwrap();
                let file = PieceInput::File(Arc::new(File::open(&path).unwrap()));
                let end = text.len() as u64;
                let beginnings = beginnings(text, separator.as_bytes());
                for from in (1..=end).step_by(if text.len() > 1000 { 997 } else { 1 }) {
                    let place = cut.boundary(&file, 0, from, end).unwrap();
                    let begins = place >= from && (place == end || beginnings.contains(&place));
                    assert!(
                        begins,
                        "{separator:?} from {from} to {place} in {:?}",
                        String::from_utf8_lossy(text)
                    );
                    found += u32::from(place < end);
                }
            }
            assert!(found > 5, "{separator:?} cuts in {found} places");
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn in_memory_the_last_beginning_of_a_record_is_found() {
        let text =
            format!("{}one\r\ntwo,,\n\n\nthree<>\n\n\nfour", "x\n".repeat(LOOK)).into_bytes();
        for separator in ["\n", "", "<>", ",", "\r?\n", "\n+", "[,<]", "nowhere"] {
            let beginnings = beginnings(&text, separator.as_bytes());
            let cut = Cut::of(&rule(separator.as_bytes())).expect(separator).finder();
            for end in text.len() - 30..=text.len() {
                // A longer match or run of newlines may follow.
                let known =
                    beginnings.iter().copied().rfind(|&place| place <= end as u64 && place > 0);
                let found = cut.last_in(&text[..end]).map(|place| place as u64);
                let found_begins =
                    found.is_none_or(|place| beginnings.contains(&place) || place == end as u64);
                assert!(
                    found <= known.max(Some(end as u64)) && found_begins,
                    "{separator:?} in {end}: {found:?}"
                );
                assert!(
                    found.is_some() || known.is_none_or(|place| place + 4 > end as u64),
                    "{separator:?} in {end}"
                );
            }
        }
    }

    #[test]
    fn what_depends_on_earlier_matches_is_not_cut() {
        for separator in ["^a", "a*", "\\<a", "x\\y", "(.|\n)x"] {
            assert_eq!(Cut::of(&rule(separator.as_bytes())), None, "{separator}");
        }
        assert_eq!(Cut::of(&rule(b"\r\n")), Some(Cut::Text(b"\r\n".to_vec())));
        assert_eq!(Cut::of(&rule("é".as_bytes())), Some(Cut::Text("é".as_bytes().to_vec())));
        assert_eq!(Cut::of(&rule(b"\\|")), Some(Cut::Byte(b'|')));
    }
}
