//! Upper and lower case that maps each code point to one code point.

use crate::code_point::first_code_point;
use crate::{Unit, char_len, to_lower_full, to_upper_full};
use riverhawk_memory::{self as memory, Growing};

/// Appends `text` in upper case, as `toupper` does. Every code point becomes one code point, so `ß`
/// stays; broken bytes stay too. In bytes only ASCII letters change; in graphemes,
/// [`to_upper_full`] applies.
///
/// ```
/// use riverhawk_text::{Unit, to_upper};
/// let mut out = Vec::new();
/// to_upper("straße é".as_bytes(), Unit::CodePoint, &mut out);
/// assert_eq!(out, "STRAßE É".as_bytes());
/// ```
pub fn to_upper(text: &[u8], unit: Unit, out: &mut Vec<u8>) {
    match unit {
        Unit::Grapheme => to_upper_full(text, out),
        _ => map(text, unit, out, <[u8]>::make_ascii_uppercase, upper),
    }
}

/// Appends `text` in lower case, as `tolower` does; otherwise as [`to_upper`].
pub fn to_lower(text: &[u8], unit: Unit, out: &mut Vec<u8>) {
    match unit {
        Unit::Grapheme => to_lower_full(text, out),
        _ => map(text, unit, out, <[u8]>::make_ascii_lowercase, lower),
    }
}

fn map(
    text: &[u8],
    unit: Unit,
    out: &mut Vec<u8>,
    ascii: impl Fn(&mut [u8]),
    other: impl Fn(char) -> char,
) {
    let start = out.len();
    if unit == Unit::Byte || riverhawk_simd::is_ascii(text) {
        out.extend_by(text);
        ascii(&mut out[start..]);
        return;
    }
    if !memory::grow(out, text.len()) {
        return;
    }
    let mut rest = text;
    // Asked for every plain run: a run that is to end does not wait for a long text.
    while !rest.is_empty() && !memory::ran_out() {
        let plain = rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        out.extend_by(&rest[..plain]);
        rest = &rest[plain..];
        if let Some((c, len)) = first_code_point(rest) {
            out.extend_by(other(c).encode_utf8(&mut [0; 4]).as_bytes());
            rest = &rest[len..];
        } else {
            let (broken, after) = rest.split_at(char_len(rest));
            out.extend_by(broken);
            rest = after;
        }
    }
    ascii(&mut out[start..]);
}

/// The simple upper case of `c`: the full mapping if it is a single code point. Otherwise only the
/// Greek letters with iota subscript have one, their title case. Agrees with glibc 2.36's
/// `towupper`.
fn upper(c: char) -> char {
    let mut full = c.to_uppercase();
    match (full.next(), full.next()) {
        (Some(single), None) => single,
        _ => match c {
            '\u{1F80}'..='\u{1F87}' | '\u{1F90}'..='\u{1F97}' | '\u{1FA0}'..='\u{1FA7}' => {
                offset(c, 8)
            }
            '\u{1FB3}' | '\u{1FC3}' | '\u{1FF3}' => offset(c, 9),
            _ => c,
        },
    }
}

/// The simple lower case of `c`. It differs from the full one only for İ.
fn lower(c: char) -> char {
    let mut full = c.to_lowercase();
    match (full.next(), full.next()) {
        (Some(single), None) => single,
        _ if c == '\u{130}' => 'i',
        _ => c,
    }
}

fn offset(c: char, by: u32) -> char {
    char::from_u32(u32::from(c) + by).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::{lower, to_lower, to_upper, upper};
    use crate::{Unit, length};

    fn both(text: &[u8], unit: Unit) -> (Vec<u8>, Vec<u8>) {
        let (mut up, mut low) = (Vec::new(), Vec::new());
        to_upper(text, unit, &mut up);
        to_lower(text, unit, &mut low);
        (up, low)
    }

    #[test]
    fn changes_what_gawk_changes() {
        let rows = [
            ("aéß ÿıſ", "AÉß ŸIS", "aéß ÿıſ"),
            ("AÉİΣẞK", "AÉİΣẞK", "aéiσßk"),
            ("ǆ ǅ ŉ", "Ǆ Ǆ ŉ", "ǆ ǆ ŉ"),
            ("ᾀᾗᾧᾳῃῳ ᾈ", "ᾈᾟᾯᾼῌῼ ᾈ", "ᾀᾗᾧᾳῃῳ ᾀ"),
            ("ﬁ ǰ ΐ", "ﬁ ǰ ΐ", "ﬁ ǰ ΐ"),
            ("привет 𐐨𐐀 漢", "ПРИВЕТ 𐐀𐐀 漢", "привет 𐐨𐐨 漢"),
        ];
        for (text, up, low) in rows {
            let expected = (up.as_bytes().to_vec(), low.as_bytes().to_vec());
            assert_eq!(both(text.as_bytes(), Unit::CodePoint), expected, "{text}");
        }
    }

    #[test]
    fn broken_bytes_stay_and_bytes_know_ascii_only() {
        assert_eq!(
            both(b"a\xFF\xE2\x82Z", Unit::CodePoint),
            (b"A\xFF\xE2\x82Z".to_vec(), b"a\xFF\xE2\x82z".to_vec())
        );
        assert_eq!(
            both("aéZ".as_bytes(), Unit::Byte),
            ("AéZ".as_bytes().to_vec(), "aéz".as_bytes().to_vec())
        );
    }

    #[test]
    fn every_code_point_stays_one_code_point_and_ascii_stays_ascii() {
        for c in '\0'..=char::MAX {
            let text = c.to_string();
            let (up, low) = both(text.as_bytes(), Unit::CodePoint);
            assert_eq!(
                (length(&up, Unit::CodePoint), length(&low, Unit::CodePoint)),
                (1, 1),
                "{c:?}"
            );
            if c.is_ascii() {
                assert_eq!((upper(c), lower(c)), (c.to_ascii_uppercase(), c.to_ascii_lowercase()));
            }
        }
    }
}
