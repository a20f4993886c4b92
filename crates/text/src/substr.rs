//! `substr`.

use crate::{Unit, char_to_byte};
use std::ops::Range;

/// The byte range of `substr(text, start, length)`.
///
/// gawk's rules: a start below 1, or NaN, is 1 *without* shortening the length (`substr("hello",
/// -1, 3)` is `hel`); fractions are dropped; a length below 1, or NaN, gives nothing.
///
/// ```
/// use riverhawk_text::{Unit, substr_range};
/// assert_eq!(substr_range(b"hello", Unit::CodePoint, 2.9, Some(2.9)), 1..3);
/// assert_eq!(substr_range(b"hello", Unit::CodePoint, f64::NAN, None), 0..5);
/// ```
#[inline]
pub fn substr_range(text: &[u8], unit: Unit, start: f64, length: Option<f64>) -> Range<usize> {
    // Below these, conversions need no checks.
    const SMALL: std::ops::Range<f64> = 1.0..2_147_483_648.0;
    if unit == Unit::Byte
        && SMALL.contains(&start)
        && length.is_none_or(|length| SMALL.contains(&length))
    {
        let from = (start as i32 as usize - 1).min(text.len());
        let most = length.map_or(usize::MAX, |length| length as i32 as usize);
        return from..text.len().min(from.saturating_add(most));
    }
    other_range(text, unit, start, length)
}

#[inline(never)]
fn other_range(text: &[u8], unit: Unit, start: f64, length: Option<f64>) -> Range<usize> {
    if matches!(length, Some(length) if length.is_nan() || length < 1.0) {
        return 0..0;
    }
    let skipped = (start as usize).saturating_sub(1);
    let from = char_to_byte(text, unit, skipped);
    let to = match length {
        None => text.len(),
        Some(length) => from + char_to_byte(&text[from..], unit, length as usize),
    };
    from..to
}

#[cfg(test)]
mod tests {
    use super::substr_range;
    use crate::Unit;

    /// Recorded from gawk 5.2: a row per start, a column per length.
    const LENGTHS: [f64; 11] =
        [0.0, 0.49, 0.5, 1.0, 1.5, 2.5, 3.0, 7.0, -1.0, f64::INFINITY, f64::NEG_INFINITY];
    const ROWS: [(f64, &str, &str); 20] = [
        (0.0, "hello", "- - - h h he hel hello - hello -"),
        (-1.0, "hello", "- - - h h he hel hello - hello -"),
        (1.0, "hello", "- - - h h he hel hello - hello -"),
        (1.5, "hello", "- - - h h he hel hello - hello -"),
        (1.4999, "hello", "- - - h h he hel hello - hello -"),
        (0.5, "hello", "- - - h h he hel hello - hello -"),
        (-0.5, "hello", "- - - h h he hel hello - hello -"),
        (2.5, "ello", "- - - e e el ell ello - ello -"),
        (3.5, "llo", "- - - l l ll llo llo - llo -"),
        (4.5, "lo", "- - - l l lo lo lo - lo -"),
        (5.0, "o", "- - - o o o o o - o -"),
        (5.5, "o", "- - - o o o o o - o -"),
        (6.0, "-", "- - - - - - - - - - -"),
        (1e300, "-", "- - - - - - - - - - -"),
        (-1e300, "hello", "- - - h h he hel hello - hello -"),
        (2147483648.0, "-", "- - - - - - - - - - -"),
        (9.3e18, "-", "- - - - - - - - - - -"),
        (f64::NAN, "hello", "- - - h h he hel hello - hello -"),
        (f64::INFINITY, "-", "- - - - - - - - - - -"),
        (f64::NEG_INFINITY, "hello", "- - - h h he hel hello - hello -"),
    ];

    #[test]
    fn cuts_what_gawk_cuts() {
        for (start, open, columns) in ROWS {
            let cut = |length| {
                let text = &"hello"[substr_range(b"hello", Unit::CodePoint, start, length)];
                if text.is_empty() { "-".to_owned() } else { text.to_owned() }
            };
            assert_eq!(cut(None), open, "substr(\"hello\", {start})");
            for (length, expected) in LENGTHS.iter().zip(columns.split(' ')) {
                assert_eq!(cut(Some(*length)), expected, "substr(\"hello\", {start}, {length})");
            }
            assert_eq!(cut(Some(f64::NAN)), "-");
            assert_eq!(cut(Some(1e300)), open);
        }
    }

    #[test]
    fn counts_code_points_and_broken_bytes() {
        let cut = |text: &'static [u8], start, length| {
            &text[substr_range(text, Unit::CodePoint, start, Some(length))]
        };
        assert_eq!(cut("aéi€u".as_bytes(), 2.0, 3.0), "éi€".as_bytes());
        assert_eq!(cut(b"\xE2\x82Ab", 2.0, 1.0), b"\x82");
        assert_eq!(cut(b"a\xFFb", 2.0, 1.0), b"\xFF");
        assert_eq!(&b"\xC3\xA9"[substr_range(b"\xC3\xA9", Unit::Byte, 2.0, None)], b"\xA9");
    }
}
