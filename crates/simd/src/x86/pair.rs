//! Marks of pairs of bytes at a distance.

use super::{has_avx2, load32};
use core::arch::x86_64::*;

/// Marks as [`crate::naive::mark_pair`]; returns how many positions are marked, a multiple of 64.
pub(crate) fn mark_pair(
    text: &[u8],
    first: u8,
    second: u8,
    distance: usize,
    marks: &mut [u64],
) -> usize {
    if has_avx2() {
        // SAFETY: the processor has AVX2.
        unsafe { mark_avx2(text, first, second, distance, marks) }
    } else {
        0
    }
}

#[target_feature(enable = "avx2")]
fn mark_avx2(text: &[u8], first: u8, second: u8, distance: usize, marks: &mut [u64]) -> usize {
    let (first, second) = (_mm256_set1_epi8(first as i8), _mm256_set1_epi8(second as i8));
    let behind = text.get(distance..).unwrap_or_default();
    let (blocks, _) = text.as_chunks::<64>();
    let (blocks_behind, _) = behind.as_chunks::<64>();
    let mut marked = 0;
    for ((block, behind), word) in blocks.iter().zip(blocks_behind).zip(marks) {
        let half = |at: usize| {
            let here = load32(block[at..].first_chunk().expect("half a block"));
            let there = load32(behind[at..].first_chunk().expect("half a block"));
            let both =
                _mm256_and_si256(_mm256_cmpeq_epi8(here, first), _mm256_cmpeq_epi8(there, second));
            u64::from(_mm256_movemask_epi8(both) as u32)
        };
        *word = half(0) | half(32) << 32;
        marked += 64;
    }
    marked
}
