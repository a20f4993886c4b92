//! Masks of the separators in one short text, and the field kernels made from them: the safe loops
//! of [`crate::field_loops`], compiled for AVX2 with the bit instructions and for the baseline.

use super::{has_avx2_and_bits, load_short, load16, load32};
use crate::field_loops::{self, FieldSpan};
use core::arch::x86_64::*;

#[inline]
pub(crate) fn split_blanks(
    text: &[u8],
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    if has_avx2_and_bits() {
        // SAFETY: the processor has AVX2, BMI1 and POPCNT.
        unsafe { split_blanks_avx2(text, from_at, max_fields, out) }
    } else {
        split_blanks_sse2(text, from_at, max_fields, out)
    }
}

#[inline]
pub(crate) fn split_byte(
    text: &[u8],
    separator: u8,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    if has_avx2_and_bits() {
        // SAFETY: as above.
        unsafe { split_byte_avx2(text, separator, from_at, max_fields, out) }
    } else {
        split_byte_sse2(text, separator, from_at, max_fields, out)
    }
}

/// See [`crate::split_pair`]; the two bytes differ.
#[inline]
pub(crate) fn split_pair(
    text: &[u8],
    pair: [u8; 2],
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    if has_avx2_and_bits() {
        // SAFETY: as above.
        unsafe { split_pair_avx2(text, pair, from_at, max_fields, out) }
    } else {
        split_pair_sse2(text, pair, from_at, max_fields, out)
    }
}

#[inline]
pub(crate) fn count_blank_fields(text: &[u8]) -> usize {
    if has_avx2_and_bits() {
        // SAFETY: as above.
        unsafe { count_blank_fields_avx2(text) }
    } else {
        count_blank_fields_sse2(text)
    }
}

#[inline]
pub(crate) fn mark_blanks(text: &[u8]) -> u64 {
    if has_avx2_and_bits() {
        // SAFETY: as above.
        unsafe { mark_blanks_avx2(text) }
    } else {
        mask_sse2::<true>(text, 0, b' ')
    }
}

/// `before` is the number of fields before it.
#[inline]
pub(crate) fn find_blank_field(text: &[u8], before: usize) -> FieldSpan {
    if has_avx2_and_bits() {
        // SAFETY: as above.
        unsafe { find_blank_field_avx2(text, before) }
    } else {
        find_blank_field_sse2(text, before)
    }
}

/// `before` is the number of fields before it.
#[inline]
pub(crate) fn find_byte_field(text: &[u8], separator: u8, before: usize) -> FieldSpan {
    if has_avx2_and_bits() {
        // SAFETY: as above.
        unsafe { find_byte_field_avx2(text, separator, before) }
    } else {
        find_byte_field_sse2(text, separator, before)
    }
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn split_blanks_avx2(
    text: &[u8],
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    field_loops::split_blanks(text, from_at, max_fields, out, |text, at| {
        mask_avx2::<true>(text, at, b' ')
    })
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn split_byte_avx2(
    text: &[u8],
    separator: u8,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    field_loops::split_at::<1>(text, from_at, max_fields, out, |text, at| {
        mask_avx2::<false>(text, at, separator)
    })
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn split_pair_avx2(
    text: &[u8],
    pair: [u8; 2],
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    field_loops::split_at::<2>(text, from_at, max_fields, out, |text, at| {
        let first = mask_avx2::<false>(text, at, pair[0]);
        // Often a block lacks the first byte.
        if first == 0 { 0 } else { first & mask_avx2::<false>(text, at + 1, pair[1]) }
    })
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn count_blank_fields_avx2(text: &[u8]) -> usize {
    field_loops::count_blank_fields(text, |text, at| mask_avx2::<true>(text, at, b' '))
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn find_blank_field_avx2(text: &[u8], before: usize) -> FieldSpan {
    field_loops::find_blank_field(text, before, |text, at| mask_avx2::<true>(text, at, b' '))
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn mark_blanks_avx2(text: &[u8]) -> u64 {
    match text.len() {
        0..32 => blanks_of_short(text),
        _ => mask_avx2::<true>(text, 0, b' '),
    }
}

/// The blanks of fewer than 32 bytes; bits beyond the text are undefined.
#[inline]
#[target_feature(enable = "avx2")]
fn blanks_of_short(text: &[u8]) -> u64 {
    let table = _mm_set_epi8(0, -1, -1, -1, -1, 10, 9, -1, -1, -1, -1, -1, -1, -1, -1, 32);
    let mask = |bytes| {
        u64::from(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_shuffle_epi8(table, bytes))) as u32)
    };
    match (text.first_chunk::<16>(), text.last_chunk::<16>()) {
        (Some(first), Some(last)) => {
            mask(load16(first)) | mask(load16(last)) >> (32 - text.len()) << 16
        }
        _ => mask(load_short(text)),
    }
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn find_byte_field_avx2(text: &[u8], separator: u8, before: usize) -> FieldSpan {
    field_loops::find_byte_field(text, before, |text, at| mask_avx2::<false>(text, at, separator))
}

// Out of line: inlined, calls of the AVX2 version would save their registers too.

#[inline(never)]
fn split_blanks_sse2(
    text: &[u8],
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    field_loops::split_blanks(text, from_at, max_fields, out, |text, at| {
        mask_sse2::<true>(text, at, b' ')
    })
}

#[inline(never)]
fn split_byte_sse2(
    text: &[u8],
    separator: u8,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    field_loops::split_at::<1>(text, from_at, max_fields, out, |text, at| {
        mask_sse2::<false>(text, at, separator)
    })
}

#[inline(never)]
fn split_pair_sse2(
    text: &[u8],
    pair: [u8; 2],
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    field_loops::split_at::<2>(text, from_at, max_fields, out, |text, at| {
        mask_sse2::<false>(text, at, pair[0]) & mask_sse2::<false>(text, at + 1, pair[1])
    })
}

#[inline(never)]
fn count_blank_fields_sse2(text: &[u8]) -> usize {
    field_loops::count_blank_fields(text, |text, at| mask_sse2::<true>(text, at, b' '))
}

#[inline(never)]
fn find_blank_field_sse2(text: &[u8], before: usize) -> FieldSpan {
    field_loops::find_blank_field(text, before, |text, at| mask_sse2::<true>(text, at, b' '))
}

#[inline(never)]
fn find_byte_field_sse2(text: &[u8], separator: u8, before: usize) -> FieldSpan {
    field_loops::find_byte_field(text, before, |text, at| mask_sse2::<false>(text, at, separator))
}

/// The blanks, or the bytes that are `byte`, of the 64 from `at` on; 0 beyond the end.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn mask_avx2<const BLANK: bool>(text: &[u8], at: usize, byte: u8) -> u64 {
    // Each byte picks, by its low four bits, the only blank it can equal. Entries without a blank
    // hold a byte with other low bits; bytes from 0x80 on shuffle to 0.
    let table = _mm256_broadcastsi128_si256(_mm_set_epi8(
        0, -1, -1, -1, -1, 10, 9, -1, -1, -1, -1, -1, -1, -1, -1, 32,
    ));
    let wanted = _mm256_set1_epi8(byte as i8);
    let mask = |bytes: &[u8; 32]| {
        let bytes = load32(bytes);
        let wanted = if BLANK { _mm256_shuffle_epi8(table, bytes) } else { wanted };
        u64::from(_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, wanted)) as u32)
    };
    let rest = text.get(at..).unwrap_or_default();
    if let Some(block) = rest.first_chunk::<64>() {
        let (halves, _) = block.as_chunks::<32>();
        return mask(&halves[0]) | mask(&halves[1]) << 32;
    }
    // A load that ends with the text covers the tail; repeated bytes are shifted out.
    match (rest.first_chunk::<32>(), text.last_chunk::<32>()) {
        // 32 bytes or more; the second half adds 0 to 31.
        (Some(first), Some(last)) => mask(first) | (mask(last) >> (64 - rest.len())) << 32,
        (None, Some(last)) => mask(last) >> (32 - rest.len()),
        _ => mask_short::<BLANK>(rest, byte),
    }
}

/// Twin of [`mask_avx2`] for every x86-64.
pub(super) fn mask_sse2<const BLANK: bool>(text: &[u8], at: usize, byte: u8) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    let block = &rest[..rest.len().min(64)];
    let (quarters, tail) = block.as_chunks::<16>();
    let mut mask = 0;
    for (i, quarter) in quarters.iter().enumerate() {
        mask |= mask_vector::<BLANK>(load16(quarter), byte) << (16 * i);
    }
    if !tail.is_empty() {
        mask |= mask_short::<BLANK>(tail, byte) << (16 * quarters.len());
    }
    mask
}

/// Out of line: its branches took the registers of the loop around it.
#[inline(never)]
fn mask_short<const BLANK: bool>(text: &[u8], byte: u8) -> u64 {
    match (text.first_chunk::<16>(), text.last_chunk::<16>()) {
        (Some(first), Some(last)) => {
            let own = text.len() - 16;
            let high = mask_vector::<BLANK>(load16(last), byte) >> (16 - own);
            mask_vector::<BLANK>(load16(first), byte) | high << 16
        }
        // Masked to the length, as the separator may be NUL.
        _ => mask_vector::<BLANK>(load_short(text), byte) & ((1 << text.len()) - 1),
    }
}

#[inline]
fn mask_vector<const BLANK: bool>(bytes: __m128i, byte: u8) -> u64 {
    // SAFETY: SSE2 is part of x86-64.
    let mask = unsafe {
        let mut hit = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8));
        if BLANK {
            hit = _mm_or_si128(hit, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\t' as i8)));
            hit = _mm_or_si128(hit, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\n' as i8)));
        }
        _mm_movemask_epi8(hit)
    };
    u64::from(mask as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_masks_show_every_byte_value_at_every_place() {
        for byte in 0..=255 {
            for length in [1, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130] {
                for at in [0, length / 2, length - 1] {
                    let mut text = vec![b'x'; length];
                    text[at] = byte;
                    for from_at in (0..length).step_by(7).chain([length - 1, length]) {
                        check::<true>(&text, from_at, b' ', crate::naive::is_blank);
                        check::<false>(&text, from_at, byte, |found| found == byte);
                        check::<false>(&text, from_at, 0, |found| found == 0);
                    }
                }
            }
        }
    }

    #[test]
    fn the_baseline_kernel_of_pairs_splits_as_the_twin() {
        let text: Vec<u8> = b"a: b:: c :d".iter().copied().cycle().take(300).collect();
        for length in 1..300 {
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            split_pair_sse2(&text[..length], *b": ", 0, usize::MAX, &mut fast);
            crate::naive::split_pair(&text[..length], *b": ", 0, usize::MAX, &mut slow);
            assert_eq!(fast, slow);
        }
    }

    fn check<const BLANK: bool>(
        text: &[u8],
        from_at: usize,
        byte: u8,
        is_member: impl Fn(u8) -> bool,
    ) {
        let block = text[from_at..].iter().take(64).enumerate();
        let expected = block.fold(0, |mask, (i, &found)| mask | u64::from(is_member(found)) << i);
        assert_eq!(mask_sse2::<BLANK>(text, from_at, byte), expected);
        if has_avx2_and_bits() {
            // SAFETY: the processor has AVX2.
            assert_eq!(unsafe { mask_avx2::<BLANK>(text, from_at, byte) }, expected);
        }
    }
}
