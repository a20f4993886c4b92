//! The changes of an edit as a unified diff.

use super::Colours;
use similar::{ChangeTag, TextDiff};
use std::time::Duration;

const CONTEXT: usize = 3;

/// Then a longer diff will do.
const LONGEST: Duration = Duration::from_secs(2);

/// As in `git diff` and `diff --color`: bold, cyan, red, green; reset.
const HEADING: &[u8] = b"\x1b[1m";
const PLACE: &[u8] = b"\x1b[36m";
const OLD: &[u8] = b"\x1b[31m";
const NEW: &[u8] = b"\x1b[32m";
const END: &[u8] = b"\x1b[0m";

pub(super) fn unified(name: &[u8], [old, new]: &[Vec<u8>; 2], colours: Colours) -> Vec<u8> {
    let diff = TextDiff::configure().timeout(LONGEST).diff_lines(&old[..], &new[..]);
    let mut text = Vec::new();
    let mut line = |colour: &[u8], parts: &[&[u8]]| {
        let is_coloured = colours == Colours::Ansi && !colour.is_empty();
        text.extend_from_slice(if is_coloured { colour } else { b"" });
        parts.iter().for_each(|part| text.extend_from_slice(part));
        text.extend_from_slice(if is_coloured { END } else { b"" });
        text.push(b'\n');
    };
    line(HEADING, &[b"--- ", name]);
    line(HEADING, &[b"+++ ", name]);
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        line(PLACE, &[hunk.header().to_string().as_bytes()]);
        for change in hunk.iter_changes() {
            let (colour, sign): (&[u8], &[u8]) = match change.tag() {
                ChangeTag::Delete => (OLD, b"-"),
                ChangeTag::Insert => (NEW, b"+"),
                ChangeTag::Equal => (b"", b" "),
            };
            let value = change.value();
            line(colour, &[sign, value.strip_suffix(b"\n").unwrap_or(value)]);
            if !value.ends_with(b"\n") {
                line(b"", &[b"\\ No newline at end of file"]);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> String {
        let texts = [old, new].map(|text| text.as_bytes().to_vec());
        String::from_utf8(unified(b"f", &texts, Colours::None)).unwrap()
    }

    #[test]
    fn changes_stand_between_three_lines_of_context() {
        assert_eq!(
            shown("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nfive\n6\n"),
            "--- f\n+++ f\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+five\n 6\n"
        );
    }

    #[test]
    fn a_missing_newline_is_a_change_of_its_own() {
        assert_eq!(
            shown("a", "a\n"),
            "--- f\n+++ f\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"
        );
    }

    #[test]
    fn colours_are_around_whole_lines() {
        let texts = [b"a\n".to_vec(), b"b\n".to_vec()];
        let text = String::from_utf8(unified(b"f", &texts, Colours::Ansi)).unwrap();
        assert!(
            text.ends_with("\x1b[36m@@ -1 +1 @@\x1b[0m\n\x1b[31m-a\x1b[0m\n\x1b[32m+b\x1b[0m\n"),
            "{text:?}"
        );
    }
}
