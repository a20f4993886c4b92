//! Marks of whole blocks.

use super::{has_avx2, load16, load32};
use crate::block::{BLOCK, each_block};
use core::arch::x86_64::*;

pub(crate) fn mark_byte(text: &[u8], needle: u8, marks: &mut [u64], non_ascii: &mut [u64]) {
    if has_avx2() {
        // SAFETY: the processor has AVX2.
        unsafe { mark_avx2(text, needle, marks, non_ascii) }
    } else {
        mark_sse2(text, needle, marks, non_ascii);
    }
}

#[target_feature(enable = "avx2")]
fn mark_avx2(text: &[u8], needle: u8, marks: &mut [u64], non_ascii: &mut [u64]) {
    let wanted = _mm256_set1_epi8(needle as i8);
    let halves = |block: &[u8; BLOCK]| {
        let (low, high) = block.split_at(32);
        (
            load32(low.first_chunk().expect("half a block")),
            load32(high.first_chunk().expect("half a block")),
        )
    };
    let mark = |low, high| {
        let low_mark = _mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)) as u32;
        let high_mark = _mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)) as u32;
        u64::from(low_mark) | u64::from(high_mark) << 32
    };
    // If one test shows that a group of 64 blocks is ASCII, no block is tested.
    let (groups, _) = text.as_chunks::<{ 64 * BLOCK }>();
    let (word_groups, _) = marks.as_chunks_mut::<64>();
    for ((group, words), flags) in groups.iter().zip(word_groups).zip(&mut *non_ascii) {
        let (blocks, _) = group.as_chunks::<BLOCK>();
        let mut seen = _mm256_setzero_si256();
        for (block, word) in blocks.iter().zip(words) {
            let (low, high) = halves(block);
            seen = _mm256_or_si256(seen, _mm256_or_si256(low, high));
            *word = mark(low, high);
        }
        *flags = 0;
        if _mm256_movemask_epi8(seen) != 0 {
            for (i, block) in blocks.iter().enumerate() {
                let (low, high) = halves(block);
                *flags |= u64::from(_mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0) << i;
            }
        }
    }
    let done = groups.len() * 64;
    let (text, marks, flags) =
        (&text[done * BLOCK..], &mut marks[done..], &mut non_ascii[groups.len()..]);
    each_block(text, marks, flags, |block, _, word| {
        let (low, high) = halves(block);
        *word = mark(low, high);
        _mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0
    });
}

fn mark_sse2(text: &[u8], needle: u8, marks: &mut [u64], non_ascii: &mut [u64]) {
    // SAFETY: SSE2 is part of x86-64, here and below.
    let wanted = unsafe { _mm_set1_epi8(needle as i8) };
    each_block(text, marks, non_ascii, |block, _, word| {
        let mut high = 0;
        *word = 0;
        for (i, quarter) in block.as_chunks::<16>().0.iter().enumerate() {
            let bytes = load16(quarter);
            // SAFETY: as above.
            let (found, top) = unsafe {
                (_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)), _mm_movemask_epi8(bytes))
            };
            *word |= u64::from(found as u32) << (16 * i);
            high |= top;
        }
        high != 0
    });
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_baseline_kernel_marks_as_the_twin() {
        for length in 0..300 {
            let text: Vec<u8> = "aé\n🦅 \0".bytes().cycle().take(length).collect();
            for needle in [b'\n', 0, 0xC3] {
                let (mut fast, mut fast_high) = (vec![7; 5], vec![7]);
                let (mut slow, mut slow_high) = (vec![7; 5], vec![7]);
                super::mark_sse2(&text, needle, &mut fast, &mut fast_high);
                crate::naive::mark_byte(&text, needle, &mut slow, &mut slow_high);
                assert_eq!((fast, fast_high), (slow, slow_high));
            }
        }
    }
}
