//! Where a file may be cut: at the beginning of a record, found without reading what comes before it.
//!
//! Provable is what looks the same from everywhere:
//! - a separator of one byte: a record begins behind each;
//! - a string that does not overlap itself (no beginning of it is also its end), so that every occurrence is a separator:
//!   with `RS = "aba"`, whether the second occurrence in `ababa` separates depends on all that came before;
//! - paragraphs: a record begins at each byte that is no newline and follows two (the first of all may follow one: that place is
//!   not found, and nobody needs it);
//! - not a regular expression: where it matches can depend on where the last match ended.

use crate::record_rule::RecordRule;
use riverhawk_regex::Regex;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// How much is looked at in one go, in bytes: records are seldom longer.
const LOOK: usize = 8 * 1024;

/// How records end, as far as files can be cut by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// By this byte.
    Byte(u8),
    /// By this text, which does not overlap itself.
    Text(Vec<u8>),
    /// By blank lines.
    Paragraph,
}

impl Cut {
    /// How files can be cut under this RS; `None` when that cannot be proved.
    pub(crate) fn of(rule: &RecordRule) -> Option<Cut> {
        match rule.separator.as_slice() {
            [] => Some(Cut::Paragraph),
            [byte] => Some(Cut::Byte(*byte)),
            pattern => {
                let regex = Regex::new(pattern, &rule.options).ok()?;
                let text = regex.literal()?;
                match *text {
                    [] => None,
                    [byte] => Some(Cut::Byte(byte)),
                    _ if overlaps_itself(text) => None,
                    _ => Some(Cut::Text(text.to_vec())),
                }
            }
        }
    }

    /// The first place at or after `from` where a record begins, or `end` when there is none before it.
    ///
    /// # Errors
    /// What reading says.
    pub fn boundary(&self, file: &File, from: u64, end: u64) -> io::Result<u64> {
        if from == 0 {
            return Ok(0);
        }
        // So much before a place must be known to tell that a record begins there.
        let before = match self {
            Cut::Byte(_) => 1,
            Cut::Text(text) => text.len() as u64,
            Cut::Paragraph => 2,
        };
        let mut at = from.saturating_sub(before);
        let mut block = vec![0; LOOK.max(before as usize * 2)];
        while at < end {
            let filled = read_up_to(file, &mut block, at)?;
            let text = &block[..filled];
            let found = match self {
                Cut::Byte(byte) => memchr::memchr(*byte, text).map(|found| found + 1),
                Cut::Text(separator) => memchr::memmem::find(text, separator).map(|found| found + separator.len()),
                Cut::Paragraph => {
                    text.windows(3).position(|three| three[..2] == *b"\n\n" && three[2] != b'\n').map(|found| found + 2)
                }
            };
            match found {
                // A separator that ends before `from`: the record behind it begins before.
                Some(found) if at + (found as u64) < from => at += found as u64,
                Some(found) => return Ok((at + found as u64).min(end)),
                None if filled < block.len() => break,
                None => at += filled as u64 - before,
            }
        }
        Ok(end)
    }
}

/// Whether some beginning of the text is also its end.
fn overlaps_itself(text: &[u8]) -> bool {
    (1..text.len()).any(|length| text[..length] == text[text.len() - length..])
}

fn read_up_to(file: &File, block: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < block.len() {
        match file.read_at(&mut block[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_regex::Options;
    use riverhawk_stream::{MemorySource, Records, Step};
    use std::io::Write;

    fn rule(separator: &[u8]) -> RecordRule {
        RecordRule { separator: separator.to_vec(), generation: 1, options: Options::new(), rows: None, checked: false }
    }

    /// Every place in the text where a record begins when it is read from its beginning.
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
        let long = format!("{}\n{}\n\n\nx", "a".repeat(LOOK + 5), "b".repeat(2 * LOOK)).into_bytes();
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
            let file = File::open(&path).unwrap();
            let end = text.len() as u64;
            for separator in [&b"\n"[..], b"", b"<>", b"a"] {
                let cut = Cut::of(&rule(separator)).expect("can be cut");
                let beginnings = beginnings(text, separator);
                let step = if text.len() > 1000 { 997 } else { 1 };
                for from in (1..=end).step_by(step) {
                    let expected = beginnings.iter().copied().find(|&start| start >= from).unwrap_or(end);
                    let found = cut.boundary(&file, from, end).unwrap();
                    assert_eq!(found, expected, "{cut:?} from {from} in text of {end} bytes");
                }
            }
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_depends_on_earlier_matches_is_not_cut() {
        for separator in ["aba", "aa", "a+", "[,;]\n", "a|b", "\n\n"] {
            assert_eq!(Cut::of(&rule(separator.as_bytes())), None, "{separator}");
        }
        assert_eq!(Cut::of(&rule(b"\r\n")), Some(Cut::Text(b"\r\n".to_vec())));
        assert_eq!(Cut::of(&rule("é".as_bytes())), Some(Cut::Text("é".as_bytes().to_vec())));
        assert_eq!(Cut::of(&rule(b"\\|")), Some(Cut::Byte(b'|')));
    }
}
