//! Makes user text safe for a terminal: no control characters, no reordering, bounded length.

/// In characters, since a message may quote text of any length.
const LONGEST: usize = 500;

/// One line, with harmful characters escaped; cut with `...`.
pub(super) fn plain(text: &str) -> String {
    shorten(text, |_| false)
}

/// Keeps newlines, for advice of several lines.
pub(super) fn plain_lines(text: &str) -> String {
    shorten(text, |character| character == '\n')
}

fn shorten(text: &str, keep: impl Fn(char) -> bool) -> String {
    let mut plain = String::with_capacity(text.len().min(4 * LONGEST));
    for (at, character) in text.chars().enumerate() {
        if at == LONGEST {
            plain.push_str("...");
            break;
        }
        match character {
            _ if keep(character) || !is_harmful(character) => plain.push(character),
            '\t' | '\n' | '\r' => plain.extend(character.escape_default()),
            _ => plain.extend(character.escape_unicode()),
        }
    }
    plain
}

/// Control characters, and those that change the direction of text.
pub(super) fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_become_visible() {
        assert_eq!(plain("a\x1b[2Jb\tc\nd\u{9b}"), r"a\u{1b}[2Jb\tc\nd\u{9b}");
        assert_eq!(plain("a\u{202e}b"), r"a\u{202e}b");
        assert_eq!(plain_lines("a\nb\x07"), "a\nb\\u{7}");
    }

    #[test]
    fn an_overlong_text_is_cut() {
        let long = "é".repeat(501);
        assert_eq!(plain(&long), "é".repeat(500) + "...");
        assert_eq!(plain(&long[2..]), "é".repeat(500));
    }
}
