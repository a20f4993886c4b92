//! Lines: every separator is literal, cut as by a naive search, and an edit loses nothing.

use crate::scratch::Scratch;
use proptest::prelude::*;
use riverhawk_slurp::{Lines, Separator, Slurp, Spew, lines};

fn cut<'a>(text: &'a str, separator: &'a Separator, chomp: bool) -> Vec<&'a str> {
    let lines = Lines::new(text.as_bytes(), separator);
    if chomp { lines.chomp() } else { lines }
        .map(|line| std::str::from_utf8(line).unwrap())
        .collect()
}

#[test]
fn separators_are_literal_and_no_patterns() {
    let rows: [(Option<&str>, &str, &[&str]); 13] = [
        (Some("."), "a.b.c", &["a", "b", "c"]),
        (Some("."), "abc", &["abc"]),
        (Some("|"), "a|b||c|", &["a", "b", "", "c"]),
        (Some("\n\n"), "a\n\n\nb\n\nc\n", &["a", "\nb", "c\n"]),
        (Some("\r\n"), "a\r\nb\rc\n\r\nd", &["a", "b\rc\n", "d"]),
        (Some("[a-z]"), "1[a-z]2a3", &["1", "2a3"]),
        (Some("\0"), "a\0b\0", &["a", "b"]),
        (Some("é"), "caféte", &["caf", "te"]),
        (Some("aa"), "baaab", &["b", "ab"]),
        (Some(""), "\n\na\nb\n\n\n\nc\n", &["a\nb", "c"]),
        (Some(""), "\n\n\n", &[]),
        (None, "a.b.c\n\nd", &["a.b.c\n\nd"]),
        (None, "", &[]),
    ];
    for (separator, text, expected) in rows {
        let separator = Separator::from(separator);
        assert_eq!(cut(text, &separator, true), expected, "{separator:?} {text:?}");
    }
}

#[test]
fn without_chomp_every_line_keeps_its_separator() {
    let rows: [(Option<&str>, &str, &[&str]); 4] = [
        (Some("\n"), "a\n\nb", &["a\n", "\n", "b"]),
        (Some("--"), "a--b--", &["a--", "b--"]),
        (Some(""), "\na\n\n\nb\n", &["a\n\n\n", "b\n"]),
        (None, "a\nb", &["a\nb"]),
    ];
    for (separator, text, expected) in rows {
        let separator = Separator::from(separator);
        assert_eq!(cut(text, &separator, false), expected, "{separator:?} {text:?}");
    }
}

#[test]
fn an_empty_file_has_no_lines_and_a_missing_one_is_an_error() {
    let scratch = Scratch::new();
    assert!(lines(scratch.file("empty", "")).unwrap().to_vec().is_empty());
    assert!(lines(scratch.join("missing")).is_err());
}

#[test]
fn edited_lines_keep_their_separators_with_chomp_and_go_when_emptied_without() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "a\r\nb\r\nlast");
    let spew = Spew::new().separator("\r\n");
    assert!(spew.clone().chomp().edit_lines(&path, |line| line.make_ascii_uppercase()).unwrap());
    assert_eq!(std::fs::read(&path).unwrap(), b"A\r\nB\r\nLAST");
    spew.edit_lines(&path, |line| {
        if line[0] == b'A' {
            line.clear()
        }
    })
    .unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"B\r\nLAST");

    let path = scratch.file("paragraphs", "\n\none\n\n\ntwo\n");
    let spew = Spew::new().separator("");
    assert!(!spew.edit_lines(&path, |_| ()).unwrap(), "nothing is lost at either end");
    spew.chomp().edit_lines(&path, |line| line.push(b'!')).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"\n\none!\n\n\ntwo!\n");
}

#[test]
fn lines_are_read_from_files_with_the_separator_asked_for() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "a;b;c");
    let read = Slurp::new().separator(";").keep_separators().read_lines(&path).unwrap();
    assert_eq!(read.to_vec(), [&b"a;"[..], b"b;", b"c"]);
    assert_eq!(read.iter().count(), 3);
    assert_eq!(read.into_text(), b"a;b;c");
}

proptest! {
    #[test]
    fn any_text_is_cut_as_a_naive_split_cuts_it(text in "[ab\n]{0,300}", separator in "[ab\n]{1,3}", chomp: bool) {
        let literal = Separator::from(separator.as_str());
        let mut expected: Vec<String> =
            text.split(&separator).map(|line| if chomp { line.into() } else { format!("{line}{separator}") }).collect();
        // `split` gives an empty piece at the end.
        let last = expected.pop().unwrap();
        let last = if chomp { &last[..] } else { last.strip_suffix(&separator).unwrap() };
        if !last.is_empty() {
            expected.push(last.to_owned());
        }
        prop_assert_eq!(cut(&text, &literal, chomp), expected);
    }

    #[test]
    fn long_texts_are_cut_at_every_mark(
        lengths in prop::collection::vec(0usize..200, 0..200),
        byte in any::<u8>(),
        terminated: bool,
    ) {
        let other = byte.wrapping_add(1);
        let mut text = Vec::new();
        for &length in &lengths {
            text.resize(text.len() + length, other);
            text.push(byte);
        }
        let mut expected: Vec<usize> = lengths;
        if !terminated && text.pop().is_some() && expected.last() == Some(&0) {
            expected.pop();
        }
        let separator = Separator::from(&[byte][..]);
        let found: Vec<usize> = Lines::new(&text, &separator).chomp().map(<[u8]>::len).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn unchomped_lines_put_together_are_the_text(text in "[a\n]{0,40}", separator in prop::option::of("[a\n]{0,2}")) {
        let separator = Separator::from(separator.as_deref());
        let leading = if separator == Separator::Paragraph { text.len() - text.trim_start_matches('\n').len() } else { 0 };
        prop_assert_eq!(cut(&text, &separator, false).concat(), &text[leading..]);
    }
}
