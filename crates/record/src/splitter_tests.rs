//! Each splitter against a naive one, resumed at every field.

use super::*;
use proptest::prelude::*;

fn naively(separator: &str, newlines: Newlines, text: &str) -> Vec<String> {
    if separator.is_empty() {
        return text.chars().map(String::from).collect();
    }
    if separator == " " {
        return text
            .split([' ', '\t', '\n'])
            .filter(|piece| !piece.is_empty())
            .map(str::to_owned)
            .collect();
    }
    if text.is_empty() {
        return Vec::new();
    }
    let runs = |text: &str, separates: fn(char) -> bool| {
        let mut out = vec![String::new()];
        let mut in_run = false;
        for character in text.chars() {
            match (separates(character), in_run) {
                (true, true) => {}
                (true, false) => out.push(String::new()),
                _ => out.last_mut().expect("one piece").push(character),
            }
            in_run = separates(character);
        }
        out
    };
    let pieces = |text: &str| -> Vec<String> {
        match separator {
            // A text without b is one piece.
            "b+" | "b*" => runs(text, |character| character == 'b'),
            "[ab]+" => runs(text, |character| "ab".contains(character)),
            "[^a.]+" => runs(text, |character| !"a.".contains(character)),
            "[^a.]" => text.split(|c| !"a.".contains(c)).map(str::to_owned).collect(),
            "[b|]" => text.split(['b', '|']).map(str::to_owned).collect(),
            literal => text.split(literal).map(str::to_owned).collect(),
        }
    };
    if newlines == Newlines::Separate && separator.len() == 1 {
        text.split('\n')
            .flat_map(|line| if line.is_empty() { vec![String::new()] } else { pieces(line) })
            .collect()
    } else {
        pieces(text)
    }
}

const SEPARATORS: [&str; 14] =
    [" ", "", "a", "é", ".", "|", "ab", "b+", "b*", "\t", "[ab]+", "[^a.]+", "[^a.]", "[b|]"];

fn split(splitter: &Splitter, text: &str, wanted: usize) -> Vec<String> {
    let (mut ranges, mut at, mut rounds) = (Vec::new(), 0, 0);
    while at != FINISHED {
        at = splitter.split(text.as_bytes(), at, wanted, &mut ranges);
        rounds += 1;
        assert!(rounds <= text.len() + 2, "no progress on {text:?}");
    }
    ranges.iter().map(|&(start, end)| text[start as usize..end as usize].to_owned()).collect()
}

fn check(separator: &str, newlines: Newlines, text: &str) {
    let splitter =
        Splitter::new(separator.as_bytes(), newlines, &Options::default(), Unit::CodePoint)
            .expect("a splitter");
    let expected = naively(separator, newlines, text);
    for wanted in (1..=expected.len() + 2).chain([usize::MAX]) {
        assert_eq!(
            split(&splitter, text, wanted),
            expected,
            "FS={separator:?} {text:?}, {wanted} at a time"
        );
    }
}

proptest! {
    #[test]
    fn every_kind_splits_as_its_naive_twin_resumed_at_every_count(text in "[ab.| \t\né]{0,14}") {
        for separator in SEPARATORS {
            check(separator, Newlines::Text, &text);
        }
    }

    #[test]
    fn in_paragraphs_a_newline_separates_too_unless_separators_are_longer(text in "[ab.|\né]{0,14}") {
        for separator in SEPARATORS {
            check(separator, Newlines::Separate, &text);
        }
    }

    #[test]
    fn what_stood_between_and_the_fields_are_the_whole_text(text in "[ab, ]{0,14}") {
        for separator in [",", "ab", "b+"] {
            let splitter =
                Splitter::new(separator.as_bytes(), Newlines::Text, &Options::default(), Unit::CodePoint).expect("a splitter");
            let (mut fields, mut gaps) = (Vec::new(), Vec::new());
            splitter.split_keeping(text.as_bytes(), &mut fields, &mut gaps);
            let mut whole = String::new();
            for (at, &(start, end)) in fields.iter().enumerate() {
                whole.push_str(&text[start as usize..end as usize]);
                if let Some(&(start, end)) = gaps.get(at) {
                    whole.push_str(&text[start as usize..end as usize]);
                }
            }
            prop_assert_eq!(&whole, &text);
        }
    }
}

#[test]
fn runs_of_a_set_separate_in_texts_of_several_blocks() {
    for shift in 0..70 {
        let text = format!("{}{}", "a".repeat(shift), "b aa bb, é.bbb".repeat(12));
        check("b+", Newlines::Text, &text);
        check("b*", Newlines::Text, &text);
        check("[^a.]+", Newlines::Text, &text);
        check("[^a.]+", Newlines::Text, &text.replace('é', "e"));
    }
}

#[test]
fn long_texts_separate_alike_piece_by_piece_and_at_once() {
    for text in ["b aa bb, e.bbb".repeat(600), "b aa bb, é.bbb".repeat(600)] {
        for separator in ["[^a.]+", "[^a.]", "[ab]+", "[b|]"] {
            let options = Options::default();
            let splitter =
                Splitter::new(separator.as_bytes(), Newlines::Text, &options, Unit::CodePoint)
                    .expect("a splitter");
            let expected = naively(separator, Newlines::Text, &text);
            for wanted in [1, 100, usize::MAX] {
                assert_eq!(split(&splitter, &text, wanted), expected, "{separator} {wanted}");
            }
        }
    }
}

#[test]
fn after_a_resumption_an_anchored_separator_does_not_match_again() {
    let splitter =
        Splitter::new(b"^a|b", Newlines::Text, &Options::default(), Unit::CodePoint).expect("one");
    for wanted in [1, 2, usize::MAX] {
        assert_eq!(split(&splitter, "abaab", wanted), ["", "", "aa", ""], "{wanted} at a time");
    }
}

#[test]
fn a_single_punctuation_character_is_itself_and_not_a_regex() {
    for separator in ["|", ".", "*", "+", "[", "(", "^", "$", "\\"] {
        let text = format!("x{separator}y{separator}z");
        check(separator, Newlines::Text, &text);
        let paragraph = Splitter::new(
            separator.as_bytes(),
            Newlines::Separate,
            &Options::default(),
            Unit::CodePoint,
        )
        .expect("escaped");
        assert_eq!(split(&paragraph, &text, usize::MAX), ["x", "y", "z"], "{separator}");
    }
}

#[test]
fn bytes_that_are_no_character_are_pieces_of_their_own() {
    let mut out = Vec::new();
    Splitter::Characters(Unit::CodePoint).split(b"\xffa\xc3", 0, usize::MAX, &mut out);
    assert_eq!(out, [(0, 1), (1, 2), (2, 3)]);
    out.clear();
    Splitter::Characters(Unit::Byte).split("é".as_bytes(), 0, usize::MAX, &mut out);
    assert_eq!(out, [(0, 1), (1, 2)]);
}

#[test]
fn a_separator_that_is_no_regex_is_an_error_that_quotes_it() {
    let error = Splitter::new(b"a(", Newlines::Text, &Options::default(), Unit::CodePoint)
        .err()
        .expect("no regex");
    assert!(error.message.contains("a("), "{}", error.message);
}
