//! Quoted rows: three compares per block, and the parity of its quotes.

use super::classify::{mask_avx2, mask_sse2};
use super::{has_avx2_and_bits, load16, load32};
use crate::block::each_block;
use crate::quoting::{self, Masks, QuoteState, QuotedSplit, Quoting, parity_by_shifts};
use core::arch::x86_64::*;

#[inline(always)]
fn has_all() -> bool {
    has_avx2_and_bits() && std::arch::is_x86_feature_detected!("pclmulqdq")
}

pub(crate) fn mark_rows(
    text: &[u8],
    quoting: Quoting,
    state: &mut QuoteState,
    marks: &mut [u64],
    non_ascii: &mut [u64],
) {
    if has_all() {
        // SAFETY: the processor has AVX2, BMI1, POPCNT and PCLMULQDQ.
        unsafe { mark_rows_avx2(text, quoting, state, marks, non_ascii) }
    } else {
        mark_rows_sse2(text, quoting, state, marks, non_ascii);
    }
}

#[inline]
pub(crate) fn split_quoted(
    text: &[u8],
    quoting: Quoting,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> QuotedSplit {
    if has_all() {
        // SAFETY: as above.
        unsafe { split_quoted_avx2(text, quoting, from_at, max_fields, out) }
    } else {
        split_quoted_sse2(text, quoting, from_at, max_fields, out)
    }
}

/// The parity of the bits up to each: a carry-less product with all ones.
#[inline]
#[target_feature(enable = "pclmulqdq")]
fn parity(bits: u64) -> u64 {
    let product = _mm_clmulepi64_si128::<0>(_mm_set_epi64x(0, bits as i64), _mm_set1_epi8(-1));
    _mm_cvtsi128_si64(product) as u64
}

#[target_feature(enable = "avx2,bmi1,popcnt,pclmulqdq")]
fn mark_rows_avx2(
    text: &[u8],
    quoting: Quoting,
    state: &mut QuoteState,
    marks: &mut [u64],
    non_ascii: &mut [u64],
) {
    let newlines = _mm256_set1_epi8(b'\n' as i8);
    let quotes = _mm256_set1_epi8(quoting.quote as i8);
    each_block(text, marks, non_ascii, |block, length, word| {
        let (low, high) = block.split_at(32);
        let low = load32(low.first_chunk().expect("half a block"));
        let high = load32(high.first_chunk().expect("half a block"));
        let mask = |wanted| {
            let low = _mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)) as u32;
            let high = _mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)) as u32;
            u64::from(low) | u64::from(high) << 32
        };
        let masks = Masks { quote: mask(quotes), separator: 0, other: mask(newlines) };
        *word = quoting::mark_block(&block[..length], masks, state, |bits| parity(bits));
        _mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0
    });
}

fn mark_rows_sse2(
    text: &[u8],
    quoting: Quoting,
    state: &mut QuoteState,
    marks: &mut [u64],
    non_ascii: &mut [u64],
) {
    each_block(text, marks, non_ascii, |block, length, word| {
        let mut masks = Masks { quote: 0, separator: 0, other: 0 };
        let mut high = 0;
        for (i, quarter) in block.as_chunks::<16>().0.iter().enumerate() {
            let bytes = load16(quarter);
            // SAFETY: SSE2 is part of x86-64.
            let mask = |wanted: u8| unsafe {
                let hit = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(wanted as i8)));
                u64::from(hit as u32) << (16 * i)
            };
            masks.quote |= mask(quoting.quote);
            masks.other |= mask(b'\n');
            // SAFETY: as above.
            high |= unsafe { _mm_movemask_epi8(bytes) };
        }
        *word = quoting::mark_block(&block[..length], masks, state, parity_by_shifts);
        high != 0
    });
}

#[target_feature(enable = "avx2,bmi1,popcnt,pclmulqdq")]
fn split_quoted_avx2(
    text: &[u8],
    quoting: Quoting,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> QuotedSplit {
    let masks = |text: &[u8], at: usize| masks_avx2(text, at, quoting);
    quoting::split_quoted(text, quoting, from_at, max_fields, out, masks, |bits| parity(bits))
}

/// Masks of the 64 bytes from `at` on, 0 beyond the end: three from one pair of loads.
#[inline]
#[target_feature(enable = "avx2")]
fn masks_avx2(text: &[u8], at: usize, quoting: Quoting) -> Masks {
    let rest = text.get(at..).unwrap_or_default();
    let one = |byte: u8| mask_avx2::<false>(text, at, byte);
    // Two loads inside the text, and how many bytes of each are before the block.
    let (low, high, low_shift, high_shift) =
        match (rest.first_chunk::<64>(), rest.first_chunk::<32>(), text.last_chunk()) {
            (Some(block), _, _) => {
                let (halves, _) = block.as_chunks::<32>();
                (&halves[0], &halves[1], 0, 0)
            }
            (None, Some(first), Some(last)) => (first, last, 0, 64 - rest.len()),
            (None, None, Some(last)) => (last, last, 32 - rest.len(), 32),
            _ => {
                return Masks {
                    quote: one(quoting.quote),
                    separator: one(quoting.separator),
                    other: one(b'\r'),
                };
            }
        };
    let (low, high) = (load32(low), load32(high));
    let mask = |byte: u8| {
        let wanted = _mm256_set1_epi8(byte as i8);
        let low = _mm256_movemask_epi8(_mm256_cmpeq_epi8(low, wanted)) as u32;
        let high = _mm256_movemask_epi8(_mm256_cmpeq_epi8(high, wanted)) as u32;
        u64::from(low) >> low_shift | u64::from(high) >> high_shift << 32
    };
    Masks { quote: mask(quoting.quote), separator: mask(quoting.separator), other: mask(b'\r') }
}

#[inline(never)]
fn split_quoted_sse2(
    text: &[u8],
    quoting: Quoting,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> QuotedSplit {
    let masks = |text: &[u8], at: usize| Masks {
        quote: mask_sse2::<false>(text, at, quoting.quote),
        separator: mask_sse2::<false>(text, at, quoting.separator),
        other: mask_sse2::<false>(text, at, b'\r'),
    };
    quoting::split_quoted(text, quoting, from_at, max_fields, out, masks, parity_by_shifts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_baseline_kernels_agree_with_the_twins_and_the_multiplication_with_the_shifts() {
        let piece = "a,\"b,\n\"\"é\",\r\nx\"y\n,\"\r\n\",c\n";
        for length in 0..300 {
            let text: Vec<u8> = piece.bytes().cycle().take(length).collect();
            let blocks = length.div_ceil(64);
            let (mut fast, mut fast_high, mut fast_state) =
                (vec![7; blocks], vec![0], QuoteState::START);
            let (mut slow, mut slow_high, mut slow_state) =
                (vec![7; blocks], vec![0], QuoteState::START);
            mark_rows_sse2(&text, Quoting::CSV, &mut fast_state, &mut fast, &mut fast_high);
            crate::naive::mark_rows(
                &text,
                Quoting::CSV,
                &mut slow_state,
                &mut slow,
                &mut slow_high,
            );
            assert_eq!((fast, fast_high, fast_state), (slow, slow_high, slow_state));
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            split_quoted_sse2(&text, Quoting::CSV, 0, usize::MAX, &mut fast);
            crate::naive::split_quoted(&text, Quoting::CSV, 0, usize::MAX, &mut slow);
            assert_eq!(fast, slow);
        }
        if std::arch::is_x86_feature_detected!("pclmulqdq") {
            let mut bits = 0x9E37_79B9_7F4A_7C15_u64;
            for _ in 0..1000 {
                bits = bits.rotate_left(17).wrapping_mul(0xD129_0C3F_8E5B_4A27);
                // SAFETY: the processor has the multiplication.
                assert_eq!(unsafe { parity(bits) }, parity_by_shifts(bits));
            }
        }
    }
}
