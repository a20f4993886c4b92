//! The search behind `index`.

use crate::grapheme::is_byte_per_cluster;
use crate::{Unit, char_len, grapheme_len, length};
use memchr::memmem;

/// The position in characters, from 1, of the first `needle` in `haystack`; 0 if there is none. An
/// empty needle is at 1.
///
/// A match begins and ends at characters: a lone continuation byte is not found inside a character,
/// nor, in graphemes, `e` inside an `e` with a combining accent. Bytes are compared, not normal
/// forms.
///
/// ```
/// use riverhawk_text::{Unit, index};
/// assert_eq!(index("é€".as_bytes(), "€".as_bytes(), Unit::CodePoint), 2);
/// assert_eq!(index("€".as_bytes(), b"\x82", Unit::CodePoint), 0);
/// ```
#[inline]
pub fn index(haystack: &[u8], needle: &[u8], unit: Unit) -> usize {
    match (find(haystack, needle), unit) {
        (None, _) => 0,
        (Some(at), Unit::Byte) => at + 1,
        // Valid UTF-8 matches only at the start of characters.
        (Some(at), Unit::CodePoint)
            if needle.is_empty() || needle[0] & 0xC0 != 0x80 && !ends_open(needle) =>
        {
            length(&haystack[..at], Unit::CodePoint) + 1
        }
        (Some(at), Unit::CodePoint) => confirm(haystack, needle, at, char_len),
        (Some(at), Unit::Grapheme) if needle.is_empty() || is_byte_per_cluster(haystack) => at + 1,
        (Some(at), Unit::Grapheme) => confirm(haystack, needle, at, grapheme_len),
    }
}

/// Positions examined before a searcher is built.
const LOOKS: usize = 4;

pub(crate) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let Some(&first) = needle.first() else { return Some(0) };
    if needle.len() == 1 {
        return memchr::memchr(first, haystack);
    }
    let mut from = 0;
    for _ in 0..LOOKS {
        from += memchr::memchr(first, &haystack[from..])?;
        if haystack[from..].starts_with(needle) {
            return Some(from);
        }
        from += 1;
    }
    memmem::find(&haystack[from..], needle).map(|at| from + at)
}

/// The first match from byte `at` on that begins and ends at characters.
fn confirm(haystack: &[u8], needle: &[u8], at: usize, char_len: impl Fn(&[u8]) -> usize) -> usize {
    let finder = memmem::Finder::new(needle);
    let (mut start, mut count, mut from) = (0, 0, at);
    while let Some(found) = finder.find(&haystack[from..]) {
        let (match_start, match_end) = (from + found, from + found + needle.len());
        while start < match_start {
            start += char_len(&haystack[start..]);
            count += 1;
        }
        if start == match_start {
            let mut end = start;
            while end < match_end {
                end += char_len(&haystack[end..]);
            }
            if end == match_end {
                return count + 1;
            }
        }
        from = match_start + 1;
    }
    0
}

/// Whether the last bytes of `text` may be an incomplete character.
fn ends_open(text: &[u8]) -> bool {
    let tail = text.len().saturating_sub(3);
    (tail..text.len()).any(|at| text[at] >= 0xC0 && char_len(&text[at..]) == 1)
}

#[cfg(test)]
mod tests {
    use super::index;
    use crate::{Unit, chars};
    use proptest::prelude::*;

    fn naive(haystack: &[u8], needle: &[u8], unit: Unit) -> usize {
        let pieces: Vec<_> = chars(haystack, unit).collect();
        let wanted: Vec<_> = chars(needle, unit).collect();
        (0..=pieces.len()).find(|&at| pieces[at..].starts_with(&wanted)).map_or(0, |at| at + 1)
    }

    const PIECES: [&[u8]; 8] =
        [b"e", b"x", b"\xCC\x81", b"\r", b"\n", b"\xFF", "🇦".as_bytes(), "\u{200D}".as_bytes()];

    proptest! {
        #[test]
        fn finds_what_comparing_characters_finds(
            haystack in proptest::collection::vec(proptest::sample::select(b"a\xC3\xA9\xE2\x82\xAC\xFF".to_vec()), 0..16),
            needle in proptest::collection::vec(proptest::sample::select(b"a\xC3\xA9\xE2\x82\xAC".to_vec()), 0..4),
        ) {
            prop_assert_eq!(index(&haystack, &needle, Unit::CodePoint), naive(&haystack, &needle, Unit::CodePoint));
        }

        #[test]
        fn finds_what_comparing_graphemes_finds(
            haystack in proptest::collection::vec(proptest::sample::select(PIECES.to_vec()), 0..16),
            needle in proptest::collection::vec(proptest::sample::select(PIECES.to_vec()), 0..4),
        ) {
            let (haystack, needle) = (haystack.concat(), needle.concat());
            prop_assert_eq!(index(&haystack, &needle, Unit::Grapheme), naive(&haystack, &needle, Unit::Grapheme));
        }
    }

    #[test]
    fn answers_as_gawk_does() {
        let rows: [(&[u8], &[u8], usize); 13] = [
            (b"aaaaaaaaab", b"ab", 9),
            (b"aaaaaaaaaa", b"ab", 0),
            (b"abc", b"", 1),
            (b"", b"", 1),
            (b"", b"a", 0),
            (b"banana", b"nan", 3),
            ("é€".as_bytes(), "€".as_bytes(), 2),
            (b"\xE2\x82\xAC", b"\x82", 0),
            (b"a\xFFb", b"\xFF", 2),
            (b"a\xE2\x82b", b"\x82", 3),
            (b"\xE2\x82\xACx\x82", b"\x82", 3),
            (b"\x82\x82\xAC", b"\xAC", 3),
            (b"a\0b", b"\0", 2),
        ];
        for (haystack, needle, expected) in rows {
            assert_eq!(
                index(haystack, needle, Unit::CodePoint),
                expected,
                "{haystack:x?} {needle:x?}"
            );
        }
        assert_eq!(index("é€".as_bytes(), "€".as_bytes(), Unit::Byte), 3);
    }
}
