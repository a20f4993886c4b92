//! The x86-64 kernels: AVX2 where the processor has it, else SSE2.
//!
//! The only module with unsafe code: unaligned loads from references to arrays of the loaded size,
//! and calls of AVX2 functions after [`has_avx2`]. Its functions are safe.

#![allow(unsafe_code)]

mod ceiling;
mod classify;
mod code_points;
mod count;
mod mark;
mod members;
mod pair;
mod places;
mod quoted;
mod widen;

pub(crate) use ceiling::first_not_below;
pub(crate) use classify::{
    count_blank_fields, find_blank_field, find_byte_field, mark_blanks, split_blanks, split_byte,
    split_pair,
};
pub(crate) use code_points::{mark_code_points, rank_places};
pub(crate) use count::{count_byte, count_code_points, is_ascii};
pub(crate) use mark::mark_byte;
pub(crate) use members::{mask_of_members, split_members, split_runs};
pub(crate) use pair::mark_pair;
pub(crate) use places::gather_places;
pub(crate) use quoted::{mark_rows, split_quoted};
pub(crate) use widen::{widen_bytes, widen_utf16};

use crate::block::short_words;
use core::arch::x86_64::{__m128i, __m256i, _mm_loadu_si128, _mm_set_epi64x, _mm256_loadu_si256};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The processor's features. The standard library's cache takes longer to read.
static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);

const UNKNOWN: u8 = 0;
const BASELINE: u8 = 1;
const AVX2: u8 = 2;
const AVX2_AND_BITS: u8 = 3;

#[inline(always)]
fn level() -> u8 {
    match LEVEL.load(Relaxed) {
        UNKNOWN => find_level(),
        level => level,
    }
}

#[cold]
fn find_level() -> u8 {
    let level = match is_x86_feature_detected!("avx2") {
        false => BASELINE,
        true if is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("popcnt") => {
            AVX2_AND_BITS
        }
        true => AVX2,
    };
    LEVEL.store(level, Relaxed);
    level
}

#[inline(always)]
fn has_avx2() -> bool {
    level() >= AVX2
}

/// Whether it also has the bit instructions of AVX2 processors; virtual machines may hide them.
#[inline(always)]
fn has_avx2_and_bits() -> bool {
    level() == AVX2_AND_BITS
}

#[inline]
#[target_feature(enable = "avx2")]
fn load32(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the reference proves 32 readable bytes; `loadu` needs no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
fn load16(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: the reference proves 16 readable bytes; SSE2 is part of x86-64.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

/// Fewer than 16 bytes, zeros above.
#[inline]
fn load_short(bytes: &[u8]) -> __m128i {
    let [low, high] = short_words(bytes);
    // SAFETY: SSE2 is part of x86-64.
    unsafe { _mm_set_epi64x(high as i64, low as i64) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::arch::x86_64::_mm_storeu_si128;

    #[test]
    fn short_loads_hold_every_byte_once_and_zeros_above() {
        for length in 0..16 {
            let bytes: Vec<u8> = (1..=length).collect();
            let mut stored = [0xFF; 16];
            // SAFETY: 16 writable bytes.
            unsafe { _mm_storeu_si128(stored.as_mut_ptr().cast(), load_short(&bytes)) };
            let mut expected = [0; 16];
            expected[..bytes.len()].copy_from_slice(&bytes);
            assert_eq!(stored, expected);
        }
    }
}
