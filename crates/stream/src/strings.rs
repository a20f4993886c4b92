//! String separators: the match that ends first; of several, the one listed first. CRLF counts as
//! one character: a string that ends in it precedes one that ends in its LF, and a CR that is a
//! separator waits for an LF that would make it one with that.
//!
//! Short strings are found by the marks of their last byte, others by `memmem` (one) or
//! Aho-Corasick (several). A suffix that begins a string is searched again with more text; the
//! Knuth-Morris-Pratt prefix function finds it.

use crate::separator::{Found, Input, Separator};
use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memmem;
use std::fmt;

/// Maximum strings in a set.
pub const MAX_STRINGS: usize = 4095;

/// Maximum bytes of a string.
pub const MAX_STRING_LENGTH: usize = 65_535;

/// Up to this length a single string is found by its last byte.
const SHORT: usize = 8;

/// Strings that each end a record.
pub struct StringSet {
    search: Search,
    /// By precedence: those that end in CRLF, then the others, each in the order given.
    strings: Vec<Prefixes>,
    /// For each string, the first of those that end it: what is found where it is the longest.
    first_ending: Vec<usize>,
    /// For each string that ends in CR: whether it exists with LF too.
    waits_for_lf: Vec<bool>,
}

enum Search {
    One(Box<memmem::Finder<'static>>),
    Many(AhoCorasick),
}

impl StringSet {
    pub(crate) fn new<S: AsRef<[u8]>>(
        strings: impl IntoIterator<Item = S>,
    ) -> Result<Self, StringSetError> {
        let mut all: Vec<Prefixes> = Vec::new();
        for (index, string) in strings.into_iter().enumerate() {
            let string = string.as_ref();
            match string.len() {
                _ if index >= MAX_STRINGS => return Err(StringSetError::TooMany),
                0 => return Err(StringSetError::EmptyString { index }),
                length if length > MAX_STRING_LENGTH => {
                    return Err(StringSetError::TooLong { index, length });
                }
                _ => all.push(Prefixes::new(string)),
            }
        }
        all.sort_by_key(|prefixes| !prefixes.string.ends_with(b"\r\n"));
        let search = match &all[..] {
            [] => return Err(StringSetError::Empty),
            [one] => Search::One(Box::new(memmem::Finder::new(&one.string).into_owned())),
            _ => Search::Many(
                AhoCorasick::builder()
                    .match_kind(MatchKind::Standard)
                    .build(all.iter().map(|prefixes| &prefixes.string))
                    .map_err(|_| StringSetError::TooMany)?,
            ),
        };
        let with_lf = |string: &[u8]| [string, b"\n"].concat();
        let waits_for_lf = all
            .iter()
            .map(|prefixes| {
                prefixes.string.ends_with(b"\r") && {
                    let crlf = with_lf(&prefixes.string);
                    all.iter().any(|other| *other.string == *crlf)
                }
            })
            .collect();
        let first_ending = all
            .iter()
            .enumerate()
            .map(|(index, longest)| {
                let ends = |other: &Prefixes| longest.string.ends_with(&other.string);
                all[..index].iter().position(ends).unwrap_or(index)
            })
            .collect();
        Ok(Self { search, strings: all, first_ending, waits_for_lf })
    }

    pub(crate) fn single_byte(&self) -> Option<u8> {
        match &self.strings[..] {
            [Prefixes { string, .. }] if string.len() == 1 => Some(string[0]),
            _ => None,
        }
    }

    /// A single short string, for which marks are faster than a search. A long one is better found
    /// by its rarest bytes.
    pub(crate) fn short_string(&self) -> Option<&[u8]> {
        match &self.strings[..] {
            [Prefixes { string, .. }] if (2..=SHORT).contains(&string.len()) => Some(string),
            _ => None,
        }
    }

    /// The start of the separator that ends the text.
    fn start_of_last(&self, text: &[u8]) -> usize {
        let mut ending = self.strings.iter().filter(|prefixes| text.ends_with(&prefixes.string));
        text.len() - ending.next().map_or(0, |prefixes| prefixes.string.len())
    }

    /// The longest suffix of `text[from..]` that begins a string.
    fn open_suffix(&self, text: &[u8], from: usize) -> Option<usize> {
        let longest =
            self.strings.iter().map(|prefixes| prefixes.longest_at_end(&text[from..])).max()?;
        (longest > 0).then(|| text.len() - longest)
    }
}

impl Separator for StringSet {
    fn find(&mut self, text: &[u8], search_from: usize, input: Input) -> Found {
        let at_end = input == Input::Ends;
        let rest = &text[search_from..];
        // A state lists its own string before its suffixes, so the longest is found.
        let found = match &self.search {
            Search::One(finder) => {
                finder.find(rest).map(|at| (0, search_from + at + self.strings[0].string.len()))
            }
            Search::Many(automaton) => automaton.find(rest).map(|found| {
                (self.first_ending[found.pattern().as_usize()], search_from + found.end())
            }),
        };
        let Some((index, end)) = found else {
            let open_at = if at_end { None } else { self.open_suffix(text, search_from) };
            return Found::NotYet { resume_from: open_at.unwrap_or(text.len()) };
        };
        let start = end - self.strings[index].string.len();
        if self.waits_for_lf[index] {
            match text.get(end) {
                Some(b'\n') => {
                    let start = self.start_of_last(&text[search_from..=end]) + search_from;
                    return Found::At { start, end: end + 1 };
                }
                None if !at_end => {
                    let open_at = self.open_suffix(text, search_from);
                    return Found::NotYet { resume_from: open_at.unwrap_or(start) };
                }
                _ => {}
            }
        }
        Found::At { start, end }
    }
}

/// `borders[i]` is the length of the longest proper prefix that ends the first `i + 1` bytes.
struct Prefixes {
    string: Box<[u8]>,
    borders: Box<[u16]>,
}

impl Prefixes {
    fn new(string: &[u8]) -> Self {
        let mut borders = vec![0u16; string.len()];
        let mut length = 0;
        for at in 1..string.len() {
            while length > 0 && string[at] != string[length] {
                length = usize::from(borders[length - 1]);
            }
            length += usize::from(string[at] == string[length]);
            borders[at] = length as u16;
        }
        Self { string: string.into(), borders: borders.into() }
    }

    /// The longest suffix of `text` that is a proper prefix.
    fn longest_at_end(&self, text: &[u8]) -> usize {
        let relevant = &text[text.len().saturating_sub(self.string.len() - 1)..];
        let mut length = 0;
        for &byte in relevant {
            // A proper prefix: `length` stays below.
            while length > 0 && byte != self.string[length] {
                length = usize::from(self.borders[length - 1]);
            }
            length += usize::from(byte == self.string[length]);
        }
        length
    }
}

/// An invalid set of strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StringSetError {
    /// No strings.
    Empty,
    /// An empty string.
    EmptyString {
        /// Its index.
        index: usize,
    },
    /// More than [`MAX_STRINGS`].
    TooMany,
    /// Longer than [`MAX_STRING_LENGTH`].
    TooLong {
        /// Its index.
        index: usize,
        /// Its bytes.
        length: usize,
    },
}

impl fmt::Display for StringSetError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => out.write_str("no separator strings"),
            Self::EmptyString { index } => write!(out, "separator string {} is empty", index + 1),
            Self::TooMany => write!(out, "more than {MAX_STRINGS} separator strings"),
            Self::TooLong { index, length } => {
                write!(
                    out,
                    "separator string {} has {length} bytes; the limit is {MAX_STRING_LENGTH}",
                    index + 1
                )
            }
        }
    }
}

impl std::error::Error for StringSetError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(strings: &[&str], text: &str, input: Input) -> Found {
        StringSet::new(strings).unwrap().find(text.as_bytes(), 0, input)
    }

    #[test]
    fn what_ends_first_wins_and_the_first_listed_of_those_that_end_together() {
        assert_eq!(
            find(&["a", "abc", "ab"], "xabcx", Input::Continues),
            Found::At { start: 1, end: 2 }
        );
        assert_eq!(find(&["abcd", "b"], "xabcd", Input::Continues), Found::At { start: 2, end: 3 });
        assert_eq!(
            find(&["bc", "c", "abc"], "xabc", Input::Continues),
            Found::At { start: 2, end: 4 }
        );
        assert_eq!(
            find(&["abc", "bc", "c"], "xabc", Input::Continues),
            Found::At { start: 1, end: 4 }
        );
    }

    #[test]
    fn crlf_precedes_its_lf_in_any_order() {
        for set in [["\n", "\r\n"], ["\r\n", "\n"], ["\n", "b\r\n"]] {
            let length = set.iter().map(|string| string.len()).max().unwrap();
            let found = Found::At { start: 4 - length, end: 4 };
            assert_eq!(find(&set, "ab\r\ncd", Input::Continues), found, "{set:?}");
        }
    }

    #[test]
    fn a_cr_that_an_lf_would_make_a_crlf_waits_for_what_follows() {
        let set = ["\r", "\r\n"];
        assert_eq!(find(&set, "a\r", Input::Continues), Found::NotYet { resume_from: 1 });
        assert_eq!(find(&set, "a\r", Input::Ends), Found::At { start: 1, end: 2 });
        assert_eq!(find(&set, "a\r\nb", Input::Continues), Found::At { start: 1, end: 3 });
        assert_eq!(find(&set, "a\rb", Input::Continues), Found::At { start: 1, end: 2 });
    }

    #[test]
    fn a_string_cut_by_the_end_of_the_text_is_searched_again() {
        assert_eq!(
            find(&["abcd", "x"], "-abc", Input::Continues),
            Found::NotYet { resume_from: 1 }
        );
        assert_eq!(find(&["abcd", "x"], "-abc", Input::Ends), Found::NotYet { resume_from: 4 });
    }

    #[test]
    fn the_reason_is_said_in_words() {
        let said = |error: StringSetError| error.to_string();
        assert_eq!(said(StringSetError::Empty), "no separator strings");
        assert_eq!(said(StringSetError::EmptyString { index: 0 }), "separator string 1 is empty");
        assert_eq!(said(StringSetError::TooMany), "more than 4095 separator strings");
        let long = StringSetError::TooLong { index: 1, length: 70_000 };
        assert_eq!(said(long), "separator string 2 has 70000 bytes; the limit is 65535");
    }

    #[test]
    fn bad_sets_are_refused_with_the_reason() {
        let error = |strings: Vec<String>| StringSet::new(strings).err().unwrap();
        assert_eq!(error(vec![]), StringSetError::Empty);
        assert_eq!(
            error(vec!["a".into(), String::new()]),
            StringSetError::EmptyString { index: 1 }
        );
        assert_eq!(error(vec!["ab".into(); 4096]), StringSetError::TooMany);
        assert_eq!(
            error(vec!["x".repeat(65_536)]),
            StringSetError::TooLong { index: 0, length: 65_536 }
        );
        assert!(StringSet::new(["x".repeat(65_535)]).is_ok());
    }
}
