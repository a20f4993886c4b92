//! Finds the start and end of JSON values (RFC 8259), without recursion.

/// Nesting, one byte per level.
const DEEPEST: usize = 10_000;

/// An error in JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonFlaw {
    /// Its byte.
    pub at: usize,
    /// The message.
    pub what: &'static str,
}

impl JsonFlaw {
    /// The column in its line, in characters from 1.
    pub fn column(&self, text: &[u8]) -> usize {
        String::from_utf8_lossy(&text[..self.at.min(text.len())]).chars().count() + 1
    }
}

type Scanned<T> = Result<T, JsonFlaw>;

fn flaw<T>(at: usize, what: &'static str) -> Scanned<T> {
    Err(JsonFlaw { at, what })
}

/// The place after blanks at `at`.
pub(super) fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// After the string at `at`; checks escapes.
pub(crate) fn skip_string(text: &[u8], at: usize) -> Scanned<usize> {
    let mut at = at + 1;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let Some(plain) =
            rest.iter().position(|&byte| byte < b' ' || byte == b'"' || byte == b'\\')
        else {
            return flaw(text.len(), "a string that is never closed");
        };
        at += plain;
        match (text[at], text.get(at + 1)) {
            (b'"', _) => return Ok(at + 1),
            (b'\\', Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')) => at += 2,
            (b'\\', Some(b'u')) => match text.get(at + 2..at + 6) {
                Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => at += 6,
                _ => return flaw(at, "four hexadecimal digits must follow \\u"),
            },
            (b'\\', _) => return flaw(at, "an escape that JSON does not have"),
            _ => return flaw(at, "a control character in a string"),
        }
    }
}

fn skip_number(text: &[u8], at: usize) -> Scanned<usize> {
    let digits = |from: usize| {
        from + text[from.min(text.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let whole = at + usize::from(text[at] == b'-');
    let mut end = digits(whole);
    if end == whole || text[whole] == b'0' && end > whole + 1 {
        return flaw(at, "not a JSON number");
    }
    if text.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        if fraction == end + 1 {
            return flaw(end, "digits must follow the point");
        }
        end = fraction;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let sign = end + 1 + usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(sign);
        if exponent == sign {
            return flaw(end, "digits must follow the exponent");
        }
        end = exponent;
    }
    Ok(end)
}

/// Whether the text is one JSON number.
pub(super) fn is_number(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'-' | b'0'..=b'9')) && skip_number(text, 0) == Ok(text.len())
}

/// After the value at `at`; there may be more behind it.
///
/// # Errors
/// No JSON value begins at `at`.
pub fn skip_value(text: &[u8], mut at: usize) -> Scanned<usize> {
    // Closing brackets expected.
    let mut open: Vec<u8> = Vec::new();
    loop {
        match text.get(at) {
            None => return flaw(at, "a value is missing"),
            Some(b'"') => at = skip_string(text, at)?,
            Some(b'-' | b'0'..=b'9') => at = skip_number(text, at)?,
            Some(&bracket @ (b'{' | b'[')) => {
                if open.len() == DEEPEST {
                    return flaw(at, "brackets nested more than 10000 deep");
                }
                let close = if bracket == b'{' { b'}' } else { b']' };
                at = skip_blanks(text, at + 1);
                if text.get(at) == Some(&close) {
                    at += 1;
                } else {
                    open.push(close);
                    at = if close == b'}' { skip_key(text, at)? } else { at };
                    continue;
                }
            }
            Some(_) => {
                let rest = &text[at..];
                let word = [&b"true"[..], b"false", b"null"]
                    .into_iter()
                    .find(|word| rest.starts_with(word));
                match word {
                    Some(word) => at += word.len(),
                    None => return flaw(at, "a value was expected"),
                }
            }
        }
        loop {
            let Some(&close) = open.last() else { return Ok(at) };
            at = skip_blanks(text, at);
            match text.get(at) {
                Some(b',') => {
                    at = skip_blanks(text, at + 1);
                    at = if close == b'}' { skip_key(text, at)? } else { at };
                    break;
                }
                Some(&byte) if byte == close => {
                    open.pop();
                    at += 1;
                }
                None => return flaw(at, "a bracket that is never closed"),
                Some(_) => return flaw(at, "a comma or the closing bracket was expected"),
            }
        }
    }
}

/// After the key at `at`, its colon and blanks.
fn skip_key(text: &[u8], at: usize) -> Scanned<usize> {
    if text.get(at) != Some(&b'"') {
        return flaw(at, "a name in quotes was expected");
    }
    let at = skip_blanks(text, skip_string(text, at)?);
    match text.get(at) {
        Some(b':') => Ok(skip_blanks(text, at + 1)),
        _ => flaw(at, "a colon was expected"),
    }
}

/// Whether a text is one JSON value or blank.
pub fn check(text: &[u8]) -> Scanned<()> {
    let at = skip_blanks(text, 0);
    if at == text.len() {
        return Ok(());
    }
    match skip_blanks(text, skip_value(text, at)?) {
        end if end == text.len() => Ok(()),
        end => flaw(end, "something follows the value"),
    }
}

/// A checked member: the key with quotes (empty in an array), and the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Member {
    pub key: (usize, usize),
    pub value: (usize, usize),
}

/// Calls `each` for the members of the object or array at `at`, while it returns true.
pub(super) fn members(text: &[u8], at: usize, mut each: impl FnMut(Member) -> bool) -> Scanned<()> {
    let is_object = match text.get(at) {
        Some(b'{') => true,
        Some(b'[') => false,
        _ => return Ok(()),
    };
    let mut at = skip_blanks(text, at + 1);
    while !matches!(text.get(at), Some(b'}' | b']') | None) {
        let start = at;
        let mut key = (start, start);
        if is_object {
            at = skip_key(text, start)?;
            key.1 = skip_string(text, start)?;
        }
        let end = skip_value(text, at)?;
        if !each(Member { key, value: (at, end) }) {
            return Ok(());
        }
        at = skip_blanks(text, end);
        if text.get(at) == Some(&b',') {
            at = skip_blanks(text, at + 1);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_json_passes_and_what_is_not_is_told_with_its_place() {
        for text in [
            "",
            " ",
            "1",
            "-0.5e+3",
            "\"a\\u00e9\\n\"",
            "[]",
            "{ }",
            " {\"a\" : [1, {\"b\":null}], \"\":true} ",
            "[[[]]]",
        ] {
            assert_eq!(check(text.as_bytes()), Ok(()), "{text}");
        }
        for (text, at) in [
            ("01", 0),
            ("1.", 1),
            ("-", 0),
            ("1e", 1),
            ("nul", 0),
            ("\"a", 2),
            ("\"\\x\"", 1),
            ("\"\\u12\"", 1),
            ("\"a\tb\"", 2),
            ("[1,]", 3),
            ("[1 2]", 3),
            ("{\"a\"}", 4),
            ("{a:1}", 1),
            ("{\"a\":1,}", 7),
            ("[1", 2),
            ("1 2", 2),
            ("{\"a\":}", 5),
            ("[}", 1),
        ] {
            assert_eq!(check(text.as_bytes()).unwrap_err().at, at, "{text}");
        }
        assert!(check("[".repeat(20_000).as_bytes()).unwrap_err().what.contains("10000"));
    }
}
