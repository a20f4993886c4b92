//! Counts and positions in characters.

use crate::Unit;
use crate::code_point::char_len;
use crate::grapheme::{grapheme_count, skip_clusters};
use crate::valid::stretches;
use riverhawk_simd::{count_code_points, validate_utf8};

const BLOCK: usize = 64;

/// How many characters `text` has.
///
/// ```
/// use riverhawk_text::{Unit, length};
/// assert_eq!(length("naïve".as_bytes(), Unit::CodePoint), 5);
/// ```
#[inline]
pub fn length(text: &[u8], unit: Unit) -> usize {
    match unit {
        Unit::Byte => text.len(),
        Unit::CodePoint if riverhawk_simd::is_ascii(text) => text.len(),
        Unit::CodePoint => count_mixed(text),
        Unit::Grapheme => grapheme_count(text),
    }
}

fn count_mixed(text: &[u8]) -> usize {
    stretches(text).map(|(valid, broken)| count_code_points(valid.as_bytes()) + broken.len()).sum()
}

/// The byte where character `n` (from 0) begins, or the end of `text`.
///
/// ```
/// use riverhawk_text::{Unit, char_to_byte};
/// assert_eq!(char_to_byte("aéz".as_bytes(), Unit::CodePoint, 2), 3);
/// ```
#[inline]
pub fn char_to_byte(text: &[u8], unit: Unit, n: usize) -> usize {
    if unit == Unit::Byte || n >= text.len() {
        return n.min(text.len());
    }
    if unit == Unit::Grapheme {
        return skip_clusters(text, n);
    }
    // If these bytes are ASCII, the answer is n.
    if riverhawk_simd::is_ascii(&text[..n]) {
        return n;
    }
    skip_mixed(text, n)
}

fn skip_mixed(text: &[u8], n: usize) -> usize {
    let (mut at, mut left) = (0, n);
    // Skips whole blocks while they cannot have too many characters.
    while left >= BLOCK && text.len() - at > BLOCK {
        let mut len = BLOCK;
        while len > BLOCK - 4 && text[at + len] & 0xC0 == 0x80 {
            len -= 1;
        }
        let block = &text[at..at + len];
        if validate_utf8(block).is_err() {
            break;
        }
        left -= count_code_points(block);
        at += len;
    }
    while left > 0 && at < text.len() {
        match text[at..].first_chunk::<8>() {
            Some(chunk) if left >= 8 && u64::from_le_bytes(*chunk) & 0x8080_8080_8080_8080 == 0 => {
                at += 8;
                left -= 8;
            }
            _ => {
                at += char_len(&text[at..]);
                left -= 1;
            }
        }
    }
    at
}

/// How many characters begin before byte `at` of `text`.
///
/// `at` must be where a character begins, or the end.
#[inline]
pub fn byte_to_char(text: &[u8], unit: Unit, at: usize) -> usize {
    length(&text[..at.min(text.len())], unit)
}

#[cfg(test)]
mod tests {
    use super::{byte_to_char, char_to_byte, length};
    use crate::{Unit, char_len};
    use proptest::prelude::*;

    fn starts(text: &[u8]) -> Vec<usize> {
        let mut starts = vec![0];
        while *starts.last().unwrap() < text.len() {
            let at = *starts.last().unwrap();
            starts.push(at + char_len(&text[at..]));
        }
        starts
    }

    pub(crate) fn texts() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            4 => "[a-z]{0,40}".prop_map(String::into_bytes),
            4 => "[äß€漢😀]{0,40}".prop_map(String::into_bytes),
            1 => proptest::collection::vec(0x80u8.., 0..5),
        ];
        proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn counting_and_positions_agree_with_one_character_after_the_other(text in texts()) {
            let starts = starts(&text);
            prop_assert_eq!(length(&text, Unit::CodePoint), starts.len() - 1);
            for (n, &at) in starts.iter().enumerate() {
                prop_assert_eq!(char_to_byte(&text, Unit::CodePoint, n), at);
                prop_assert_eq!(byte_to_char(&text, Unit::CodePoint, at), n);
            }
            prop_assert_eq!(char_to_byte(&text, Unit::CodePoint, usize::MAX), text.len());
            prop_assert_eq!(length(&text, Unit::Byte), text.len());
        }
    }

    #[test]
    fn broken_bytes_count_one_by_one_as_in_gawk() {
        let rows: [(&[u8], usize); 9] = [
            (b"\xE2\x82A", 3),
            (b"\xE2\x82", 2),
            (b"\xED\xA0\x80", 3),
            (b"\xC0\x80", 2),
            (b"\xE0\x80\x80", 3),
            (b"\xC2\xC2\xA9", 2),
            (b"\xE2\x82\xE2\x82\xAC", 3),
            (b"\x80\x80", 2),
            (b"\xF0\x9F\x98x", 4),
        ];
        for (text, expected) in rows {
            assert_eq!(length(text, Unit::CodePoint), expected, "{text:x?}");
        }
    }
}
