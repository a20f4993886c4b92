//! Marks of a byte, or of a set of bytes.

use crate::block::BLOCK;
use crate::byte_class::ByteClass;

/// Finds every `needle` in `text` and every block that is not ASCII, in one pass.
///
/// Bit `i` of `marks[k]` is set if `text[64 * k + i]` is `needle`, bit `k % 64` of `non_ascii[k /
/// 64]` if block `k` is not ASCII. Spare bits of the last block are 0; later words and bits stay.
///
/// Mark a few kilobytes at a time, so that the text is in the first-level cache.
///
/// # Panics
/// If `marks` has fewer than `text.len().div_ceil(64)` words, or `non_ascii` less than a bit per
/// block.
pub fn mark_byte(text: &[u8], needle: u8, marks: &mut [u64], non_ascii: &mut [u64]) {
    let blocks = text.len().div_ceil(BLOCK);
    assert!(
        marks.len() >= blocks && non_ascii.len() >= blocks.div_ceil(64),
        "mark words for {blocks} blocks"
    );
    crate::kernels::mark_byte(text, needle, &mut marks[..blocks], non_ascii)
}

/// A bit for each of the 64 bytes of `text` from `at` on, set for members of `class`; 0 beyond the end.
#[inline]
pub fn mask_of_members(text: &[u8], at: usize, class: &ByteClass) -> u64 {
    crate::kernels::mask_of_members(text, at, class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;
    use proptest::prelude::*;

    fn both(text: &[u8], needle: u8) {
        let blocks = text.len().div_ceil(64) + 1;
        let (mut fast, mut fast_high) = (vec![0x5555; blocks], vec![0x5555; blocks.div_ceil(64)]);
        let (mut slow, mut slow_high) = (fast.clone(), fast_high.clone());
        crate::mark_byte(text, needle, &mut fast, &mut fast_high);
        crate::naive::mark_byte(text, needle, &mut slow, &mut slow_high);
        assert_eq!(fast, slow);
        assert_eq!(fast_high, slow_high);
    }

    #[test]
    fn whole_groups_of_blocks_and_what_follows_them_mark_as_the_twin() {
        for length in [4095, 4096, 4097, 4160, 8191, 8192, 8200, 12_345] {
            let text: Vec<u8> = (0..length)
                .map(|i| if i % 61 == 60 { b'\n' } else { b'a' + (i % 26) as u8 })
                .collect();
            both(&text, b'\n');
            for at in (0..length).step_by(97).chain([0, 63, 64, 4032, length - 1]) {
                let mut text = text.clone();
                text[at] = 0xC3;
                both(&text, b'\n');
            }
        }
    }

    #[test]
    fn every_length_around_the_block_marks_as_the_twin() {
        for length in 0..200 {
            let text: Vec<u8> = (0..length)
                .map(|i| if i % 7 == 6 { b'\n' } else { b'a' + (i % 26) as u8 })
                .collect();
            both(&text, b'\n');
            for at in 0..length {
                let mut text = text.clone();
                text[at] = 0xC3;
                both(&text, 0xC3);
            }
        }
    }

    #[test]
    #[should_panic(expected = "mark words")]
    fn too_few_mark_words_are_refused_before_anything_is_written() {
        crate::mark_byte(&[0; 65], 0, &mut [0; 1], &mut [0; 1]);
    }

    proptest! {
        #[test]
        fn marks_equal_the_twin(text in proptest::collection::vec(any::<u8>(), 0..9000), needle: u8, skip in 0usize..64) {
            both(&text[skip.min(text.len())..], needle);
        }
    }

    fn check_members(class: &ByteClass, text: &[u8], at: usize) {
        let expected = naive::mask_of_members(text, at, class);
        assert_eq!(mask_of_members(text, at, class), expected, "{at} of {}", text.len());
    }

    #[test]
    fn each_byte_alone_is_found_at_every_place() {
        let all: Vec<u8> = (0..=255).collect();
        for byte in 0..=255u8 {
            let class = ByteClass::new(|found| found == byte);
            for at in [0, 1, 64, 100, 192, 200, 255, 256, 300] {
                check_members(&class, &all, at);
            }
        }
    }

    proptest! {
        #[test]
        fn members_of_any_set_in_any_text(
            members in proptest::collection::vec(any::<bool>(), 256),
            text in proptest::collection::vec(any::<u8>(), 0..200),
            at in 0usize..210,
        ) {
            check_members(&ByteClass::new(|byte| members[usize::from(byte)]), &text, at);
        }
    }
}
