//! Unicode's test data for normal forms, and joins at every place.

use crate::unicode_data::{rows, string};
use proptest::prelude::*;
use riverhawk_text::{NormalForm, concat_normalized, is_normalized, normalize};
use std::borrow::Cow;
use std::collections::HashSet;
use unicode_normalization::UnicodeNormalization;

const FORMS: [NormalForm; 4] =
    [NormalForm::Nfc, NormalForm::Nfd, NormalForm::Nfkc, NormalForm::Nfkd];

/// Source, NFC, NFD, NFKC, NFKD; an empty column is the one before.
fn columns(row: &str) -> [String; 5] {
    let mut columns: Vec<String> = Vec::new();
    for column in row.split(';') {
        columns.push(if column.is_empty() {
            columns.last().expect("a source").clone()
        } else {
            string(column)
        });
    }
    columns.try_into().expect("five columns")
}

fn assert_form(text: &str, form: NormalForm, expected: &str) {
    let normalized = normalize(text.as_bytes(), form);
    assert_eq!(&*normalized, expected.as_bytes(), "{text:?} in {form:?}");
    assert_eq!(is_normalized(text.as_bytes(), form), text == expected, "{text:?} in {form:?}");
    if text == expected {
        assert!(matches!(normalized, Cow::Borrowed(_)), "{text:?} in {form:?} needs no copy");
    }
}

#[test]
fn every_row_of_normalization_test_holds() {
    let (mut count, mut part, mut listed) = (0, "", HashSet::new());
    for row in rows(include_str!("data/normalization_18.txt")) {
        if row.starts_with('@') {
            part = row;
            continue;
        }
        let [source, nfc, nfd, nfkc, nfkd] = columns(row);
        for text in [&source, &nfc, &nfd] {
            assert_form(text, NormalForm::Nfc, &nfc);
            assert_form(text, NormalForm::Nfd, &nfd);
        }
        for text in [&nfkc, &nfkd] {
            assert_form(text, NormalForm::Nfc, &nfkc);
            assert_form(text, NormalForm::Nfd, &nfkd);
        }
        for text in [&source, &nfc, &nfd, &nfkc, &nfkd] {
            assert_form(text, NormalForm::Nfkc, &nfkc);
            assert_form(text, NormalForm::Nfkd, &nfkd);
        }
        if part == "@Part1" {
            listed.extend(source.chars());
        }
        count += 1;
    }
    assert_eq!(count, 20171);
    // Code points that part 1 does not list are the same in all forms.
    for c in ('\0'..=char::MAX).filter(|c| !listed.contains(c)) {
        let text = c.to_string();
        for form in FORMS {
            assert_form(&text, form, &text);
        }
    }
}

#[test]
fn a_row_cut_at_every_place_and_joined_is_the_row() {
    for row in rows(include_str!("data/normalization_18.txt")).filter(|row| !row.starts_with('@')) {
        let [_, nfc, nfd, nfkc, nfkd] = columns(row);
        for (form, text) in FORMS.into_iter().zip([nfc, nfd, nfkc, nfkd]) {
            for (at, _) in text.char_indices() {
                let joined =
                    concat_normalized(&text.as_bytes()[..at], &text.as_bytes()[at..], form);
                assert_eq!(joined, text.as_bytes(), "{row} {form:?} at {at}");
            }
        }
    }
}

/// Letters and marks that compose, reorder, decompose; Hangul; plain stretches; broken bytes.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let composing = "aeD\u{301}\u{307}\u{323}\u{345}\u{94D}ǰệ\u{1E0C}Åﬁ²ａｶ\u{FF9E}か\u{3099}가각\u{1100}\u{1161}\u{11A8}\u{9C7}\u{9BE}\u{F71}\u{F72}\u{F74}𝅗𝅥\u{D4E}é \n";
    let piece = prop_oneof![
        12 => proptest::sample::select(composing.chars().collect::<Vec<_>>()).prop_map(|c| c.to_string().into_bytes()),
        1 => any::<char>().prop_map(|c| c.to_string().into_bytes()),
        2 => "[a-zà-ÿ]{1,80}".prop_map(String::into_bytes),
        1 => proptest::collection::vec(0x80u8.., 1..3),
    ];
    proptest::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

/// Valid text as `unicode-normalization` normalises it; broken bytes unchanged.
fn expected(text: &[u8], form: NormalForm) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in text.utf8_chunks() {
        let valid = chunk.valid();
        let normal: String = match form {
            NormalForm::Nfc => valid.nfc().collect(),
            NormalForm::Nfd => valid.nfd().collect(),
            NormalForm::Nfkc => valid.nfkc().collect(),
            NormalForm::Nfkd => valid.nfkd().collect(),
        };
        out.extend_from_slice(normal.as_bytes());
        out.extend_from_slice(chunk.invalid());
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn forms_equal_another_implementation_on_the_whole_text(text in texts()) {
        for form in FORMS {
            let expected = expected(&text, form);
            prop_assert_eq!(&*normalize(&text, form), &expected[..]);
            prop_assert_eq!(is_normalized(&text, form), text == expected);
        }
    }

    #[test]
    fn joins_equal_normalising_everything(left in texts(), right in texts()) {
        for form in FORMS {
            let (left, right) = (normalize(&left, form), normalize(&right, form));
            prop_assume!(left.utf8_chunks().last().is_none_or(|chunk| chunk.invalid().is_empty()) || right.is_ascii());
            let whole = [&*left, &*right].concat();
            prop_assert_eq!(concat_normalized(&left, &right, form), expected(&whole, form));
        }
    }
}

#[test]
fn forms_are_known_by_name_in_any_case() {
    for (name, form) in [
        (&b"nfc"[..], NormalForm::Nfc),
        (b"NFD", NormalForm::Nfd),
        (b"Nfkc", NormalForm::Nfkc),
        (b"nfKD", NormalForm::Nfkd),
    ] {
        assert_eq!(NormalForm::from_name(name), Some(form));
    }
    assert_eq!(NormalForm::from_name(b"nf"), None);
}
