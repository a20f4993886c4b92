//! Escape sequences in values from outside the program text: `-v`, operands `name=value`, `-F`.

use std::fmt;

/// A warning about an escape sequence. The value is used nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapeWarning {
    /// An escape without a meaning, such as `\q`: the character itself.
    Plain(u8),
    /// `\x` without a hexadecimal digit: an `x`.
    NoHexDigits,
    /// `\u` without digits: a `u`; with a number that is no character: a `?`.
    NoCharacter,
}

impl fmt::Display for EscapeWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(byte) => {
                let byte = std::ascii::escape_default(*byte);
                write!(f, "escape sequence `\\{byte}' treated as plain `{byte}'")
            }
            Self::NoHexDigits => f.write_str("no hex digits in `\\x' escape sequence"),
            Self::NoCharacter => f.write_str("invalid `\\u' escape sequence"),
        }
    }
}

/// The value of `text`, and the warnings, each once.
///
/// Known are `\a \b \f \n \r \t \v \\ \" \/`, one to three octal digits, `\x` with one or two
/// hexadecimal digits, `\u` with one to eight, and a newline, which is dropped. A backslash at the
/// end is itself.
///
/// ```
/// use riverhawk_text::process_escapes;
/// assert_eq!(process_escapes(br"a\tb\101").0, b"a\tbA");
/// ```
pub fn process_escapes(text: &[u8]) -> (Vec<u8>, Vec<EscapeWarning>) {
    let mut out = Vec::with_capacity(text.len());
    let mut warnings = Vec::new();
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        if let [b'u', digits_at @ ..] = &rest[at + 1..] {
            let (taken, warning) = code_point(digits_at, &mut out);
            rest = &digits_at[taken..];
            warnings.extend(warning.filter(|warning| !warnings.contains(warning)));
            continue;
        }
        let (taken, byte, warning) = escape(&rest[at + 1..]);
        rest = &rest[at + 1 + taken..];
        out.extend(byte);
        warnings.extend(warning.filter(|warning| !warnings.contains(warning)));
    }
    out.extend_from_slice(rest);
    (out, warnings)
}

fn escape(text: &[u8]) -> (usize, Option<u8>, Option<EscapeWarning>) {
    let Some(&first) = text.first() else { return (0, Some(b'\\'), None) };
    let byte = match first {
        b'\n' => return (1, None, None),
        b'a' => 0x07,
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 0x0B,
        b'\\' | b'"' => first,
        b'0'..=b'7' => {
            let (len, value) = digits(text, 3, 8);
            return (len, Some(value as u8), None);
        }
        b'x' => {
            let (len, value) = digits(&text[1..], 2, 16);
            return match len {
                0 => (1, Some(b'x'), Some(EscapeWarning::NoHexDigits)),
                _ => (1 + len, Some(value as u8), None),
            };
        }
        _ => return (1, Some(first), Some(EscapeWarning::Plain(first))),
    };
    (1, Some(byte), None)
}

/// Handles the text after `\u`: appends the character, returns the number of digits and the
/// warning.
fn code_point(text: &[u8], out: &mut Vec<u8>) -> (usize, Option<EscapeWarning>) {
    let len = text.iter().take(8).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let number = std::str::from_utf8(&text[..len])
        .ok()
        .and_then(|digits| u32::from_str_radix(digits, 16).ok());
    match (number, number.and_then(char::from_u32)) {
        (_, Some(character)) => {
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            return (len, None);
        }
        (Some(_), None) => out.push(b'?'),
        (None, None) => out.push(b'u'),
    }
    (len, Some(EscapeWarning::NoCharacter))
}

fn digits(text: &[u8], most: usize, radix: u32) -> (usize, u32) {
    let values = text.iter().take(most).map_while(|&byte| char::from(byte).to_digit(radix));
    values.fold((0, 0), |(len, value), digit| (len + 1, value * radix + digit))
}

#[cfg(test)]
mod tests {
    use super::{EscapeWarning, process_escapes};

    #[test]
    fn stands_for_what_gawk_makes_of_it() {
        let rows: [(&[u8], &[u8]); 28] = [
            (br"a\tb", b"a\tb"),
            (br"a\\b", br"a\b"),
            (br#"a\"b"#, br#"a"b"#),
            (br"a\/b", b"a/b"),
            (br"\a\b\f\n\r\v", b"\x07\x08\x0c\n\r\x0b"),
            (br"\101\1012\7", b"AA2\x07"),
            (br"\400", b"\0"),
            (br"\777", b"\xff"),
            (br"\0x", b"\0x"),
            (br"\x41", b"A"),
            (br"\x412", b"A2"),
            (br"\x4", b"\x04"),
            (br"\x", b"x"),
            (br"\xg", b"xg"),
            (br"\xe9\351", b"\xe9\xe9"),
            (br"\x00y", b"\0y"),
            (br"\q", b"q"),
            (br"\8", b"8"),
            (b"a\\", b"a\\"),
            (br"a\\", br"a\"),
            (b"a\\\nb", b"ab"),
            (br"\\\q\.", br"\q."),
            (br"\u00e9", b"\xc3\xa9"),
            (br"\u1F600x", b"\xf0\x9f\x98\x80x"),
            (br"\u", b"u"),
            (br"\uD800", b"?"),
            (br"\ ", b" "),
            (b"no escapes", b"no escapes"),
        ];
        for (text, expected) in rows {
            assert_eq!(process_escapes(text).0, expected, "{}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn warns_once_about_each_meaningless_escape() {
        let warnings = process_escapes(br"\q\q\.\xg\t\/").1;
        let [q, dot, slash] = *b"q./";
        let plain = EscapeWarning::Plain;
        assert_eq!(warnings, [plain(q), plain(dot), EscapeWarning::NoHexDigits, plain(slash)]);
        assert_eq!(warnings[0].to_string(), "escape sequence `\\q' treated as plain `q'");
    }
}
