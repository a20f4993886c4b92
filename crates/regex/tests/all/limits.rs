//! Expensive patterns and texts: each must end, in an answer or an error.

use riverhawk_regex::{Match, Options, Regex};

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern.as_bytes(), &Options::default()).unwrap()
}

#[test]
fn patterns_that_need_too_much_memory_are_errors() {
    for pattern in [
        "a{1000}{1000}",
        "(a{1,30000}){1,30000}",
        "((((a{99}){99}){99}){99}){99}",
        "[[:alpha:]]{32767}",
        "(a|b){32767}{9}",
    ] {
        let error = Regex::new(pattern.as_bytes(), &Options::default()).unwrap_err();
        assert_eq!(error.message(), "regular expression too big", "{pattern}");
    }
    assert!(Regex::new(b"a{32767}", &Options::default()).is_ok());
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    let deep = format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(
        Regex::new(deep.as_bytes(), &Options::default()).unwrap_err().message().contains("nested")
    );
    let repeats = format!("a{}", "{2}".repeat(100_000));
    assert!(Regex::new(repeats.as_bytes(), &Options::default()).is_err());
    let stars = format!("a{}", "*".repeat(100_000));
    assert_eq!(regex(&stars).find(b"aaa"), Some(Match { start: 0, end: 3 }));
    let fits = format!("{}a{}", "(".repeat(200), ")".repeat(200));
    assert_eq!(regex(&fits).group_count(), 200);
}

#[test]
fn errors_say_what_and_where() {
    for (pattern, want) in [
        ("ab(c", "unmatched ( at byte 2 of the regular expression"),
        ("a[b", "unmatched [ at byte 1 of the regular expression"),
        (
            r"a\x41[[:foo:]]",
            "invalid character class name [:foo:] at byte 6 of the regular expression",
        ),
        ("x{2,1}", "invalid content of {} at byte 1 of the regular expression"),
        ("a{40000}", "regular expression too big at byte 1 of the regular expression"),
        ("[z-a]", "invalid range end at byte 1 of the regular expression"),
        (r"ab\", "trailing backslash at byte 2 of the regular expression"),
    ] {
        assert_eq!(
            Regex::new(pattern.as_bytes(), &Options::default()).unwrap_err().to_string(),
            want
        );
    }
}

#[test]
fn hard_patterns_on_long_texts_end_with_the_right_answer() {
    let text = vec![b'a'; 30_000];
    let all = Some(Match { start: 0, end: 30_000 });
    for (pattern, want) in [
        ("(a*)*b", None),
        ("(a|aa)+$", all),
        ("(a*)*(a*)*", all),
        ("(.*)(.*)(.*)(.*)x", None),
        ("((a{1,10}){1,10}){1,10}", Some(Match { start: 0, end: 1_000 })),
        (r"(\w+)*\y-", None),
    ] {
        let regex = regex(pattern);
        assert_eq!(regex.find(&text), want, "{pattern}");
        assert_eq!(regex.is_match(&text), want.is_some(), "{pattern}");
    }
}

#[test]
fn groups_of_a_long_match_are_found() {
    let mut text = vec![b'x'; 3_000_000];
    text[2_000_000] = b'=';
    let mut groups = Vec::new();
    assert!(regex("^([a-z]+)=([a-z]+|([0-9]+))*$").captures(&text, &mut groups));
    assert_eq!(groups[1], Some(Match { start: 0, end: 2_000_000 }));
    assert_eq!(groups[2], Some(Match { start: 2_000_001, end: 3_000_000 }));
    assert_eq!(groups[3], None);
}

#[test]
fn a_search_behind_the_end_finds_nothing() {
    for pattern in ["a", "a*", "$", "abc", "[^x]*", "a|b"] {
        assert_eq!(regex(pattern).find_at(b"abc", 4), None, "{pattern}");
    }
    assert_eq!(regex("$").find_at(b"abc", 3), Some(Match { start: 3, end: 3 }));
    assert_eq!(regex("^").find_at(b"abc", 1), None);
}

/// Endless if each start were followed to the end of the text.
#[test]
fn a_text_too_long_to_remember_places_of_is_searched_in_linear_time_too() {
    let text = vec![b'a'; (64 << 20) + 1];
    assert_eq!(Regex::new(b"a*b", &Options::default()).unwrap().find(&text), None);
}
