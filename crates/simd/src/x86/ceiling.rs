//! Unsigned comparison by maximum: the larger of the two is the byte itself.

use super::{has_avx2, load_short, load16, load32};
use core::arch::x86_64::*;

/// From this length on AVX2 pays.
const WIDE: usize = 128;

#[inline]
pub(crate) fn first_not_below(text: &[u8], limit: u8, except: u8) -> Option<usize> {
    if text.len() >= WIDE && has_avx2() {
        // SAFETY: the processor has AVX2.
        unsafe { find_avx2(text, limit, except) }
    } else {
        find_sse2(text, limit, except)
    }
}

#[target_feature(enable = "avx2")]
fn find_avx2(text: &[u8], limit: u8, except: u8) -> Option<usize> {
    let (limits, excepts) = (_mm256_set1_epi8(limit as i8), _mm256_set1_epi8(except as i8));
    let hits = |bytes| {
        _mm256_or_si256(
            _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, limits), bytes),
            _mm256_cmpeq_epi8(bytes, excepts),
        )
    };
    let (chunks, tail) = text.as_chunks::<32>();
    let (fours, rest) = chunks.as_chunks::<4>();
    for (i, four) in fours.iter().enumerate() {
        let [a, b, c, d] = four.each_ref().map(|chunk| hits(load32(chunk)));
        if _mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d))) != 0
        {
            let low = u64::from(_mm256_movemask_epi8(a) as u32)
                | u64::from(_mm256_movemask_epi8(b) as u32) << 32;
            let high = u64::from(_mm256_movemask_epi8(c) as u32)
                | u64::from(_mm256_movemask_epi8(d) as u32) << 32;
            let in_four = if low != 0 { low.trailing_zeros() } else { 64 + high.trailing_zeros() };
            return Some(128 * i + in_four as usize);
        }
    }
    let mut at = 128 * fours.len();
    for chunk in rest {
        let marks = _mm256_movemask_epi8(hits(load32(chunk)));
        if marks != 0 {
            return Some(at + marks.trailing_zeros() as usize);
        }
        at += 32;
    }
    find_sse2(tail, limit, except).map(|found| at + found)
}

#[inline]
fn find_sse2(text: &[u8], limit: u8, except: u8) -> Option<usize> {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let (limits, excepts) = (_mm_set1_epi8(limit as i8), _mm_set1_epi8(except as i8));
        let hits = |bytes| {
            _mm_or_si128(
                _mm_cmpeq_epi8(_mm_max_epu8(bytes, limits), bytes),
                _mm_cmpeq_epi8(bytes, excepts),
            )
        };
        let Some(last) = text.last_chunk::<16>() else {
            // Lanes beyond the text hold zeros.
            let marks = _mm_movemask_epi8(hits(load_short(text))) as u32 & ((1 << text.len()) - 1);
            return (marks != 0).then(|| marks.trailing_zeros() as usize);
        };
        let (chunks, tail) = text.as_chunks::<16>();
        for (i, chunk) in chunks.iter().enumerate() {
            let marks = _mm_movemask_epi8(hits(load16(chunk)));
            if marks != 0 {
                return Some(16 * i + marks.trailing_zeros() as usize);
            }
        }
        if tail.is_empty() {
            return None;
        }
        // The last 16 bytes overlap with the chunks before.
        let marks = _mm_movemask_epi8(hits(load16(last)));
        (marks != 0).then(|| text.len() - 16 + marks.trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_baseline_kernel_agrees_with_the_twin_on_long_text() {
        let mut text = vec![b'x'; 1000];
        for at in (0..1000).rev().step_by(7) {
            text[at] = 0x80;
            assert_eq!(
                super::find_sse2(&text, 0x80, 0),
                crate::naive::first_not_below(&text, 0x80, 0)
            );
        }
    }
}
