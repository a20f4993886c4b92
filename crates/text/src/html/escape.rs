//! Escaping and unescaping whole texts.

use super::reference;
use std::borrow::Cow;

/// `text` with `&`, `<`, `>`, `"` and `'` as character references, fit for HTML text and quoted
/// attributes; borrowed if it has none of them.
///
/// ```
/// use riverhawk_text::html_escape;
/// assert_eq!(&*html_escape(b"<a href='x'>R&D</a>"), b"&lt;a href=&#39;x&#39;&gt;R&amp;D&lt;/a&gt;");
/// ```
pub fn html_escape(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = first_special(text) else { return Cow::Borrowed(text) };
    let mut out = Vec::with_capacity(text.len() + text.len() / 8 + 16);
    out.extend_from_slice(&text[..first]);
    let mut rest = &text[first..];
    loop {
        // What needs escaping comes in crowds: byte by byte here, in vectors only up to the first.
        let plain = rest.iter().position(|byte| escaped(*byte).is_some()).unwrap_or(rest.len());
        out.extend_from_slice(&rest[..plain]);
        let Some((reference, after)) =
            rest[plain..].split_first().and_then(|(byte, rest)| Some((escaped(*byte)?, rest)))
        else {
            return Cow::Owned(out);
        };
        out.extend_from_slice(reference);
        rest = after;
    }
}

fn first_special(text: &[u8]) -> Option<usize> {
    let tag = memchr::memchr3(b'&', b'<', b'>', text);
    memchr::memchr2(b'"', b'\'', &text[..tag.unwrap_or(text.len())]).or(tag)
}

fn escaped(byte: u8) -> Option<&'static [u8]> {
    match byte {
        b'&' => Some(b"&amp;"),
        b'<' => Some(b"&lt;"),
        b'>' => Some(b"&gt;"),
        b'"' => Some(b"&quot;"),
        // `&apos;` came with HTML 5 only.
        b'\'' => Some(b"&#39;"),
        _ => None,
    }
}

/// `text` with its character references resolved as a browser resolves them in text: all 2,231
/// names of HTML, decimal and hexadecimal numbers, the old names and numbers also without a
/// semicolon. What is no reference stays; borrowed if there is no `&`.
///
/// ```
/// use riverhawk_text::html_unescape;
/// assert_eq!(&*html_unescape(b"&lt;caf&eacute;&#33; &#x1F600; &notit; &nosuch;"), "<café! 😀 ¬it; &nosuch;".as_bytes());
/// ```
pub fn html_unescape(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'&', text) else { return Cow::Borrowed(text) };
    let mut out = Vec::with_capacity(text.len());
    let (mut rest, mut at) = (text, first);
    loop {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        match reference::read(rest, &mut out) {
            Some(len) => rest = &rest[len..],
            None => out.push(b'&'),
        }
        match memchr::memchr(b'&', rest) {
            Some(next) => at = next,
            None => break,
        }
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::{html_escape, html_unescape};
    use proptest::prelude::*;
    use std::borrow::Cow;

    fn unescaped(text: &str) -> String {
        String::from_utf8(html_unescape(text.as_bytes()).into_owned()).unwrap()
    }

    #[test]
    fn numbers_follow_the_standard() {
        let rows = [
            ("&#65;&#x41;&#X41&#65 x", "AAAA x"),
            ("&#0;&#xD800;&#x110000;&#99999999999999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("&#128;&#x9F;&#x81;", "€Ÿ\u{81}"),
            ("&#;&#x;&#xg&#", "&#;&#x;&#xg&#"),
            ("&#10FFFF;", "\nFFFF;"),
            ("&#x10FFFF;", "\u{10FFFF}"),
        ];
        for (text, expected) in rows {
            assert_eq!(unescaped(text), expected, "{text}");
        }
    }

    #[test]
    fn names_are_the_longest_that_fit() {
        let rows = [
            ("&amp;lt;&amp", "&lt;&"),
            ("&notin;&notit;&not", "∉¬it;¬"),
            ("&NotEqualTilde;&fjlig;", "≂\u{338}fj"),
            ("&CounterClockwiseContourIntegral;", "∳"),
            ("&;&&a;&EACUTE;&eacut;", "&;&&a;&EACUTE;&eacut;"),
        ];
        for (text, expected) in rows {
            assert_eq!(unescaped(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn escaping_is_undone_by_unescaping(text in proptest::collection::vec(any::<u8>(), 0..200)) {
            let escaped = html_escape(&text);
            prop_assert!(!escaped.iter().any(|byte| b"<>\"'".contains(byte)));
            prop_assert_eq!(&*html_unescape(&escaped), &text[..]);
        }

        #[test]
        fn unescapes_what_htmlize_unescapes(
            text in "(&(#x?)?(not|notin|amp|lt|eacute|Eacute|copy|acE|fjlig|9[0-9]{0,6}|[0-9A-Fa-f]{1,5}|[a-z]{0,4});?[a-z&; ]{0,2}){0,6}",
        ) {
            let expected = htmlize::unescape(&text);
            prop_assert_eq!(unescaped(&text), &*expected);
        }
    }

    #[test]
    fn every_name_stands_for_what_htmlize_has() {
        for line in include_str!("entities.txt").lines() {
            let (name, _) = line.split_once(' ').unwrap();
            for text in [format!("&{name}"), format!("x&{name}y"), format!("&{name};")] {
                assert_eq!(unescaped(&text), htmlize::unescape(&text), "{text}");
            }
        }
    }

    #[test]
    fn nothing_to_do_is_borrowed() {
        assert!(matches!(html_escape("plain é".as_bytes()), Cow::Borrowed(_)));
        assert!(matches!(html_unescape(b"plain; #65;"), Cow::Borrowed(_)));
    }
}
