//! Compares give -1 in 8-bit lanes, subtracted from a sum that is emptied before a lane can
//! overflow.

use super::{has_avx2, load_short, load16, load32};
use core::arch::x86_64::*;

/// From this length on AVX2 pays.
const WIDE: usize = 128;

pub(crate) fn count_byte(text: &[u8], needle: u8) -> usize {
    if text.len() >= WIDE && has_avx2() {
        // SAFETY: the processor has AVX2.
        unsafe { count_avx2::<false>(text, needle) }
    } else {
        count_sse2::<false>(text, needle)
    }
}

pub(crate) fn count_code_points(text: &[u8]) -> usize {
    if text.len() >= WIDE && has_avx2() {
        // SAFETY: the processor has AVX2.
        unsafe { count_avx2::<true>(text, LAST_CONTINUATION) }
    } else {
        count_sse2::<true>(text, LAST_CONTINUATION)
    }
}

pub(crate) fn is_ascii(text: &[u8]) -> bool {
    if text.len() >= WIDE && has_avx2() {
        // SAFETY: the processor has AVX2.
        unsafe { is_ascii_avx2(text) }
    } else {
        is_ascii_sse2(text)
    }
}

/// As signed numbers, a byte above this one begins a code point.
const LAST_CONTINUATION: u8 = 0xBF;

#[target_feature(enable = "avx2")]
fn count_avx2<const ABOVE: bool>(text: &[u8], limit: u8) -> usize {
    let (chunks, tail) = text.as_chunks::<32>();
    let limits = _mm256_set1_epi8(limit as i8);
    let zero = _mm256_setzero_si256();
    let mut total = zero;
    // A lane lasts 255 rounds; four sums hide the latency of the adds.
    for run in chunks.chunks(4 * 255) {
        let mut sums = [zero; 4];
        let (fours, rest) = run.as_chunks::<4>();
        for four in fours {
            for (sum, chunk) in sums.iter_mut().zip(four) {
                let bytes = load32(chunk);
                let hit = if ABOVE {
                    _mm256_cmpgt_epi8(bytes, limits)
                } else {
                    _mm256_cmpeq_epi8(bytes, limits)
                };
                *sum = _mm256_sub_epi8(*sum, hit);
            }
        }
        // At most 3 more, into different sums: no overflow.
        for (sum, chunk) in sums.iter_mut().zip(rest) {
            let bytes = load32(chunk);
            let hit = if ABOVE {
                _mm256_cmpgt_epi8(bytes, limits)
            } else {
                _mm256_cmpeq_epi8(bytes, limits)
            };
            *sum = _mm256_sub_epi8(*sum, hit);
        }
        for sum in sums {
            total = _mm256_add_epi64(total, _mm256_sad_epu8(sum, zero));
        }
    }
    let pair = _mm_add_epi64(_mm256_castsi256_si128(total), _mm256_extracti128_si256::<1>(total));
    let sum = _mm_cvtsi128_si64(pair) + _mm_cvtsi128_si64(_mm_unpackhi_epi64(pair, pair));
    sum as usize + count_sse2::<ABOVE>(tail, limit)
}

#[inline]
fn count_sse2<const ABOVE: bool>(text: &[u8], limit: u8) -> usize {
    let (chunks, tail) = text.as_chunks::<16>();
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let limits = _mm_set1_epi8(limit as i8);
        let zero = _mm_setzero_si128();
        let hits = |bytes| {
            if ABOVE { _mm_cmpgt_epi8(bytes, limits) } else { _mm_cmpeq_epi8(bytes, limits) }
        };
        let mut total = zero;
        for run in chunks.chunks(255) {
            let mut sum = zero;
            for chunk in run {
                sum = _mm_sub_epi8(sum, hits(load16(chunk)));
            }
            total = _mm_add_epi64(total, _mm_sad_epu8(sum, zero));
        }
        if !tail.is_empty() {
            // Lanes beyond the tail are zero and might count.
            let lanes = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            let inside = _mm_cmpgt_epi8(_mm_set1_epi8(tail.len() as i8), lanes);
            let hit = _mm_and_si128(hits(load_short(tail)), inside);
            total = _mm_add_epi64(total, _mm_sad_epu8(_mm_sub_epi8(zero, hit), zero));
        }
        (_mm_cvtsi128_si64(total) + _mm_cvtsi128_si64(_mm_unpackhi_epi64(total, total))) as usize
    }
}

#[target_feature(enable = "avx2")]
fn is_ascii_avx2(text: &[u8]) -> bool {
    let (blocks, tail) = text.as_chunks::<32>();
    let (fours, rest) = blocks.as_chunks::<4>();
    for four in fours {
        let [a, b, c, d] = four;
        let any = _mm256_or_si256(
            _mm256_or_si256(load32(a), load32(b)),
            _mm256_or_si256(load32(c), load32(d)),
        );
        if _mm256_movemask_epi8(any) != 0 {
            return false;
        }
    }
    rest.iter().all(|chunk| _mm256_movemask_epi8(load32(chunk)) == 0) && is_ascii_sse2(tail)
}

#[inline]
fn is_ascii_sse2(text: &[u8]) -> bool {
    let (chunks, tail) = text.as_chunks::<16>();
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let mut any = _mm_setzero_si128();
        for chunk in chunks {
            any = _mm_or_si128(any, load16(chunk));
        }
        _mm_movemask_epi8(_mm_or_si128(any, load_short(tail))) == 0
    }
}

#[cfg(test)]
mod tests {
    use crate::naive;

    #[test]
    fn the_baseline_kernels_agree_with_the_twins_on_long_text() {
        let text: Vec<u8> = "aé\n🦅 \0".bytes().cycle().take(20_011).collect();
        for needle in [b'\n', 0, 0xC3] {
            assert_eq!(super::count_sse2::<false>(&text, needle), naive::count_byte(&text, needle));
        }
        assert_eq!(
            super::count_sse2::<true>(&text, super::LAST_CONTINUATION),
            naive::count_code_points(&text)
        );
        assert!(!super::is_ascii_sse2(&text));
        assert!(super::is_ascii_sse2(&vec![0x7F; 20_011]));
    }
}
