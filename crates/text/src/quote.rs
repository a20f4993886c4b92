//! Text shown to people, on one line.

/// As a constant of the language: characters as they are, but control characters and bytes that are no
/// text as escape sequences.
///
/// ```
/// use riverhawk_text::quoted;
/// assert_eq!(quoted("tea \"é\"\n".as_bytes()), r#""tea \"é\"\n""#);
/// assert_eq!(quoted(b"\xff\x1c"), r#""\377\034""#);
/// ```
pub fn quoted(text: &[u8]) -> String {
    let mut shown = String::from("\"");
    append(text, "\"\\", &mut shown);
    shown.push('"');
    shown
}

/// As [`quoted`], without quotes; a backslash stays one.
pub fn on_one_line(text: &[u8]) -> String {
    let mut shown = String::new();
    append(text, "", &mut shown);
    shown
}

fn append(text: &[u8], behind_backslash: &str, shown: &mut String) {
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' => shown.push_str("\\n"),
                '\t' => shown.push_str("\\t"),
                '\r' => shown.push_str("\\r"),
                control if control.is_control() => {
                    append_octal(control.encode_utf8(&mut [0; 4]).as_bytes(), shown);
                }
                other => {
                    if behind_backslash.contains(other) {
                        shown.push('\\');
                    }
                    shown.push(other);
                }
            }
        }
        append_octal(chunk.invalid(), shown);
    }
}

fn append_octal(bytes: &[u8], shown: &mut String) {
    for byte in bytes {
        shown.push_str(&format!("\\{byte:03o}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process_escapes;

    #[test]
    fn what_is_quoted_is_read_as_the_same_text() {
        for text in [&b"a\x1cb\n\t\r\xff\xc3"[..], b"a\\nb", "日本 é \u{85}1\\\"".as_bytes(), b""]
        {
            let shown = quoted(text);
            let inner = &shown.as_bytes()[1..shown.len() - 1];
            assert_eq!(process_escapes(inner), (text.to_vec(), Vec::new()), "{shown}");
            assert!(!shown.chars().any(char::is_control));
        }
    }

    #[test]
    fn a_line_has_no_quotes_and_keeps_its_backslashes() {
        assert_eq!(on_one_line("tea \"ä\" \\".as_bytes()), "tea \"ä\" \\");
        assert_eq!(on_one_line(b"a\x1cb\n\xff"), "a\\034b\\n\\377");
    }
}
