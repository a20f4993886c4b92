//! How keys are shown, and written in expressions.

/// A key on one line: control characters as awk writes them.
pub(crate) fn key(bytes: &[u8]) -> String {
    escaped(bytes, &[])
}

/// The expression for an element.
pub(crate) fn element(array: &str, key: &[u8]) -> String {
    format!("{array}[\"{}\"]", escaped(key, b"\"\\"))
}

/// As in a text of awk; `also` gets a backslash.
fn escaped(bytes: &[u8], also: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' => text += "\\n",
                '\t' => text += "\\t",
                _ if character.is_ascii_control() => {
                    text += &format!("\\{:03o}", u32::from(character));
                }
                _ if character.is_ascii() && also.contains(&(character as u8)) => {
                    text.extend(['\\', character]);
                }
                _ => text.push(character),
            }
        }
        for byte in chunk.invalid() {
            text += &format!("\\{byte:03o}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_one_line_and_expressions_find_them() {
        assert_eq!(key("tea \"ä\"".as_bytes()), "tea \"ä\"");
        assert_eq!(key(b"a\x1cb\n\xff"), "a\\034b\\n\\377");
        assert_eq!(element("t", b"a\"\\\x1c"), "t[\"a\\\"\\\\\\034\"]");
    }
}
