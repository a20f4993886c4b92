//! Counts and searches: compares give -1 in 8-bit lanes, subtracted from a sum that is emptied
//! before a lane can overflow.

use super::classify::quarters;
use super::{bits, largest, load_block};
use crate::block::BLOCK;
use core::arch::aarch64::*;

pub(crate) fn count_byte(text: &[u8], needle: u8) -> usize {
    // SAFETY: NEON is part of AArch64.
    unsafe { count(text, |bytes| vceqq_u8(bytes, vdupq_n_u8(needle))) }
}

pub(crate) fn count_code_points(text: &[u8]) -> usize {
    // SAFETY: NEON is part of AArch64.
    unsafe { count(text, |bytes| begins(bytes)) }
}

/// As signed numbers, continuation bytes are the lowest.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn begins(bytes: uint8x16_t) -> uint8x16_t {
    vcgtq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(0xBF_u8 as i8))
}

#[inline]
#[target_feature(enable = "neon")]
fn count(text: &[u8], hits: impl Fn(uint8x16_t) -> uint8x16_t) -> usize {
    let (blocks, tail) = text.as_chunks::<BLOCK>();
    let mut total = 0;
    for run in blocks.chunks(255) {
        // Four sums hide the latency of the additions.
        let mut sums = [vdupq_n_u8(0); 4];
        for block in run {
            for (sum, bytes) in sums.iter_mut().zip(load_block(block)) {
                *sum = vsubq_u8(*sum, hits(bytes));
            }
        }
        total += sums.map(|sum| usize::from(vaddlvq_u8(sum))).iter().sum::<usize>();
    }
    let (quarters, within) = quarters(tail, 0);
    total + (bits(quarters.map(hits)) & within).count_ones() as usize
}

pub(crate) fn is_ascii(text: &[u8]) -> bool {
    // SAFETY: NEON is part of AArch64.
    unsafe { is_ascii_neon(text) }
}

#[inline]
#[target_feature(enable = "neon")]
fn is_ascii_neon(text: &[u8]) -> bool {
    let (blocks, tail) = text.as_chunks::<BLOCK>();
    blocks.iter().all(|block| largest(load_block(block)) < 0x80)
        && largest(quarters(tail, 0).0) < 0x80
}

pub(crate) fn first_not_below(text: &[u8], limit: u8, except: u8) -> Option<usize> {
    // SAFETY: NEON is part of AArch64.
    unsafe { find(text, limit, except) }
}

#[inline]
#[target_feature(enable = "neon")]
fn find(text: &[u8], limit: u8, except: u8) -> Option<usize> {
    let (limits, excepts) = (vdupq_n_u8(limit), vdupq_n_u8(except));
    let hits = |bytes| vorrq_u8(vcgeq_u8(bytes, limits), vceqq_u8(bytes, excepts));
    let (blocks, tail) = text.as_chunks::<BLOCK>();
    for (i, block) in blocks.iter().enumerate() {
        let hits = load_block(block).map(hits);
        if largest(hits) != 0 {
            return Some(BLOCK * i + bits(hits).trailing_zeros() as usize);
        }
    }
    let (quarters, within) = quarters(tail, 0);
    let hits = bits(quarters.map(hits)) & within;
    (hits != 0).then(|| text.len() - tail.len() + hits.trailing_zeros() as usize)
}
