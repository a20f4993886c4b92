//! The AArch64 kernels. NEON is part of every AArch64, so nothing is asked of the processor.
//!
//! With `x86` the only module with unsafe code: loads from references to arrays of the loaded size,
//! and calls of functions that are compiled for NEON. Its functions are safe.

#![allow(unsafe_code)]

mod classify;
mod code_points;
mod count;
mod mark;
mod widen;

pub(crate) use crate::portable::{gather_places, rank_places, widen_bytes};
pub(crate) use classify::{
    count_blank_fields, find_blank_field, find_byte_field, mark_blanks, mask_of_members,
    split_blanks, split_byte, split_members, split_pair, split_quoted, split_runs,
};
pub(crate) use code_points::mark_code_points;
pub(crate) use count::{count_byte, count_code_points, first_not_below, is_ascii};
pub(crate) use mark::{mark_byte, mark_pair, mark_rows};
pub(crate) use widen::widen_utf16;

use crate::block::{BLOCK, short_words};
use core::arch::aarch64::*;

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8; 16]) -> uint8x16_t {
    // SAFETY: the reference proves 16 readable bytes; the load needs no alignment.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn load_block(block: &[u8; BLOCK]) -> [uint8x16_t; 4] {
    let (quarters, _) = block.as_chunks::<16>();
    [load(&quarters[0]), load(&quarters[1]), load(&quarters[2]), load(&quarters[3])]
}

/// Fewer than 16 bytes, the last ones of `text`, zeros above.
#[inline]
#[target_feature(enable = "neon")]
fn load_tail(text: &[u8], tail: &[u8]) -> uint8x16_t {
    /// Indices that move lanes down; those of 255 give zeros.
    const DOWN: [u8; 32] = {
        let mut indices = [255; 32];
        let mut at = 0;
        while at < 16 {
            indices[at] = at as u8;
            at += 1;
        }
        indices
    };
    match (text.last_chunk(), DOWN[16 - tail.len()..].first_chunk()) {
        (Some(last), Some(indices)) => vqtbl1q_u8(load(last), load(indices)),
        _ => {
            let [low, high] = short_words(tail);
            vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)))
        }
    }
}

/// The bits of the lanes that are all ones, of four vectors whose lanes are all ones or zeros.
#[inline]
#[target_feature(enable = "neon")]
fn bits(lanes: [uint8x16_t; 4]) -> u64 {
    // Each lane keeps the bit of its place in a byte; three rounds of sums of neighbours join eight.
    let weights = load(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
    let [a, b, c, d] = lanes.map(|lanes| vandq_u8(lanes, weights));
    let sums = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
    vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)))
}

/// The largest lane of four vectors.
#[inline]
#[target_feature(enable = "neon")]
fn largest([a, b, c, d]: [uint8x16_t; 4]) -> u8 {
    vmaxvq_u8(vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d)))
}
