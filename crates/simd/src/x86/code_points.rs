//! UTF-8 by table look-up.

use super::{has_avx2, has_avx2_and_bits, load32};
use crate::block::BLOCK;
use crate::portable;
use crate::utf8_tables::{FIRST_HIGH, FIRST_LOW, SECOND_HIGH};
use core::arch::x86_64::*;

pub(crate) fn mark_code_points(before: &[u8], text: &[u8], marks: &mut [u64]) -> bool {
    if has_avx2() {
        // SAFETY: the processor has AVX2.
        unsafe { mark_avx2(before, text, marks) }
    } else {
        crate::naive::mark_code_points(before, text, marks)
    }
}

pub(crate) fn rank_places(marks: &[u64], places: &[u16], ranks: &mut [u16]) -> usize {
    if has_avx2_and_bits() {
        // SAFETY: the processor has these instructions.
        unsafe { rank_with_bits(marks, places, ranks) }
    } else {
        portable::rank_places(marks, places, ranks)
    }
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn rank_with_bits(marks: &[u64], places: &[u16], ranks: &mut [u16]) -> usize {
    portable::rank_places(marks, places, ranks)
}

#[target_feature(enable = "avx2")]
fn mark_avx2(before: &[u8], text: &[u8], marks: &mut [u64]) -> bool {
    let mut last = [0; 32];
    let behind = &before[before.len().saturating_sub(3)..];
    last[32 - behind.len()..].copy_from_slice(behind);
    let mut behind = load32(&last);
    let mut wrong = _mm256_setzero_si256();
    let (blocks, tail) = text.as_chunks::<BLOCK>();
    for (block, word) in blocks.iter().zip(&mut *marks) {
        let (halves, _) = block.as_chunks::<32>();
        let (low, high) = (load32(&halves[0]), load32(&halves[1]));
        *word = u64::from(begins(low)) | u64::from(begins(high)) << 32;
        wrong = _mm256_or_si256(wrong, _mm256_or_si256(errors(behind, low), errors(low, high)));
        behind = high;
    }
    if let (false, Some(word)) = (tail.is_empty(), marks.get_mut(blocks.len())) {
        let mut block = [0; BLOCK];
        block[..tail.len()].copy_from_slice(tail);
        let (halves, _) = block.as_chunks::<32>();
        let (low, high) = (load32(&halves[0]), load32(&halves[1]));
        // The zeros after the text begin nothing.
        let inside = (1u64 << tail.len()) - 1;
        *word = (u64::from(begins(low)) | u64::from(begins(high)) << 32) & inside;
        let zero = _mm256_setzero_si256();
        let right =
            |errors| u64::from(_mm256_movemask_epi8(_mm256_cmpeq_epi8(errors, zero)) as u32);
        let right = right(errors(behind, low)) | right(errors(low, high)) << 32;
        if !right & inside != 0 {
            return false;
        }
    }
    _mm256_testz_si256(wrong, wrong) == 1
}

/// As signed numbers, continuation bytes are the lowest.
#[inline]
#[target_feature(enable = "avx2")]
fn begins(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(_mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(0xBF_u8 as i8))) as u32
}

/// Not zero in every byte that cannot follow those before it; `behind` has 32 bytes before.
#[inline]
#[target_feature(enable = "avx2")]
fn errors(behind: __m256i, bytes: __m256i) -> __m256i {
    let table = |entries: &[u8; 16]| _mm256_broadcastsi128_si256(super::load16(entries));
    let half = _mm256_set1_epi8(0x0F);
    let high_half = |bytes| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), half);
    // A vector shifts only within its halves.
    let middle = _mm256_permute2x128_si256::<0x21>(behind, bytes);
    let one = _mm256_alignr_epi8::<15>(bytes, middle);
    let two = _mm256_alignr_epi8::<14>(bytes, middle);
    let three = _mm256_alignr_epi8::<13>(bytes, middle);
    let pairs = _mm256_and_si256(
        _mm256_shuffle_epi8(table(&FIRST_HIGH), high_half(one)),
        _mm256_and_si256(
            _mm256_shuffle_epi8(table(&FIRST_LOW), _mm256_and_si256(one, half)),
            _mm256_shuffle_epi8(table(&SECOND_HIGH), high_half(bytes)),
        ),
    );
    // Two continuation bytes follow a lead byte of three or four: the saturating difference has its
    // top bit set only from 0xE0 and 0xF0 on.
    let third = _mm256_subs_epu8(two, _mm256_set1_epi8(0x60));
    let fourth = _mm256_subs_epu8(three, _mm256_set1_epi8(0x70));
    let wanted = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8(0x80_u8 as i8));
    _mm256_xor_si256(pairs, wanted)
}
