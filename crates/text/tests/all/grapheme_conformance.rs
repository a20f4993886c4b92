//! Unicode's test data for grapheme clusters, and a comparison with `icu_segmenter` on random text.

use crate::unicode_data::{rows, string};
use icu_segmenter::GraphemeClusterSegmenter;
use proptest::prelude::*;
use riverhawk_text::{
    Unit, byte_to_char, char_to_byte, chars, grapheme_boundaries, grapheme_count, graphemes,
    length, str_graphemes, substr_range,
};

#[test]
fn every_row_of_grapheme_break_test_is_cut_as_it_says() {
    let mut count = 0;
    for row in rows(include_str!("data/grapheme_break_18.txt")) {
        let clusters: Vec<String> = row
            .split('÷')
            .filter(|cluster| !cluster.trim().is_empty())
            .map(|cluster| string(&cluster.replace('×', " ")))
            .collect();
        let text = clusters.concat();
        assert_eq!(str_graphemes(&text).collect::<Vec<_>>(), clusters, "{row}");
        assert_eq!(grapheme_count(text.as_bytes()), clusters.len(), "{row}");
        count += 1;
    }
    assert_eq!(count, 853);
}

#[test]
fn every_emoji_sequence_is_one_grapheme_also_among_others() {
    let mut before = String::new();
    let mut count = 0;
    for row in rows(include_str!("data/emoji_18.txt")) {
        let (status, codes) = row.split_once(' ').expect("a status");
        let emoji = string(codes);
        assert_eq!(grapheme_count(emoji.as_bytes()), 1, "{row}");
        // Skin tones join the character before them.
        if status != "C" {
            assert_eq!(grapheme_count(format!("a{emoji}b").as_bytes()), 3, "{row}");
            assert_eq!(
                grapheme_count(format!("{before}{emoji}").as_bytes()),
                usize::from(!before.is_empty()) + 1,
                "{row}"
            );
        }
        before = emoji;
        count += 1;
    }
    assert_eq!(count, 5244);
}

/// The clusters of `icu_segmenter` in valid text; each broken byte alone.
///
/// Its unstable `new_neo` has the conjunct rule of Unicode 18.
fn expected_boundaries(text: &[u8]) -> Vec<usize> {
    let segmenter = GraphemeClusterSegmenter::new_neo();
    let mut boundaries = vec![0];
    let mut at = 0;
    for chunk in text.utf8_chunks() {
        boundaries.extend(
            segmenter.segment_str(chunk.valid()).filter(|end| *end > 0).map(|end| at + end),
        );
        at += chunk.valid().len();
        for _ in chunk.invalid() {
            at += 1;
            boundaries.push(at);
        }
    }
    boundaries
}

/// Text of every class, with plain stretches of every length, and broken bytes.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let of_class = proptest::sample::select(
        "\r\n\0\u{AD}\u{301}\u{200C}\u{94D}\u{200D}\u{903}\u{600}🇦🇧©👩🏽कত\u{1CF5}\u{1100}\u{1161}\u{11A8}각가ax \u{E01EF}é"
            .chars()
            .map(String::from)
            .collect::<Vec<_>>(),
    )
    .prop_map(String::into_bytes);
    let piece = prop_oneof![
        12 => of_class,
        2 => any::<char>().prop_map(|c| c.to_string().into_bytes()),
        2 => "[a-z ]{1,70}".prop_map(String::into_bytes),
        1 => "[a-zà-ÿ]{1,70}".prop_map(String::into_bytes),
        1 => proptest::collection::vec(0x80u8.., 1..4),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn boundaries_counts_and_positions_equal_the_segmenter_run_on_the_whole_text(text in texts()) {
        let expected = expected_boundaries(&text);
        prop_assert_eq!(grapheme_boundaries(&text).collect::<Vec<_>>(), &expected[..]);
        prop_assert_eq!(graphemes(&text).map(<[u8]>::len).sum::<usize>(), text.len());
        prop_assert_eq!(length(&text, Unit::Grapheme), expected.len() - 1);
        prop_assert_eq!(chars(&text, Unit::Grapheme).count(), expected.len() - 1);
        for (n, at) in expected.iter().enumerate() {
            prop_assert_eq!(char_to_byte(&text, Unit::Grapheme, n), *at);
            prop_assert_eq!(byte_to_char(&text, Unit::Grapheme, *at), n);
            let cut = substr_range(&text, Unit::Grapheme, n as f64 + 1.0, Some(2.0));
            prop_assert_eq!(cut, *at..expected[(n + 2).min(expected.len() - 1)]);
        }
        prop_assert_eq!(char_to_byte(&text, Unit::Grapheme, usize::MAX), text.len());
    }
}

#[test]
fn every_four_classes_equal_the_segmenter() {
    let of_class: Vec<char> =
        "\r\n\0\u{301}\u{200C}\u{94D}\u{200D}\u{903}\u{600}🇦©क\u{1CF5}\u{1100}\u{1161}\u{11A8}각가a".chars().collect();
    for a in &of_class {
        for b in &of_class {
            for c in &of_class {
                for d in &of_class {
                    let text = String::from_iter([a, b, c, d]);
                    let found: Vec<_> = grapheme_boundaries(text.as_bytes()).collect();
                    assert_eq!(found, expected_boundaries(text.as_bytes()), "{text:?}");
                }
            }
        }
    }
}
