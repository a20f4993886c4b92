//! Strict rows: each record is looked at before the program gets it, and one that is not as it should be ends the run.

use super::json::check;
use super::{TableFormat, quoting};
use crate::fault::{Fallible, Fault};
use crate::runtime::Runtime;
use crate::splitter::Splitter;
use riverhawk_simd::FINISHED;
use riverhawk_stream::Record as Range;

/// What is wrong with a row, and in which of its fields.
#[derive(Debug, PartialEq, Eq)]
struct Flaw {
    /// From 1.
    field: usize,
    /// Counted from 1, in the row.
    byte: usize,
    what: &'static str,
}

/// How many fields a row of CSV has, or what is wrong with its quotes.
fn check_quotes(text: &[u8], separator: u8) -> Result<usize, Flaw> {
    let mut ranges = Vec::new();
    let split = riverhawk_simd::split_quoted(text, quoting(separator), 0, usize::MAX, &mut ranges);
    if split.is_literal {
        return Ok(ranges.len());
    }
    let mut at = 0;
    for field in 1.. {
        let start = at;
        if text.get(at) == Some(&b'"') {
            at += 1;
            loop {
                let Some(quote) = memchr::memchr(b'"', &text[at..]) else {
                    return Err(Flaw { field, byte: start + 1, what: "a quote that is never closed" });
                };
                at += quote + 1;
                if text.get(at) != Some(&b'"') {
                    break;
                }
                at += 1;
            }
            if at < text.len() && text[at] != separator {
                return Err(Flaw { field, byte: at + 1, what: "text after a closing quote" });
            }
        }
        match memchr::memchr(separator, &text[at..]) {
            Some(end) => at += end + 1,
            None => break,
        }
    }
    Ok(ranges.len())
}

impl Runtime {
    /// Refuses a record that is no proper row: its quotes, or the number of its fields. An empty record is no row and is let by.
    pub(crate) fn check_row(&mut self, range: &Range) -> Fallible<()> {
        let text = self.main.text(range);
        if text.is_empty() {
            return Ok(());
        }
        if self.tables.is_json() {
            return match check(text) {
                Ok(()) => Ok(()),
                Err(flaw) => {
                    let (file, record) = (self.input_name(), self.specials.fnr + 1.0);
                    Err(Fault::operand(format!("{file}: record {record}, byte {}: {}", flaw.at + 1, flaw.what)))
                }
            };
        }
        let count = match self.record.splitter() {
            Splitter::Row(TableFormat::Csv { separator }) => check_quotes(text, *separator),
            splitter => {
                let (mut ranges, mut at) = (Vec::new(), 0);
                while at != FINISHED {
                    at = splitter.split(text, at, usize::MAX, &mut ranges);
                }
                Ok(ranges.len())
            }
        };
        let record = self.specials.fnr + 1.0;
        let place = || format!("{}: record {record}", self.input_name());
        match (count, self.columns.width) {
            (Err(Flaw { field, byte, what }), _) => {
                Err(Fault::operand(format!("{}, column {field}, byte {byte}: {what}", place())))
            }
            (Ok(count), Some(width)) if count != width => {
                let column = count.min(width) + 1;
                let what = if count < width { "is missing" } else { "is one too many" };
                Err(Fault::operand(format!("{}, column {column} {what}: it has {count}, not {width}", place())))
            }
            (Ok(count), _) => {
                self.columns.width = Some(count);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flaws_are_told_with_their_place_and_proper_rows_are_counted() {
        for (text, count) in [(&b"a,\"b,\"\"c\",\"\""[..], 3), (b"\"a\nb\"", 1), (b"5\" x,\"\r\n\",", 3)] {
            assert_eq!(check_quotes(text, b','), Ok(count));
        }
        let after = Flaw { field: 2, byte: 6, what: "text after a closing quote" };
        assert_eq!(check_quotes(b"a,\"b\"c,d", b','), Err(after));
        let open = Flaw { field: 3, byte: 8, what: "a quote that is never closed" };
        assert_eq!(check_quotes(b"a,\"b,\",\"c\"\"", b','), Err(open));
    }
}
