//! Malformed rows. The first ends the run, or a warning counts each kind per file.

use super::quoting;

/// A flaw of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFlaw {
    /// In its quotes.
    Quotes {
        /// The field, from 1.
        field: usize,
        /// The byte of the row, from 1.
        byte: usize,
        /// The kind.
        what: Quotes,
    },
    /// In its number of fields.
    Width {
        /// Fields found.
        has: usize,
        /// Fields required.
        needs: usize,
    },
}

/// Flaws of quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quotes {
    /// Text after a closing quote.
    TextAfter,
    /// An unclosed quote.
    NeverClosed,
}

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

    fn kind_name(self) -> &'static str {
        [
            "too few columns",
            "too many columns",
            "text after a closing quote",
            "a quote that is never closed",
        ][self.kind()]
    }

    fn short_place(self) -> String {
        match self {
            RowFlaw::Quotes { field, byte, .. } => format!(", column {field}, byte {byte}"),
            RowFlaw::Width { has, needs } => format!(": it has {has}, not {needs}"),
        }
    }

    /// For a message after the record number.
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

/// The flaws of a file, by kind: the count and the first.
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

    /// A message for each kind; resets the counts.
    pub fn take_messages(&mut self) -> impl Iterator<Item = String> + use<> {
        std::mem::take(self).0.into_iter().flatten().map(|(count, what)| {
            let rows =
                if count == 1 { "1 row has".to_string() } else { format!("{count} rows have") };
            format!("{rows} {what}")
        })
    }
}

/// Whether a row ends within quotes.
pub fn ends_in_quotes(text: &[u8], separator: u8) -> bool {
    matches!(check_quotes(text, separator), Err(RowFlaw::Quotes { what: Quotes::NeverClosed, .. }))
}

/// The number of fields of a CSV row, or its flaw.
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
