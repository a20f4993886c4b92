//! Full case mapping, and case folding.
//!
//! Full mappings need context: `ß` in upper case is `SS`, `Σ` in lower case is `ς` at the end of a
//! word. They may change the number of code points, so awk's functions
//! ([`to_upper`](crate::to_upper)) use the simple ones. Locale: root.
//!
//! The result is not normalised ([`normalize`](crate::normalize)): `ΐ` in upper case is three code
//! points.
//!
//! Broken bytes stay, and end a word.

use crate::valid::stretches;
use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use icu_locale_core::LanguageIdentifier;
use riverhawk_memory::{self as memory, Growing};
use std::borrow::Cow;

const MAPPER: CaseMapperBorrowed<'static> = CaseMapper::new();
const ROOT: LanguageIdentifier = LanguageIdentifier::UNKNOWN;

/// Appends `text` in upper case by the full mapping.
///
/// ```
/// let mut out = Vec::new();
/// riverhawk_text::to_upper_full("straße".as_bytes(), &mut out);
/// assert_eq!(out, b"STRASSE");
/// ```
pub fn to_upper_full(text: &[u8], out: &mut Vec<u8>) {
    map(text, out, <[u8]>::make_ascii_uppercase, |text| MAPPER.uppercase_to_string(text, &ROOT));
}

/// Appends `text` in lower case by the full mapping.
///
/// ```
/// let mut out = Vec::new();
/// riverhawk_text::to_lower_full("ΧΆΟΣ ΣΤΗ".as_bytes(), &mut out);
/// assert_eq!(out, "χάος στη".as_bytes());
/// ```
pub fn to_lower_full(text: &[u8], out: &mut Vec<u8>) {
    map(text, out, <[u8]>::make_ascii_lowercase, |text| MAPPER.lowercase_to_string(text, &ROOT));
}

/// Case folding, for comparisons that ignore case. Normalise before and after if the texts may be
/// spelled differently.
///
/// ```
/// use riverhawk_text::fold_case;
/// assert_eq!(fold_case("Maße".as_bytes()), fold_case("MASSE".as_bytes()));
/// assert!(matches!(fold_case(b"plain"), std::borrow::Cow::Borrowed(_)));
/// ```
pub fn fold_case(text: &[u8]) -> Cow<'_, [u8]> {
    if riverhawk_simd::is_ascii(text) {
        return match text.iter().any(u8::is_ascii_uppercase) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
    }
    let mut out = Vec::with_capacity(text.len());
    map(text, &mut out, <[u8]>::make_ascii_lowercase, |text| MAPPER.fold_string(text));
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

fn map(
    text: &[u8],
    out: &mut Vec<u8>,
    ascii: impl Fn(&mut [u8]),
    full: impl Fn(&str) -> Cow<'_, str>,
) {
    let start = out.len();
    if riverhawk_simd::is_ascii(text) {
        out.extend_by(text);
        ascii(&mut out[start..]);
        return;
    }
    if !memory::grow(out, text.len()) {
        return;
    }
    for (valid, broken) in stretches(text) {
        out.extend_by(full(valid).as_bytes());
        out.extend_by(broken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Unit, grapheme_count, to_lower, to_upper};

    fn upper(text: &str) -> String {
        let mut out = Vec::new();
        to_upper(text.as_bytes(), Unit::Grapheme, &mut out);
        String::from_utf8(out).unwrap()
    }

    fn lower(text: &str) -> String {
        let mut out = Vec::new();
        to_lower(text.as_bytes(), Unit::Grapheme, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn graphemes_change_case_in_full() {
        assert_eq!(upper("ﬁne ß ŉ ǰ ΐ"), "FINE SS ʼN J\u{30C} Ι\u{308}\u{301}");
        assert_eq!(lower("İΣ ΑΣ. ΑΣΑ"), "i\u{307}ς ας. ασα");
    }

    #[test]
    fn case_acts_on_the_base_and_leaves_prepended_and_combining_marks() {
        for before in 0..10 {
            let around =
                |c| format!("{}{c}{}", "\u{600}".repeat(before), "\u{30C}".repeat(9 - before));
            assert_eq!(upper(&around("á")), around("Á"));
            assert_eq!(lower(&around("Á")), around("á"));
            assert_eq!(grapheme_count(around("á").as_bytes()), 1);
        }
        assert_eq!(upper("d\u{323}\u{307}"), "D\u{323}\u{307}");
        assert_eq!(&*fold_case("D\u{323}\u{307}".as_bytes()), "d\u{323}\u{307}".as_bytes());
        assert_eq!(upper("ǰ\u{323}"), "J\u{30C}\u{323}");
    }

    #[test]
    fn broken_bytes_stay_and_ascii_agrees_with_the_short_way() {
        let mut out = Vec::new();
        to_upper_full(b"a\xFF\xE2\x82\xC3\xA9z", &mut out);
        assert_eq!(out, b"A\xFF\xE2\x82\xC3\x89Z");
        for byte in 0..128u8 {
            let text = char::from(byte).to_string();
            assert_eq!(upper(&text), MAPPER.uppercase_to_string(&text, &ROOT));
            assert_eq!(lower(&text), MAPPER.lowercase_to_string(&text, &ROOT));
            assert_eq!(&*fold_case(text.as_bytes()), MAPPER.fold_string(&text).as_bytes());
        }
    }

    #[test]
    fn texts_that_differ_only_in_case_fold_alike() {
        for (a, b) in [("Straße", "STRASSE"), ("ΌΣΟΣ", "όσος"), ("ǅ", "ǆ"), ("ﬀ", "FF"), ("K", "k")]
        {
            assert_eq!(fold_case(a.as_bytes()), fold_case(b.as_bytes()), "{a} {b}");
        }
    }
}
