//! Properties of compiled patterns.

use riverhawk_regex::{Options, Regex};

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern.as_bytes(), &Options::default()).unwrap()
}

#[test]
fn literals_are_recognised_through_escapes_and_not_through_anchors_or_case() {
    assert_eq!(regex("abc").literal(), Some(&b"abc"[..]));
    assert_eq!(regex(r"a\.b\x41").literal(), Some(&b"a.bA"[..]));
    assert_eq!(regex("a").literal(), Some(&b"a"[..]));
    assert_eq!(regex("[|]").literal(), Some(&b"|"[..]));
    assert_eq!(regex("日本").literal(), Some("日本".as_bytes()));
    for pattern in ["", "^abc", "abc$", "a*", "(abc)", "ab|cd", "[ab]"] {
        assert_eq!(regex(pattern).literal(), None, "{pattern}");
    }
    assert_eq!(
        Regex::new(b"abc", &Options { ignore_case: true, ..Options::default() }).unwrap().literal(),
        None
    );
}

#[test]
fn single_bytes_and_runs_are_recognised() {
    let set = regex("[ \t]");
    assert_eq!(
        (0..=255).filter(|&byte| set.single_byte().unwrap().contains(byte)).collect::<Vec<u8>>(),
        b"\t "
    );
    assert_eq!(regex("|").single_byte().map(|_| ()), None);
    assert_eq!(regex("[|]").single_byte().unwrap().only(), Some(b'|'));
    assert!(regex("[^,]").single_byte().is_none(), "in UTF-8 it is up to four bytes");
    assert!(
        Regex::new(b"[^,]", &Options { bytes: true, ..Options::default() })
            .unwrap()
            .single_byte()
            .unwrap()
            .contains(0xff)
    );
    for is_ascii in [true, false] {
        assert!(regex("[ \t]+").byte_runs(|| is_ascii).unwrap().contains(b' '));
        assert!(regex("[ \t]*").byte_runs(|| is_ascii).is_none());
    }
    assert!(regex("[^ \t]").single_bytes(|| true).unwrap().contains(b'a'));
    assert!(regex("[^ \t]").single_bytes(|| false).is_none());
    assert!(regex("[ \t]").single_bytes(|| false).unwrap().contains(b'\t'));
    assert!(regex("[^ \t]+").byte_runs(|| true).unwrap().contains(b'a'));
    assert!(regex("[^ \t]+").byte_runs(|| false).is_none(), "its characters have several bytes");
}

#[test]
fn bytes_that_are_no_character_are_members_of_brackets() {
    let found = |pattern: &[u8], text: &[u8]| {
        Regex::new(pattern, &Options::default())
            .unwrap()
            .find(text)
            .map(|found| (found.start, found.end))
    };
    assert_eq!(found(b"[\x80-\xff]+", b"a\xfe\xffb"), Some((1, 3)));
    assert_eq!(found(b"[\x90-\x9f]", b"\x8f\xa0\x9f"), Some((2, 3)));
    assert!(Regex::new(b"[\xff-\x80]", &Options::default()).is_err());
    assert!(
        Regex::new(b"[a-\xff]", &Options::default()).is_err(),
        "no range goes from characters to bytes"
    );
}

#[test]
fn anchored_patterns_are_recognised() {
    for (pattern, want) in [
        ("^a", true),
        ("^a|^b", true),
        ("(^a)b", true),
        ("^*", true),
        ("^a|b", false),
        ("a", false),
    ] {
        assert_eq!(regex(pattern).anchored_start(), want, "{pattern}");
    }
}

#[test]
fn it_is_known_whether_the_beginning_of_the_text_counts() {
    for (pattern, want) in
        [("^a", true), ("b|(^a)", true), ("a$", false), ("a", false), (r"\ya", false)]
    {
        assert_eq!(regex(pattern).looks_at_start(), want, "{pattern}");
    }
}

#[test]
fn runs_of_some_characters_beyond_ascii_leave_out_the_others() {
    for (pattern, text, want) in [
        ("[\u{81}-\u{10ffff}]+", "\u{80}é\u{80}", (2, 4)),
        ("[\u{80}-\u{10ffff}]+", "a\u{80}é", (1, 5)),
        ("[a\u{80}-\u{10fffe}]+", "aé\u{10ffff}", (0, 3)),
        ("[b-\u{10ffff}]+", "abé日", (1, 7)),
        ("[a-c\u{e0}-\u{ff}]+", "xbé日", (1, 4)),
    ] {
        let found = regex(pattern).find(text.as_bytes()).map(|found| (found.start, found.end));
        assert_eq!(found, Some(want), "{pattern}");
    }
}

#[test]
fn runs_of_everything_but_a_byte_stop_at_bytes_that_are_no_character() {
    let regex = regex("[^ ]+");
    let text = "ab é日 ".repeat(20).into_bytes();
    assert_eq!(regex.matches(&text).count(), 40);
    let spans: Vec<(usize, usize)> =
        regex.matches(b"a\xffb \xc3 \xe6\x97").map(|found| (found.start, found.end)).collect();
    assert_eq!(spans, [(0, 1), (2, 3)]);
}
