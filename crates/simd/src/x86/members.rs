//! The members of a set of bytes in one short text, and the field kernels made from them.

use super::{has_avx2_and_bits, load32};
use crate::block::BLOCK;
use crate::byte_class::ByteClass;
use crate::{field_loops, naive};
use core::arch::x86_64::*;

/// Of the 64 bytes from `at` on; 0 beyond the end.
#[inline]
pub(crate) fn mask_of_members(text: &[u8], at: usize, class: &ByteClass) -> u64 {
    if has_avx2_and_bits() {
        // SAFETY: the processor has AVX2.
        unsafe { mask_avx2(text, at, class) }
    } else {
        naive::mask_of_members(text, at, class)
    }
}

#[inline]
pub(crate) fn split_members(
    text: &[u8],
    class: &ByteClass,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    if has_avx2_and_bits() {
        // SAFETY: the processor has AVX2, BMI1 and POPCNT.
        unsafe { split_members_avx2(text, class, from_at, max_fields, out) }
    } else {
        naive::split_members(text, class, from_at, max_fields, out)
    }
}

#[inline]
pub(crate) fn split_runs(
    text: &[u8],
    class: &ByteClass,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    if has_avx2_and_bits() {
        // SAFETY: as above.
        unsafe { split_runs_avx2(text, class, from_at, max_fields, out) }
    } else {
        naive::split_runs(text, class, from_at, max_fields, out)
    }
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn split_members_avx2(
    text: &[u8],
    class: &ByteClass,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    let mask = |text: &[u8], at| mask_avx2(text, at, class);
    field_loops::split_at::<1>(text, from_at, max_fields, out, mask)
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn split_runs_avx2(
    text: &[u8],
    class: &ByteClass,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    let mask = |text: &[u8], at| mask_avx2(text, at, class);
    field_loops::split_runs(text, from_at, max_fields, out, mask)
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask_avx2(text: &[u8], at: usize, class: &ByteClass) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    match (rest.first_chunk::<32>(), rest.get(32..64).and_then(|half| half.first_chunk())) {
        (Some(first), Some(second)) => of_half(first, class) | of_half(second, class) << 32,
        _ => of_tail(text, rest, class),
    }
}

/// Of fewer than 64 bytes at the end of `text`. A load that ends with the text covers the last 32;
/// what comes twice is shifted out.
#[inline]
#[target_feature(enable = "avx2")]
fn of_tail(text: &[u8], rest: &[u8], class: &ByteClass) -> u64 {
    match (rest.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => {
            of_half(first, class) | (of_half(last, class) >> (BLOCK - rest.len())) << 32
        }
        (None, Some(last)) => of_half(last, class) >> (32 - rest.len()),
        _ => {
            let mut padded = [0; 32];
            padded[..rest.len()].copy_from_slice(rest);
            of_half(&padded, class) & !(!0 << rest.len())
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn of_half(bytes: &[u8; 32], class: &ByteClass) -> u64 {
    let table = |table: &[u8; 16]| _mm256_broadcastsi128_si256(super::load16(table));
    let bytes = load32(bytes);
    // A shuffle gives 0 for the bytes from 0x80 on, and else looks only at the lower half.
    let below = _mm256_shuffle_epi8(table(&class.below), bytes);
    let flipped = _mm256_xor_si256(bytes, _mm256_set1_epi8(-128));
    let above = _mm256_shuffle_epi8(table(&class.above), flipped);
    let upper = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), _mm256_set1_epi8(15));
    let bit = _mm256_shuffle_epi8(
        table(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]),
        upper,
    );
    let hits = _mm256_and_si256(_mm256_or_si256(below, above), bit);
    u64::from(_mm256_movemask_epi8(_mm256_cmpeq_epi8(hits, bit)) as u32)
}
