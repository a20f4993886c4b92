//! Percent-encoding (RFC 3986).

use std::borrow::Cow;

/// `text` as one component of a URL: all bytes but ASCII letters, digits and `-._~` become `%` and
/// two digits. Borrowed if unchanged.
///
/// ```
/// assert_eq!(&*riverhawk_text::url_encode("a b/é+1".as_bytes()), b"a%20b%2F%C3%A9%2B1");
/// ```
pub fn url_encode(text: &[u8]) -> Cow<'_, [u8]> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let is_plain = |byte: &u8| PLAIN[usize::from(*byte)];
    let Some(first) = text.iter().position(|byte| !is_plain(byte)) else {
        return Cow::Borrowed(text);
    };
    let mut out = Vec::with_capacity(text.len() + text.len() / 2 + 8);
    out.extend_from_slice(&text[..first]);
    for byte in &text[first..] {
        if is_plain(byte) {
            out.push(*byte);
        } else {
            out.extend_from_slice(&[
                b'%',
                DIGITS[usize::from(byte >> 4)],
                DIGITS[usize::from(byte & 15)],
            ]);
        }
    }
    Cow::Owned(out)
}

static PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        plain[byte] =
            (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'-' | b'.' | b'_' | b'~');
        byte += 1;
    }
    plain
};

/// `text` with each `%` and two hexadecimal digits replaced by their byte; borrowed if unchanged.
/// Other `%` stay, and so does `+`, which is a space only in form data
/// ([`replace`](crate::replace)).
///
/// ```
/// assert_eq!(&*riverhawk_text::url_decode(b"a%20b%2f%C3%A9+100%"), "a b/é+100%".as_bytes());
/// ```
pub fn url_decode(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'%', text) else { return Cow::Borrowed(text) };
    let mut out = Vec::with_capacity(text.len());
    let (mut rest, mut at) = (text, first);
    loop {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        match rest {
            [high, low, after @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                out.push(digit(*high) << 4 | digit(*low));
                rest = after;
            }
            _ => out.push(b'%'),
        }
        match memchr::memchr(b'%', rest) {
            Some(next) => at = next,
            None => break,
        }
    }
    out.extend_from_slice(rest);
    if out.len() == text.len() { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

fn digit(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => byte - b'0',
        _ => (byte | 0x20) - b'a' + 10,
    }
}

#[cfg(test)]
mod tests {
    use super::{url_decode, url_encode};
    use proptest::prelude::*;
    use std::borrow::Cow;

    proptest! {
        #[test]
        fn every_byte_survives(text in proptest::collection::vec(any::<u8>(), 0..100)) {
            let encoded = url_encode(&text);
            prop_assert!(encoded.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(byte)));
            prop_assert_eq!(&*url_decode(&encoded), &text[..]);
        }
    }

    #[test]
    fn what_is_no_escape_stays() {
        let rows: [(&[u8], &[u8]); 6] = [
            (b"%", b"%"),
            (b"%4", b"%4"),
            (b"%4x%%41", b"%4x%A"),
            (b"%zz%7e", b"%zz~"),
            (b"a+b%2Bc", b"a+b+c"),
            (b"%00%FF", b"\0\xFF"),
        ];
        for (text, expected) in rows {
            assert_eq!(&*url_decode(text), expected, "{text:?}");
        }
    }

    #[test]
    fn nothing_to_do_is_borrowed() {
        assert!(matches!(url_encode(b"AZaz09-._~"), Cow::Borrowed(_)));
        assert!(matches!(url_decode(b"a+b"), Cow::Borrowed(_)));
        assert!(matches!(url_decode(b"100% %zz"), Cow::Borrowed(_)));
    }
}
