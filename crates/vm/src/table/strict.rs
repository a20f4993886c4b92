//! Rows that are not as they should be: each record is looked at before the program gets it. The
//! first ends the run, or they are counted, and a warning at the end of each file says how many
//! there are of each kind and where the first is.

use super::json::check;
use super::layout::too_long;
use super::{Strictness, TableFormat, quoting};
use crate::fault::{Fallible, Fault};
use crate::runtime::Runtime;
use crate::splitter::Splitter;
use riverhawk_simd::FINISHED;
use riverhawk_stream::Record as Range;

/// What is wrong with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    /// Its quotes, in which of its fields and at which of its bytes, both from 1.
    Quotes { field: usize, byte: usize, what: Quotes },
    /// It has so many fields instead of so many.
    Width { has: usize, needs: usize },
}

/// What is wrong with quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quotes {
    TextAfter,
    NeverClosed,
}

/// Kinds of flaws, in the order in which they are told.
const KINDS: usize = 4;

impl Flaw {
    fn kind(self) -> usize {
        match self {
            Flaw::Width { has, needs } if has < needs => 0,
            Flaw::Width { .. } => 1,
            Flaw::Quotes { what: Quotes::TextAfter, .. } => 2,
            Flaw::Quotes { what: Quotes::NeverClosed, .. } => 3,
        }
    }

    /// What rows of its kind have.
    fn kind_name(self) -> &'static str {
        [
            "too few columns",
            "too many columns",
            "text after a closing quote",
            "a quote that is never closed",
        ][self.kind()]
    }

    /// Where it is, after the number of the record and what rows of its kind have.
    fn short_place(self) -> String {
        match self {
            Flaw::Quotes { field, byte, .. } => format!(", column {field}, byte {byte}"),
            Flaw::Width { has, needs } => format!(": it has {has}, not {needs}"),
        }
    }

    /// Where it is and what, after the number of the record.
    fn place(self) -> String {
        match self {
            Flaw::Quotes { field, byte, what } => {
                let what = match what {
                    Quotes::TextAfter => "text after a closing quote",
                    Quotes::NeverClosed => "a quote that is never closed",
                };
                format!(", column {field}, byte {byte}: {what}")
            }
            Flaw::Width { has, needs } => {
                let what = if has < needs { "is missing" } else { "is one too many" };
                format!(", column {} {what}: it has {has}, not {needs}", has.min(needs) + 1)
            }
        }
    }
}

/// The flaws of a file that are told at its end: of each kind how many rows have it, and the first.
#[derive(Default)]
pub(crate) struct Flaws([Option<(u64, String)>; KINDS]);

/// Whether a row ends within a quote.
pub(super) fn ends_in_quotes(text: &[u8], separator: u8) -> bool {
    matches!(check_quotes(text, separator), Err(Flaw::Quotes { what: Quotes::NeverClosed, .. }))
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
                    return Err(Flaw::Quotes { field, byte: start + 1, what: Quotes::NeverClosed });
                };
                at += quote + 1;
                if text.get(at) != Some(&b'"') {
                    break;
                }
                at += 1;
            }
            if at < text.len() && text[at] != separator {
                return Err(Flaw::Quotes { field, byte: at + 1, what: Quotes::TextAfter });
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
    /// Looks whether a record is a proper row: its quotes, and the number of its fields. An empty
    /// record is no row and is let by.
    pub(crate) fn check_row(&mut self, range: &Range) -> Fallible<()> {
        let text = self.main.text(range);
        if text.is_empty() {
            return Ok(());
        }
        if self.tables.reads_values() {
            let Runtime { main, frames, .. } = self;
            let taken = frames.take(main.lead(range), main.text(range));
            return taken.map_err(|flaw| Fault::operand(format!("{}: {flaw}", self.input_name())));
        }
        if self.tables.is_json() {
            return match check(text) {
                Ok(()) => Ok(()),
                Err(flaw) => {
                    let (file, line, column) =
                        (self.input_name(), self.specials.fnr + 1.0, flaw.column(text));
                    // A value that goes on behind its first line.
                    let is_longer = line == 1.0 && flaw.at >= text.trim_ascii_end().len();
                    let hint =
                        if is_longer { "; --json reads values of several lines" } else { "" };
                    Err(Fault::operand(format!(
                        "{file}: JSON Lines, line {line}, column {column}: {}{hint}",
                        flaw.what
                    )))
                }
            };
        }
        let count = match self.record.splitter() {
            // Where quotes do not matter, fields are counted as they are found.
            Splitter::Row(TableFormat::Csv { separator })
                if self.tables.strictness != Strictness::Lenient =>
            {
                check_quotes(text, *separator)
            }
            splitter => Ok(count_fields(splitter, text)),
        };
        let flaw = match (count, self.columns.width()) {
            (Ok(has), Some(needs)) if has != needs => Flaw::Width { has, needs },
            (Ok(count), _) => {
                self.columns.set_width(count);
                return Ok(());
            }
            (Err(flaw), _) => flaw,
        };
        if let Flaw::Width { has, needs } = flaw
            && has > needs
            && self.columns.names().len() > needs
        {
            // What is made would take the place of what has no name.
            let place = format!("{}: record {}: ", self.input_name(), self.specials.fnr + 1.0);
            return Err(Fault::operand(place + &too_long(has, needs).message()));
        }
        self.found_flaw(flaw, self.specials.fnr + 1.0)
    }

    /// The same of a header: of its quotes.
    pub(crate) fn check_header(&mut self, text: &[u8]) -> Fallible<()> {
        let separator = match self.tables.input {
            Some(TableFormat::Csv { separator })
                if self.tables.strictness != Strictness::Lenient =>
            {
                separator
            }
            _ => return Ok(()),
        };
        match check_quotes(text, separator) {
            Ok(_) => Ok(()),
            Err(flaw) => self.found_flaw(flaw, 0.0),
        }
    }

    /// Refuses a row, or counts it; the header is record 0.
    fn found_flaw(&mut self, flaw: Flaw, record: f64) -> Fallible<()> {
        let row =
            || if record == 0.0 { "the header".to_string() } else { format!("record {record}") };
        match self.tables.strictness {
            Strictness::Lenient => {}
            Strictness::Refuses => {
                return Err(Fault::operand(format!(
                    "{}: {}{}",
                    self.input_name(),
                    row(),
                    flaw.place()
                )));
            }
            Strictness::Warns => match &mut self.flaws.0[flaw.kind()] {
                Some((count, _)) => *count += 1,
                first => {
                    *first = Some((
                        1,
                        format!(
                            "{}, the first in {}{}",
                            flaw.kind_name(),
                            row(),
                            flaw.short_place()
                        ),
                    ));
                }
            },
        }
        Ok(())
    }

    /// Tells of the rows of the file that was read.
    pub(crate) fn tell_flaws(&mut self) -> Fallible<()> {
        let Flaws(kinds) = std::mem::take(&mut self.flaws);
        for (count, what) in kinds.into_iter().flatten() {
            let rows =
                if count == 1 { "1 row has".to_string() } else { format!("{count} rows have") };
            self.warn(&format!("{}: {rows} {what}", self.input_name()))?;
        }
        Ok(())
    }
}

fn count_fields(splitter: &Splitter, text: &[u8]) -> usize {
    let (mut ranges, mut at) = (Vec::new(), 0);
    while at != FINISHED {
        at = splitter.split(text, at, usize::MAX, &mut ranges);
    }
    ranges.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flaws_are_told_with_their_place_and_proper_rows_are_counted() {
        for (text, count) in
            [(&b"a,\"b,\"\"c\",\"\""[..], 3), (b"\"a\nb\"", 1), (b"5\" x,\"\r\n\",", 3)]
        {
            assert_eq!(check_quotes(text, b','), Ok(count));
        }
        let after = Flaw::Quotes { field: 2, byte: 6, what: Quotes::TextAfter };
        assert_eq!(check_quotes(b"a,\"b\"c,d", b','), Err(after));
        let open = Flaw::Quotes { field: 3, byte: 8, what: Quotes::NeverClosed };
        assert_eq!(check_quotes(b"a,\"b,\",\"c\"\"", b','), Err(open));
    }
}
