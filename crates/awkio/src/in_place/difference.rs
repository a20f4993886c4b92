//! The changes of an edit as a unified diff.

use super::Colours;
use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{DiffOp, DiffTag, group_diff_ops};
use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

const CONTEXT: usize = 3;

/// Then a longer diff will do.
const LONGEST: Duration = Duration::from_secs(2);

/// As in `git diff` and `diff --color`: bold, cyan, red, green; reset.
const HEADING: &[u8] = b"\x1b[1m";
const PLACE: &[u8] = b"\x1b[36m";
const OLD: &[u8] = b"\x1b[31m";
const NEW: &[u8] = b"\x1b[32m";
const END: &[u8] = b"\x1b[0m";

/// The changes from the old text to the new, with three lines of context.
pub fn unified(name: &[u8], [old, new]: &[Vec<u8>; 2], colours: Colours) -> Vec<u8> {
    let [old, new] = [old, new].map(|text| text.split_inclusive(|&byte| byte == b'\n'));
    let [old, new]: [Vec<&[u8]>; 2] = [old.collect(), new.collect()];
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
    for hunk in hunks(&old, &new) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let place = |from: Range<usize>, to: Range<usize>| place(from.start..to.end);
        let old_place = place(first.old_range(), last.old_range());
        let new_place = place(first.new_range(), last.new_range());
        line(PLACE, &[format!("@@ -{old_place} +{new_place} @@").as_bytes()]);
        let mut lines = |colour: &[u8], sign: &[u8], values: &[&[u8]]| {
            for value in values {
                line(colour, &[sign, value.strip_suffix(b"\n").unwrap_or(value)]);
                if !value.ends_with(b"\n") {
                    line(b"", &[b"\\ No newline at end of file"]);
                }
            }
        };
        for part in hunk {
            if part.tag() == DiffTag::Equal {
                lines(b"", b" ", &old[part.old_range()]);
            } else {
                lines(OLD, b"-", &old[part.old_range()]);
                lines(NEW, b"+", &new[part.new_range()]);
            }
        }
    }
    text
}

/// The differences between lines, with their context. Lines are compared by number, so that the
/// algorithm is compiled once and for one type.
fn hunks<'l>(old: &[&'l [u8]], new: &[&'l [u8]]) -> Vec<Vec<DiffOp>> {
    let mut numbers = HashMap::new();
    let mut numbered = |lines: &[&'l [u8]]| -> Vec<u32> {
        let number = |line: &&'l [u8]| {
            let next = numbers.len() as u32;
            *numbers.entry(*line).or_insert(next)
        };
        lines.iter().map(number).collect()
    };
    let (old, new) = (numbered(old), numbered(new));
    let (old, new) = (old.as_slice(), new.as_slice());
    let mut captured = Compact::new(Replace::new(Capture::new()), old, new);
    let deadline = Some(Instant::now() + LONGEST);
    let Ok(()) =
        myers::diff_deadline(&mut captured, old, 0..old.len(), new, 0..new.len(), deadline);
    group_diff_ops(captured.into_inner().into_inner().into_ops(), CONTEXT)
}

/// Lines as the heading of a hunk has them: of none, the line before.
fn place(lines: Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
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
