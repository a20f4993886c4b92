//! Code points of a text in pieces.

use crate::block::BLOCK;

/// Marks the bytes of `text` that are not continuation bytes: bit `i` of `marks[k]` is byte
/// `64 * k + i`. Returns whether `before` and `text` together are UTF-8 so far.
///
/// `before` is the valid text before, or its last three bytes. Both may end inside a code point.
/// Spare bits of the last word are 0; later words stay.
///
/// Algorithm: Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte" (2021).
///
/// # Panics
/// If `marks` has fewer than `text.len().div_ceil(64)` words.
///
/// ```
/// let mut marks = [0; 1];
/// assert!(riverhawk_simd::mark_code_points(b"", "añ日\n".as_bytes(), &mut marks));
/// assert_eq!(marks, [0b1001011]);
/// assert!(riverhawk_simd::mark_code_points(b"\xE6\x97", b"\xA5", &mut marks));
/// assert!(!riverhawk_simd::mark_code_points(b"\xE6\x97", b"x", &mut marks));
/// ```
pub fn mark_code_points(before: &[u8], text: &[u8], marks: &mut [u64]) -> bool {
    let blocks = text.len().div_ceil(BLOCK);
    assert!(marks.len() >= blocks, "mark words for {blocks} blocks");
    crate::kernels::mark_code_points(before, text, &mut marks[..blocks])
}

/// Writes to `ranks[i]` the number of set bits before bit `places[i]`; returns that of all.
///
/// # Panics
/// If `marks` has more than 64 words, or `ranks` is shorter than `places`.
///
/// ```
/// let mut ranks = [0; 3];
/// assert_eq!(riverhawk_simd::rank_places(&[0b1001011], &[0, 2, 6], &mut ranks), 4);
/// assert_eq!(ranks, [0, 2, 3]);
/// ```
pub fn rank_places(marks: &[u64], places: &[u16], ranks: &mut [u16]) -> usize {
    assert!(marks.len() <= BLOCK, "{} mark words, of at most 64", marks.len());
    assert!(ranks.len() >= places.len(), "room for {} ranks", places.len());
    crate::kernels::rank_places(marks, places, ranks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;
    use proptest::prelude::*;

    fn in_pieces(
        text: &[u8],
        cuts: &[usize],
        mark: impl Fn(&[u8], &[u8], &mut [u64]) -> bool,
    ) -> Option<Vec<bool>> {
        let mut starts = Vec::new();
        let mut from = 0;
        let mut is_valid = true;
        for &to in cuts.iter().chain([&text.len()]) {
            let to = to.clamp(from, text.len());
            let mut marks = vec![0x5555; (to - from).div_ceil(64) + 1];
            is_valid &= mark(&text[from.saturating_sub(3)..from], &text[from..to], &mut marks);
            assert_eq!(marks.last(), Some(&0x5555));
            assert!((to - from) % 64 == 0 || marks[(to - from) / 64] >> ((to - from) % 64) == 0);
            starts.extend((0..to - from).map(|i| marks[i / 64] >> (i % 64) & 1 == 1));
            from = to;
        }
        (is_valid && naive::missing_behind(text) == 0).then_some(starts)
    }

    fn check(text: &[u8], cuts: &[usize]) {
        let expected = std::str::from_utf8(text)
            .ok()
            .map(|_| text.iter().map(|&byte| !(0x80..0xC0).contains(&byte)).collect::<Vec<_>>());
        assert_eq!(in_pieces(text, cuts, mark_code_points), expected, "{text:x?} {cuts:?}");
        assert_eq!(in_pieces(text, cuts, naive::mark_code_points), expected, "{text:x?} {cuts:?}");
    }

    #[test]
    fn sequences_of_every_two_bytes_with_any_kind_of_third_are_judged_as_by_the_standard_library() {
        let judge = |text: &[u8]| {
            check(text, &[1, 2, 3]);
            check(text, &[]);
        };
        for first in 0x7F..=0xFF {
            judge(&[first]);
            // ASCII behind it is one kind, with its first and its last.
            for second in [0x00].into_iter().chain(0x7F..=0xFF) {
                judge(&[first, second]);
                for third in [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xE1, 0xFF] {
                    judge(&[first, second, third]);
                    judge(&[first, second, third, 0x80]);
                }
            }
        }
    }

    #[test]
    fn a_broken_byte_at_any_place_of_a_block_is_seen_whatever_the_cut() {
        let good: Vec<u8> = "añ日🦅".bytes().cycle().take(10 * 20).collect();
        for at in 0..good.len() {
            let mut text = good.clone();
            for byte in [b'x', 0x80, 0xC3, 0xED, 0xF4, 0xFF] {
                text[at] = byte;
                check(&text, &[at / 2]);
                check(&text, &[at]);
                check(&text, &[64, at + 1]);
            }
        }
    }

    #[test]
    #[should_panic(expected = "mark words")]
    fn too_few_mark_words_are_refused() {
        mark_code_points(b"", &[0; 65], &mut [0; 1]);
    }

    #[test]
    fn ranks_of_places_out_of_order_and_of_none_are_right() {
        let mut ranks = [0; 3];
        assert_eq!(rank_places(&[!0, !0, 1], &[130, 5, 64], &mut ranks), 129);
        assert_eq!(ranks, [129, 5, 64]);
        assert_eq!(rank_places(&[], &[], &mut ranks), 0);
        assert_eq!(rank_places(&[!0; 64], &[4095], &mut ranks), 4096);
        assert_eq!(ranks[0], 4095);
    }

    proptest! {
        #[test]
        fn pieces_of_any_text_are_judged_as_the_whole(
            mut text in proptest::collection::vec(prop_oneof![Just('a'), Just('ñ'), proptest::char::any()], 0..150)
                .prop_map(|chars| chars.into_iter().collect::<String>().into_bytes()),
            mut cuts in proptest::collection::vec(0usize..600, 0..4),
            damage in proptest::option::of((any::<proptest::sample::Index>(), any::<u8>())),
        ) {
            cuts.sort_unstable();
            check(&text, &cuts);
            if let (Some((at, byte)), false) = (damage, text.is_empty()) {
                let at = at.index(text.len());
                text[at] = byte;
                check(&text, &cuts);
            }
        }

        #[test]
        fn ranks_equal_the_twin(
            marks in proptest::collection::vec(any::<u64>(), 1..65),
            places in proptest::collection::vec(any::<proptest::sample::Index>(), 0..50),
        ) {
            let mut places: Vec<u16> = places.iter().map(|place| place.index(64 * marks.len()) as u16).collect();
            for _ in 0..2 {
                let (mut fast, mut slow) = (vec![0; places.len()], vec![0; places.len()]);
                let total = rank_places(&marks, &places, &mut fast);
                prop_assert_eq!(naive::rank_places(&marks, &places, &mut slow), total);
                prop_assert_eq!(&fast, &slow);
                prop_assert_eq!(crate::portable::rank_places(&marks, &places, &mut fast), total);
                prop_assert_eq!(fast, slow);
                places.sort_unstable();
            }
        }
    }
}
