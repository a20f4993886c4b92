//! Clusters of a stream cut anywhere equal those of the whole text.

use proptest::prelude::*;
use riverhawk_text::{GraphemeScanner, grapheme_boundaries};

/// The ends reported for `text` in pieces that end at `cuts`, and the number of clusters.
fn scanned(text: &[u8], cuts: &[usize]) -> (Vec<u64>, u64) {
    let mut scanner = GraphemeScanner::new();
    let mut ends = Vec::new();
    let mut from = 0;
    for &cut in cuts.iter().chain([&text.len()]) {
        scanner.feed(&text[from..cut], |end| ends.push(end));
        from = cut;
        assert_eq!(scanner.complete_offset(), ends.last().copied().unwrap_or(0));
        assert_eq!(scanner.complete_count(), ends.len() as u64);
        assert!(scanner.complete_offset() <= cut as u64);
    }
    let count = scanner.finish(|end| ends.push(end));
    assert_eq!(scanner.complete_offset(), 0, "a finished scanner is at a start again");
    (ends, count)
}

fn check(text: &[u8], cuts: &[usize]) {
    let expected: Vec<u64> = grapheme_boundaries(text).skip(1).map(|end| end as u64).collect();
    let (ends, count) = scanned(text, cuts);
    assert_eq!(ends, expected, "{text:x?} cut at {cuts:?}");
    assert_eq!(count, expected.len() as u64);
}

fn texts() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => proptest::sample::select("\r\n\u{301}\u{200D}\u{600}🇦🇧👩🏽क\u{94D}\u{1100}가\u{11A8}ax é€".chars().collect::<Vec<_>>())
            .prop_map(|c| c.to_string().into_bytes()),
        1 => any::<char>().prop_map(|c| c.to_string().into_bytes()),
        2 => proptest::collection::vec(0x80u8.., 1..3),
    ];
    proptest::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn pieces_of_any_size_give_the_clusters_of_the_whole(
        text in texts(),
        mut cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6),
    ) {
        let mut cuts: Vec<usize> = cuts.drain(..).map(|cut| cut.index(text.len() + 1)).collect();
        cuts.sort_unstable();
        check(&text, &cuts);
        check(&text, &(0..=text.len()).collect::<Vec<_>>());
        for cut in 0..=text.len() {
            check(&text, &[cut]);
        }
    }

    #[test]
    fn what_is_complete_stays_complete_whatever_follows(text in texts(), more in texts()) {
        let mut scanner = GraphemeScanner::new();
        scanner.feed(&text, |_| {});
        let complete = scanner.complete_offset() as usize;
        let whole = [&text[..], &more].concat();
        prop_assert!(grapheme_boundaries(&whole).any(|at| at == complete));
    }
}

#[test]
fn a_line_does_not_wait_for_the_next_one() {
    // The last code point of a line must not be withheld or lost.
    let mut scanner = GraphemeScanner::new();
    let mut ends = Vec::new();
    scanner.feed(b"ok\n", |end| ends.push(end));
    assert_eq!(ends, [1, 2, 3]);
    scanner.feed(b"\xFF", |end| ends.push(end));
    assert_eq!(ends, [1, 2, 3, 4]);
    scanner.feed(b"e", |end| ends.push(end));
    assert_eq!(ends.len(), 4, "an accent may follow");
    scanner.feed(b"\xCC", |end| ends.push(end));
    assert_eq!(ends.len(), 4, "half an accent decides nothing");
    scanner.feed(b"x", |end| ends.push(end));
    assert_eq!(ends, [1, 2, 3, 4, 5, 6]);
}
