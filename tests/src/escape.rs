//! Bytes as editable text: escapes, and words with quotes.

/// Writes controls, invalid UTF-8 and invisible code points as escapes; a space at either end
/// becomes `\s`.
pub fn escaped(bytes: &[u8]) -> String {
    let mut out = escaped_line(bytes);
    if out.starts_with(' ') {
        out.replace_range(..1, "\\s");
    }
    out
}

/// As [`escaped`], where leading spaces are kept.
pub fn escaped_line(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                '\\' => out.push_str("\\\\"),
                c if (c as u32) < 0x80 && c.is_control() => {
                    out.push_str(&format!("\\x{:02x}", c as u32))
                }
                c if hidden(c) => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
                c => out.push(c),
            }
        }
        for b in chunk.invalid() {
            out.push_str(&format!("\\x{b:02x}"));
        }
    }
    if out.ends_with(' ') {
        out.truncate(out.len() - 1);
        out.push_str("\\s");
    }
    out
}

/// Code points that are invisible or ambiguous on a screen.
fn hidden(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c as u32, 0x300..=0x36f | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfe00..=0xfe0f | 0xfeff | 0xe000..=0xf8ff | 0xfff0..=0xffff | 0xe0000..)
}

/// Reads what [`escaped`] writes. An unknown escape is an error.
pub fn unescaped(text: &str) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at + 1..];
        let kind = rest.chars().next().ok_or("a lone backslash at the end (write \\\\)")?;
        rest = &rest[kind.len_utf8()..];
        match kind {
            'n' => out.push(b'\n'),
            't' => out.push(b'\t'),
            'r' => out.push(b'\r'),
            's' => out.push(b' '),
            '\\' => out.push(b'\\'),
            'x' => {
                let hex = rest.get(..2).ok_or("\\x needs two hex digits")?;
                out.push(
                    u8::from_str_radix(hex, 16)
                        .map_err(|_| format!("\\x{hex}: not hexadecimal"))?,
                );
                rest = &rest[2..];
            }
            'u' => {
                let end =
                    rest.find('}').filter(|_| rest.starts_with('{')).ok_or("\\u needs {HEX}")?;
                let value = u32::from_str_radix(&rest[1..end], 16).ok().and_then(char::from_u32);
                let c = value.ok_or_else(|| format!("\\u{}}}: not a code point", &rest[..end]))?;
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                rest = &rest[end + 1..];
            }
            other => return Err(format!("unknown escape \\{other} (write \\\\ for a backslash)")),
        }
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub bytes: Vec<u8>,
    /// Whether any part was quoted: a quoted `%` or `@C` is itself.
    pub quoted: bool,
}

/// Splits at spaces; `'...'` keeps spaces and backslashes, `$'...'` takes escapes, and both may
/// join other text.
pub fn words(text: &str) -> Result<Vec<Word>, String> {
    let mut out = Vec::new();
    let mut word: Option<Word> = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let quote = if rest.starts_with("$'") { 2 } else { usize::from(c == '\'') };
        if c == ' ' {
            out.extend(word.take());
            rest = &rest[1..];
            continue;
        }
        let word = word.get_or_insert(Word { bytes: Vec::new(), quoted: false });
        if quote == 0 {
            word.bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let inner = &rest[quote..];
        let end = inner.find('\'').ok_or("a quote without its end")?;
        word.quoted = true;
        match quote {
            1 => word.bytes.extend_from_slice(&inner.as_bytes()[..end]),
            _ => word.bytes.extend(unescaped(&inner[..end])?),
        }
        rest = &inner[end + 1..];
    }
    out.extend(word);
    Ok(out)
}

pub fn quoted(word: &str) -> String {
    if word.is_empty() || word.contains([' ', '\'']) {
        format!("'{word}'")
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_escaping() {
        let bytes: Vec<u8> = (0..=255u8).chain(" é\u{301}\u{feff}日 ".bytes()).collect();
        assert_eq!(unescaped(&escaped(&bytes)).unwrap(), bytes);
    }

    #[test]
    fn printable_text_stays_as_it_is() {
        assert_eq!(escaped("größe 日本 1|2".as_bytes()), "größe 日本 1|2");
        assert_eq!(escaped(b" x "), "\\sx\\s");
    }

    #[test]
    fn an_unknown_escape_is_an_error() {
        assert!(unescaped("\\q").is_err());
        assert!(unescaped("a\\").is_err());
    }

    #[test]
    fn words_join_quoted_parts() {
        let got: Vec<Vec<u8>> =
            words("-v 'a b'=\\t $'\\x00' ''").unwrap().into_iter().map(|w| w.bytes).collect();
        assert_eq!(got, [&b"-v"[..], b"a b=\\t", b"\0", b""]);
        assert!(words("'a").is_err());
    }
}
