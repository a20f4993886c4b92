//! The naive twins: the reference of the tests, and the implementation without a kernel.

use crate::byte_class::ByteClass;
use crate::byte_table::{ByteOrder, ByteTable};
use crate::field_loops::FINISHED;
use crate::quoting::{self, QuoteState, QuotedSplit, Quoting};
use crate::valid::validate_utf8;

/// See [`Occurrences`](crate::Occurrences).
pub(crate) fn mark_pair(text: &[u8], first: u8, second: u8, distance: usize, marks: &mut [u64]) {
    for (block, word) in marks.iter_mut().enumerate().take(text.len().div_ceil(64)) {
        *word = (0..64).fold(0, |word, bit| {
            let at = 64 * block + bit;
            let hit = text.get(at) == Some(&first) && text.get(at + distance) == Some(&second);
            word | u64::from(hit) << bit
        });
    }
}

/// Twin of [`crate::mark_byte`].
pub fn mark_byte(text: &[u8], needle: u8, marks: &mut [u64], non_ascii: &mut [u64]) {
    for (block_at, block) in text.chunks(64).enumerate() {
        let mut mark = 0;
        for (i, &byte) in block.iter().enumerate() {
            mark |= u64::from(byte == needle) << i;
        }
        marks[block_at] = mark;
        let bit = 1 << (block_at % 64);
        if block.is_ascii() {
            non_ascii[block_at / 64] &= !bit;
        } else {
            non_ascii[block_at / 64] |= bit;
        }
    }
}

/// Twin of [`crate::gather_places`], without slack.
pub fn gather_places(marks: &[u64], places: &mut [u16]) -> usize {
    let bits = (0..64 * marks.len()).filter(|at| marks[at / 64] >> (at % 64) & 1 == 1);
    let mut count = 0;
    for at in bits {
        places[count] = at as u16;
        count += 1;
    }
    count
}

/// Twin of [`crate::rank_places`].
pub fn rank_places(marks: &[u64], places: &[u16], ranks: &mut [u16]) -> usize {
    let is_set = |&at: &usize| marks[at / 64] >> (at % 64) & 1 == 1;
    for (&place, rank) in places.iter().zip(ranks) {
        *rank = (0..usize::from(place)).filter(is_set).count() as u16;
    }
    (0..64 * marks.len()).filter(is_set).count()
}

/// Twin of [`crate::mark_code_points`].
pub fn mark_code_points(before: &[u8], text: &[u8], marks: &mut [u64]) -> bool {
    for (block, word) in text.chunks(64).zip(marks) {
        *word = block
            .iter()
            .enumerate()
            .fold(0, |word, (i, &byte)| word | u64::from(byte & 0xC0 != 0x80) << i);
    }
    let missing = missing_behind(before);
    let (end, rest) = text.split_at(missing.min(text.len()));
    let mut begun = before[before.len().saturating_sub(3)..].to_vec();
    match begun.iter().rposition(|&byte| byte >= 0xC0) {
        Some(at) if missing > 0 => drop(begun.drain(..at)),
        _ => begun.clear(),
    }
    begun.extend_from_slice(end);
    is_valid_so_far(&begun) && is_valid_so_far(rest)
}

/// How many bytes the last code point of `text` still lacks.
pub(crate) fn missing_behind(text: &[u8]) -> usize {
    let lacks = |(has, &byte): (usize, &u8)| match byte {
        0xC0..0xE0 => 1usize.checked_sub(has),
        0xE0..0xF0 => 2usize.checked_sub(has),
        0xF0.. => 3usize.checked_sub(has),
        _ => None,
    };
    text[text.len().saturating_sub(3)..].iter().rev().enumerate().find_map(lacks).unwrap_or(0)
}

/// Valid UTF-8, or the beginning of it.
fn is_valid_so_far(text: &[u8]) -> bool {
    validate_utf8(text).map_or_else(|error| error.broken.is_none(), |_| true)
}

/// Twin of [`crate::count_byte`].
pub fn count_byte(text: &[u8], needle: u8) -> usize {
    text.iter().filter(|&&byte| byte == needle).count()
}

/// Twin of [`crate::first_not_below`].
pub fn first_not_below(text: &[u8], limit: u8, except: u8) -> Option<usize> {
    text.iter().position(|&byte| byte >= limit || byte == except)
}

/// Twin of [`crate::count_code_points`].
pub fn count_code_points(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| !(0x80..0xC0).contains(&byte)).count()
}

/// Twin of [`crate::split_blanks`].
pub fn split_blanks(
    text: &[u8],
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    let mut at = from_at.min(text.len());
    for _ in 0..max_fields {
        while at < text.len() && is_blank(text[at]) {
            at += 1;
        }
        if at == text.len() {
            break;
        }
        let start = at;
        while at < text.len() && !is_blank(text[at]) {
            at += 1;
        }
        out.push((start as u32, at as u32));
    }
    at
}

/// Twin of [`crate::find_blank_field`].
pub fn find_blank_field(text: &[u8], before: usize) -> Option<(u32, u32)> {
    let mut fields = Vec::new();
    split_blanks(text, 0, before.saturating_add(1), &mut fields);
    fields.get(before).copied()
}

/// Twin of [`crate::find_byte_field`].
pub fn find_byte_field(text: &[u8], separator: u8, before: usize) -> Option<(u32, u32)> {
    let mut fields = Vec::new();
    split_byte(text, separator, 0, before.saturating_add(1), &mut fields);
    fields.get(before).copied()
}

/// Twin of [`crate::split_byte`].
pub fn split_byte(
    text: &[u8],
    separator: u8,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    split_at_first(text, from_at, max_fields, out, |rest| {
        Some((rest.iter().position(|&byte| byte == separator)?, 1))
    })
}

/// Twin of [`crate::split_pair`].
pub fn split_pair(
    text: &[u8],
    pair: [u8; 2],
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    split_at_first(text, from_at, max_fields, out, |rest| {
        Some((rest.windows(2).position(|bytes| bytes == pair)?, 2))
    })
}

/// Twin of [`crate::mask_of_members`].
pub fn mask_of_members(text: &[u8], at: usize, class: &ByteClass) -> u64 {
    let block = text.get(at..).unwrap_or_default().iter().take(64).enumerate();
    block.fold(0, |mask, (i, &byte)| mask | u64::from(class.contains(byte)) << i)
}

/// Twin of [`crate::split_members`].
pub fn split_members(
    text: &[u8],
    class: &ByteClass,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    split_at_first(text, from_at, max_fields, out, |rest| {
        Some((rest.iter().position(|&byte| class.contains(byte))?, 1))
    })
}

/// Twin of [`crate::split_runs`].
pub fn split_runs(
    text: &[u8],
    class: &ByteClass,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    split_at_first(text, from_at, max_fields, out, |rest| {
        let at = rest.iter().position(|&byte| class.contains(byte))?;
        Some((at, rest[at..].iter().take_while(|&&byte| class.contains(byte)).count()))
    })
}

/// `separator` gives the start and the length of the first one.
fn split_at_first(
    text: &[u8],
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
    separator: impl Fn(&[u8]) -> Option<(usize, usize)>,
) -> usize {
    if text.is_empty() || from_at > text.len() {
        return FINISHED;
    }
    let mut start = from_at;
    for _ in 0..max_fields {
        let Some((at, length)) = separator(&text[start..]) else {
            out.push((start as u32, text.len() as u32));
            return FINISHED;
        };
        out.push((start as u32, (start + at) as u32));
        start += at + length;
    }
    start
}

/// Twin of [`crate::count_blank_fields`].
pub fn count_blank_fields(text: &[u8]) -> usize {
    text.split(|&byte| is_blank(byte)).filter(|field| !field.is_empty()).count()
}

/// Whether the byte is a blank of awk's default splitting: space, tab or newline, as in gawk.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}

/// Twin of [`crate::mark_rows`].
pub fn mark_rows(
    text: &[u8],
    quoting: Quoting,
    state: &mut QuoteState,
    marks: &mut [u64],
    non_ascii: &mut [u64],
) {
    // Only the flags are kept.
    mark_byte(text, b'\n', marks, non_ascii);
    for (word, block) in marks.iter_mut().zip(text.chunks(64)) {
        for (i, &byte) in block.iter().enumerate() {
            if state.in_quotes {
                *word &= !(1 << i);
            }
            state.in_quotes ^= byte == quoting.quote;
        }
    }
}

/// Twin of [`crate::split_quoted`], with an exact `is_literal`.
pub fn split_quoted(
    text: &[u8],
    quoting: Quoting,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> QuotedSplit {
    quoting::split_irregular(text, quoting, from_at, max_fields, out)
}

/// Twin of [`crate::widen_bytes`].
pub fn widen_bytes(input: &[u8], table: &ByteTable, out: &mut Vec<u8>) -> usize {
    for (at, &byte) in input.iter().enumerate() {
        let (utf8, length) = table.utf8(byte);
        if length == 0 {
            return at;
        }
        out.extend_from_slice(&utf8[..length]);
    }
    input.len()
}

/// Twin of [`crate::widen_utf16`].
pub fn widen_utf16(input: &[u8], order: ByteOrder, out: &mut Vec<u8>) -> usize {
    let (pairs, _) = input.as_chunks::<2>();
    let units = pairs.iter().map(|pair| match order {
        ByteOrder::Little => u16::from_le_bytes(*pair),
        ByteOrder::Big => u16::from_be_bytes(*pair),
    });
    let mut consumed = 0;
    for character in char::decode_utf16(units) {
        let Ok(character) = character else { break };
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        consumed += 2 * character.len_utf16();
    }
    consumed
}
