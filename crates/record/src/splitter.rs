//! Splitting text: FS and the separator of `split`.

use crate::patterns::error::PatternError;
use crate::table::TableFormat;
use crate::widths::Widths;
use memchr::memmem::Finder;
use riverhawk_memory as memory;
use riverhawk_regex::{Options, Regex};
use riverhawk_simd::{
    FINISHED, is_ascii, split_blanks, split_byte, split_members, split_pair, split_runs,
};
use riverhawk_text::Unit;
use std::rc::Rc;

/// A way to split text into fields.
#[derive(Clone)]
pub enum Splitter {
    /// At runs of blanks, not counting the ends (a single space).
    Blanks,
    /// At each such byte.
    Byte(u8),
    /// At each occurrence of these two bytes.
    Pair([u8; 2]),
    /// At each occurrence of a longer text.
    Literal(Rc<Finder<'static>>),
    /// At each match that is not empty.
    Regex(Rc<Regex>),
    /// After every character (the empty string).
    Characters(Unit),
    /// As a table's row, without interpreting quotes or escapes.
    Row(TableFormat),
    /// By position (FIELDWIDTHS).
    Widths(Rc<Widths>),
    /// Into the matches (FPAT).
    Fields(Rc<Regex>),
}

/// What a newline in a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Newlines {
    /// Text.
    Text,
    /// A separator too, unless FS is a regex: in paragraph mode.
    Separate,
}

impl Splitter {
    /// By FS.
    pub fn new(
        separator: &[u8],
        newlines: Newlines,
        options: &Options,
        unit: Unit,
    ) -> Result<Splitter, PatternError> {
        let single = |byte: u8| match byte {
            b' ' => Splitter::Blanks,
            byte => Splitter::Byte(byte),
        };
        match separator {
            [] => Ok(Splitter::Characters(unit)),
            // Blanks include newlines.
            [b' '] => Ok(Splitter::Blanks),
            [byte] if newlines == Newlines::Text && (*byte < 0x80 || unit == Unit::Byte) => {
                Ok(single(*byte))
            }
            [byte] => {
                let mut pattern =
                    if byte.is_ascii_punctuation() { vec![b'\\', *byte] } else { vec![*byte] };
                if newlines == Newlines::Separate {
                    pattern.extend_from_slice(b"|\n");
                }
                // IGNORECASE never applies to a separator of one character.
                Splitter::regex(&pattern, &Options { ignore_case: false, ..*options })
            }
            pattern => Splitter::regex(pattern, options),
        }
    }

    /// An empty FS without gawk's extensions.
    pub fn whole(newlines: Newlines, options: &Options) -> Result<Splitter, PatternError> {
        match newlines {
            // Never matches.
            Newlines::Text => Splitter::regex(b".^", options),
            Newlines::Separate => Ok(Splitter::Byte(b'\n')),
        }
    }

    fn regex(pattern: &[u8], options: &Options) -> Result<Splitter, PatternError> {
        let regex =
            Regex::new(pattern, options).map_err(|error| PatternError::new(pattern, &error))?;
        Ok(Splitter::of_regex(Rc::new(regex)))
    }

    /// A regex of a single character is that character, as in gawk.
    pub fn of_typed(regex: Rc<Regex>, unit: Unit) -> Splitter {
        match *regex.pattern() {
            [] => Splitter::Characters(unit),
            [byte] if byte < 0x80 || unit == Unit::Byte => Splitter::Byte(byte),
            _ => Splitter::of_regex(regex),
        }
    }

    pub(crate) fn of_regex(regex: Rc<Regex>) -> Splitter {
        match regex.single_byte().and_then(|set| set.only()) {
            Some(byte) => Splitter::Byte(byte),
            None => match regex.literal() {
                Some(&[first, second]) => Splitter::Pair([first, second]),
                Some(literal) => Splitter::Literal(Rc::new(Finder::new(literal).into_owned())),
                None => Splitter::Regex(regex),
            },
        }
    }

    /// Appends up to `wanted` ranges from `from_at` on; returns where to resume, or [`FINISHED`].
    #[inline]
    pub fn split(
        &self,
        text: &[u8],
        from_at: usize,
        wanted: usize,
        out: &mut Vec<(u32, u32)>,
    ) -> usize {
        match self {
            Splitter::Blanks => {
                let resume_at = split_blanks(text, from_at, wanted, out);
                if resume_at >= text.len() { FINISHED } else { resume_at }
            }
            Splitter::Byte(byte) => split_byte(text, *byte, from_at, wanted, out),
            Splitter::Pair(pair) => split_pair(text, *pair, from_at, wanted, out),
            Splitter::Literal(literal) => split_literal(literal, text, from_at, wanted, out),
            Splitter::Regex(regex) => split_regex(regex, text, from_at, wanted, out),
            Splitter::Characters(unit) => split_characters(*unit, text, from_at, wanted, out),
            Splitter::Row(format) => format.split(text, from_at, wanted, out).0,
            Splitter::Widths(widths) => widths.split(text, from_at, wanted, out),
            Splitter::Fields(regex) => find_fields(regex, text, from_at, wanted, out),
        }
    }

    /// As [`Splitter::split`] for a long text; [`FINISHED`] if memory has run out.
    #[inline]
    pub fn split_some(
        &self,
        text: &[u8],
        from_at: usize,
        wanted: usize,
        out: &mut Vec<(u32, u32)>,
    ) -> usize {
        const LONG: usize = 64 << 10;
        const AT_ONCE: usize = 1 << 16;
        if text.len() < LONG {
            return self.split(text, from_at, wanted, out);
        }
        if memory::ran_out() {
            return FINISHED;
        }
        let wanted = wanted.min(AT_ONCE);
        // A kernel may write more ranges than it keeps.
        let is_there = memory::grow(out, wanted + 64);
        if is_there { self.split(text, from_at, wanted, out) } else { FINISHED }
    }

    /// As [`Splitter::split`] to the end, with the separators between fields.
    pub fn split_keeping(
        &self,
        text: &[u8],
        fields: &mut Vec<(u32, u32)>,
        between: &mut Vec<(u32, u32)>,
    ) {
        let mut at = 0;
        while at != FINISHED {
            at = self.split_some(text, at, usize::MAX, fields);
        }
        if !memory::grow_exactly(between, fields.len()) {
            return;
        }
        between.extend(fields.windows(2).map(|pair| (pair[0].1, pair[1].0)));
    }
}

#[inline(never)]
fn split_literal(
    literal: &Finder<'_>,
    text: &[u8],
    from_at: usize,
    wanted: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    if text.is_empty() {
        return FINISHED;
    }
    let mut start = from_at;
    for _ in 0..wanted {
        let Some(found) = literal.find(&text[start..]) else {
            out.push((start as u32, text.len() as u32));
            return FINISHED;
        };
        out.push((start as u32, (start + found) as u32));
        start += found + literal.needle().len();
    }
    start
}

#[inline(never)]
fn split_regex(
    regex: &Regex,
    text: &[u8],
    from_at: usize,
    wanted: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    if text.is_empty() {
        return FINISHED;
    }
    // To look at a long text again for each of its pieces would take the square of its length.
    let is_ascii = || text.len() / 64 <= wanted.max(64) && is_ascii(text);
    if let Some(set) = regex.byte_runs(is_ascii) {
        return split_runs(text, set.class(), from_at, wanted, out);
    }
    if let Some(set) = regex.single_bytes(is_ascii) {
        return split_members(text, set.class(), from_at, wanted, out);
    }
    let mut start = from_at;
    let first = out.len();
    // An empty match does not separate.
    let separators = regex.matches_from(text, from_at).filter(|found| !found.is_empty());
    for separator in separators.take(wanted) {
        out.push((start as u32, separator.start as u32));
        start = separator.end;
    }
    if out.len() - first == wanted {
        return start;
    }
    out.push((start as u32, text.len() as u32));
    FINISHED
}

/// As for gsub, an empty match directly after another does not count; as in gawk each search sees
/// only the rest, so `^` matches again.
#[inline(never)]
fn find_fields(
    regex: &Regex,
    text: &[u8],
    from_at: usize,
    wanted: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    if text.is_empty() {
        return FINISHED;
    }
    let mut at = from_at;
    let mut last_end = out.last().map(|&(_, end)| end as usize);
    let mut found = 0;
    while found < wanted && at <= text.len() {
        let Some(field) = regex.find(&text[at..]) else { return FINISHED };
        let (start, end) = (at + field.start, at + field.end);
        at = if field.is_empty() { end + text.get(end..).map_or(1, character_length) } else { end };
        if field.is_empty() && last_end == Some(start) {
            continue;
        }
        out.push((start as u32, end as u32));
        last_end = Some(end);
        found += 1;
    }
    if at > text.len() { FINISHED } else { at }
}

/// Length of a valid UTF-8 sequence, else 1.
pub fn character_length(text: &[u8]) -> usize {
    let length = match text.first() {
        Some(0xC2..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF4) => 4,
        _ => return 1,
    };
    match text.get(..length).map(std::str::from_utf8) {
        Some(Ok(_)) => length,
        _ => 1,
    }
}

fn split_characters(
    unit: Unit,
    text: &[u8],
    from_at: usize,
    wanted: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    let mut at = from_at;
    for _ in 0..wanted {
        if at >= text.len() {
            return FINISHED;
        }
        let length = match unit {
            Unit::Byte => 1,
            Unit::CodePoint => character_length(&text[at..]),
            Unit::Grapheme => riverhawk_text::grapheme_len(&text[at..]),
        };
        if !memory::push(out, (at as u32, (at + length) as u32)) {
            return FINISHED;
        }
        at += length;
    }
    if at >= text.len() { FINISHED } else { at }
}

#[cfg(test)]
#[path = "splitter_tests.rs"]
mod tests;
