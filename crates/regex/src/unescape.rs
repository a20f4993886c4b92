//! First pass over a pattern: replaces escapes by their byte or character.
//!
//! As in gawk, the result is then parsed: `a\052` is `a*`, `\134.` is `\.`. Escapes of the regular
//! expression itself (`\.`, `\y`, `\\`) stay.

use crate::Error;
use crate::classes::Dialect;

/// How numeric escapes are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// As operators where they are some.
    Gawk,
    /// Never as operators, as in Bell Laboratories' awk.
    Traditional,
    /// As in gawk, but `\x` and `\u` are the letters.
    Posix,
}

impl Escapes {
    pub(crate) fn of(dialect: Dialect) -> Escapes {
        match (dialect.posix, dialect.strict) {
            (false, _) => Escapes::Gawk,
            (true, false) => Escapes::Traditional,
            (true, true) => Escapes::Posix,
        }
    }
}

pub(crate) struct Unescaped {
    /// For the parser.
    pub bytes: Vec<u8>,
    /// The source of each byte, and of the end.
    pub came_from: Vec<usize>,
}

/// Replaces `\a \b \f \n \r \t \v`, `\ddd`, `\xHH` and, as gawk 5.3, `\uHHHH`.
///
/// # Errors
/// A trailing backslash.
pub(crate) fn unescape(pattern: &[u8], escapes: Escapes) -> Result<Unescaped, Error> {
    let mut out = Unescaped {
        bytes: Vec::with_capacity(pattern.len()),
        came_from: Vec::with_capacity(pattern.len() + 1),
    };
    let mut at = 0;
    while at < pattern.len() {
        let from = at;
        let byte = pattern[at];
        at += 1;
        if byte != b'\\' {
            out.push(byte, from);
            continue;
        }
        let Some(&letter) = pattern.get(at) else {
            return Err(Error::new(from, "trailing backslash"));
        };
        at += 1;
        match letter {
            b'a' => out.push(7, from),
            b'b' => out.push(8, from),
            b'f' => out.push(12, from),
            b'n' => out.push(b'\n', from),
            b'r' => out.push(b'\r', from),
            b't' => out.push(b'\t', from),
            b'v' => out.push(11, from),
            b'0'..=b'7' => {
                let (value, len) = digits(&pattern[at - 1..], 8, 3);
                out.push_numbered(value, from, escapes);
                at += len - 1;
            }
            b'x' | b'u' if escapes == Escapes::Posix => out.push(letter, from),
            b'x' => {
                let (value, len) = digits(&pattern[at..], 16, 2);
                // Without digits it is the letter, as in gawk.
                out.push_numbered(if len == 0 { b'x' } else { value }, from, escapes);
                at += len;
            }
            b'u' => {
                let (value, len) = code_point(&pattern[at..]);
                let character = if len == 0 { 'u' } else { value.unwrap_or('?') };
                for &byte in character.encode_utf8(&mut [0; 4]).as_bytes() {
                    out.push_numbered(byte, from, escapes);
                }
                at += len;
            }
            other => {
                out.push(b'\\', from);
                out.push(other, from + 1);
            }
        }
    }
    out.came_from.push(pattern.len());
    Ok(out)
}

impl Unescaped {
    fn push_numbered(&mut self, byte: u8, from: usize, escapes: Escapes) {
        if escapes == Escapes::Traditional && b"()|*+?.^$\\[]/-".contains(&byte) {
            self.push(b'\\', from);
        }
        self.push(byte, from);
    }

    fn push(&mut self, byte: u8, from: usize) {
        self.bytes.push(byte);
        self.came_from.push(from);
    }
}

/// A hexadecimal code point, and its number of digits.
fn code_point(text: &[u8]) -> (Option<char>, usize) {
    let len = text.iter().take(8).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let number = std::str::from_utf8(&text[..len])
        .ok()
        .and_then(|digits| u32::from_str_radix(digits, 16).ok());
    (number.and_then(char::from_u32), len)
}

/// A number of at most `max` digits (modulo 256), and its number of digits.
fn digits(text: &[u8], base: u32, max: usize) -> (u8, usize) {
    let mut value = 0u32;
    let mut len = 0;
    for digit in text.iter().take(max).map_while(|&byte| char::from(byte).to_digit(base)) {
        value = value * base + digit;
        len += 1;
    }
    ((value & 0xff) as u8, len)
}

#[cfg(test)]
mod tests {
    use super::{Escapes, unescape};

    #[test]
    fn byte_escapes_are_replaced_and_others_are_kept() {
        let rows: &[(&str, &[u8])] = &[
            (r"a\tb", b"a\tb"),
            (r"\101\x42\x4", b"AB\x04"),
            (r"\x414", b"A4"),
            (r"\1012", b"A2"),
            (r"\xg", b"xg"),
            (r"\.\\n\y", br"\.\\n\y"),
            (r"\0", b"\0"),
            (r"\777", b"\xff"),
            (r"\8", br"\8"),
            (r"\u00e9+", b"\xc3\xa9+"),
            (r"\u\uD800", b"u?"),
        ];
        for (pattern, want) in rows {
            assert_eq!(
                unescape(pattern.as_bytes(), Escapes::Gawk).unwrap().bytes,
                *want,
                "{pattern}"
            );
        }
    }

    #[test]
    fn numbered_characters_by_the_other_dialects() {
        let bytes = |pattern: &str, escapes| unescape(pattern.as_bytes(), escapes).unwrap().bytes;
        assert_eq!(bytes(r"a\52\x2e\u7c\173\134", Escapes::Traditional), br"a\*\.\|{\\");
        assert_eq!(bytes(r"a\52\x2e\u7c\t", Escapes::Posix), b"a*x2eu7c\t");
    }

    #[test]
    fn a_last_backslash_is_an_error_with_its_place() {
        assert_eq!(unescape(br"ab\", Escapes::Gawk).map(|_| ()).unwrap_err().offset(), 2);
    }
}
