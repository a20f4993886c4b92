//! Rows that are not as they should be: each record is looked at before the program gets it. The
//! first ends the run, or they are counted, and a warning at the end of each file says how many
//! there are of each kind and where the first is.

use super::quoting;

/// What is wrong with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFlaw {
    /// Its quotes.
    Quotes {
        /// Which field, from 1.
        field: usize,
        /// At which byte of the row, from 1.
        byte: usize,
        /// What is wrong with them.
        what: Quotes,
    },
    /// The number of its fields.
    Width {
        /// How many it has.
        has: usize,
        /// How many it should have.
        needs: usize,
    },
}

/// What is wrong with quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotes {
    /// Text stands after a closing quote.
    TextAfter,
    /// A quote is never closed.
    NeverClosed,
}

/// Kinds of flaws, in the order in which they are told.
const KINDS: usize = 4;

impl RowFlaw {
    fn kind(self) -> usize {
        match self {
            RowFlaw::Width { has, needs } if has < needs => 0,
            RowFlaw::Width { .. } => 1,
            RowFlaw::Quotes { what: Quotes::TextAfter, .. } => 2,
            RowFlaw::Quotes { what: Quotes::NeverClosed, .. } => 3,
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
            RowFlaw::Quotes { field, byte, .. } => format!(", column {field}, byte {byte}"),
            RowFlaw::Width { has, needs } => format!(": it has {has}, not {needs}"),
        }
    }

    /// Where it is and what, after the number of the record.
    pub fn place(self) -> String {
        match self {
            RowFlaw::Quotes { field, byte, what } => {
                let what = match what {
                    Quotes::TextAfter => "text after a closing quote",
                    Quotes::NeverClosed => "a quote that is never closed",
                };
                format!(", column {field}, byte {byte}: {what}")
            }
            RowFlaw::Width { has, needs } => {
                let what = if has < needs { "is missing" } else { "is one too many" };
                format!(", column {} {what}: it has {has}, not {needs}", has.min(needs) + 1)
            }
        }
    }
}

/// The flaws of a file that are told at its end: of each kind how many rows have it, and the first.
#[derive(Default)]
pub struct Flaws([Option<(u64, String)>; KINDS]);

impl Flaws {
    /// Counts a flaw of this row.
    pub fn note(&mut self, flaw: RowFlaw, row: &str) {
        match &mut self.0[flaw.kind()] {
            Some((count, _)) => *count += 1,
            first => {
                let (what, place) = (flaw.kind_name(), flaw.short_place());
                *first = Some((1, format!("{what}, the first in {row}{place}")));
            }
        }
    }

    /// How many rows have a flaw of each kind, and the first of them; nothing is counted then.
    pub fn take_messages(&mut self) -> impl Iterator<Item = String> + use<> {
        std::mem::take(self).0.into_iter().flatten().map(|(count, what)| {
            let rows =
                if count == 1 { "1 row has".to_string() } else { format!("{count} rows have") };
            format!("{rows} {what}")
        })
    }
}

/// Whether a row ends within a quote.
pub fn ends_in_quotes(text: &[u8], separator: u8) -> bool {
    matches!(check_quotes(text, separator), Err(RowFlaw::Quotes { what: Quotes::NeverClosed, .. }))
}

/// How many fields a row of CSV has, or what is wrong with its quotes.
pub fn check_quotes(text: &[u8], separator: u8) -> Result<usize, RowFlaw> {
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
                    return Err(RowFlaw::Quotes {
                        field,
                        byte: start + 1,
                        what: Quotes::NeverClosed,
                    });
                };
                at += quote + 1;
                if text.get(at) != Some(&b'"') {
                    break;
                }
                at += 1;
            }
            if at < text.len() && text[at] != separator {
                return Err(RowFlaw::Quotes { field, byte: at + 1, what: Quotes::TextAfter });
            }
        }
        match memchr::memchr(separator, &text[at..]) {
            Some(end) => at += end + 1,
            None => break,
        }
    }
    Ok(ranges.len())
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
        let after = RowFlaw::Quotes { field: 2, byte: 6, what: Quotes::TextAfter };
        assert_eq!(check_quotes(b"a,\"b\"c,d", b','), Err(after));
        let open = RowFlaw::Quotes { field: 3, byte: 8, what: Quotes::NeverClosed };
        assert_eq!(check_quotes(b"a,\"b,\",\"c\"\"", b','), Err(open));
    }
}
