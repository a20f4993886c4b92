//! Escapes that mean nothing in regular expressions.

use crate::Dialect;

/// Characters that may follow a backslash: operators of regular expressions, plain characters,
/// escapes of strings.
const KNOWN: &[u8] = b"BSW<>swy`'abfnrtuvx01234567/-[]{}()|*+?.^$\\\n";
/// Those that only gawk has.
const ONLY_OF_GAWK: &[u8] = b"BSW<>swy`'";

/// The letters of a pattern with a meaningless backslash.
///
/// ```
/// use riverhawk_syntax::{Dialect, lint::unknown_escapes};
/// assert!(unknown_escapes(br"\q\.\y\_\xg", Dialect::Gawk).eq([b'q', b'_', b'x']));
/// assert!(unknown_escapes(br"\q\.\y\_\xg", Dialect::Posix).eq([b'q', b'y', b'_']));
/// ```
pub fn unknown_escapes(pattern: &[u8], dialect: Dialect) -> impl Iterator<Item = u8> {
    let mut rest = pattern;
    std::iter::from_fn(move || {
        loop {
            let backslash = rest.iter().position(|&byte| byte == b'\\')?;
            let (&escaped, behind) = rest[backslash + 1..].split_first()?;
            rest = behind;
            let known = match escaped {
                // In POSIX these are plain letters, and gawk does not warn of them.
                b'x' | b'u' => {
                    dialect == Dialect::Posix || behind.first().is_some_and(u8::is_ascii_hexdigit)
                }
                _ => {
                    KNOWN.contains(&escaped)
                        && (dialect.has_extensions() || !ONLY_OF_GAWK.contains(&escaped))
                }
            };
            if !known && escaped.is_ascii_graphic() {
                return Some(escaped);
            }
        }
    })
}

/// The warning about this letter.
pub fn unknown_escape_message(letter: u8) -> String {
    let shown = char::from(letter);
    match letter {
        b'x' | b'u' => format!("no hex digits in `\\{shown}' escape sequence"),
        _ => format!("regexp escape sequence `\\{shown}' is not a known regexp operator"),
    }
}
