//! UTF-8 by table look-up.

use super::count::begins;
use super::{bits, load, load_block};
use crate::block::BLOCK;
use crate::utf8_tables::{FIRST_HIGH, FIRST_LOW, SECOND_HIGH};
use core::arch::aarch64::*;

pub(crate) fn mark_code_points(before: &[u8], text: &[u8], marks: &mut [u64]) -> bool {
    // SAFETY: NEON is part of AArch64.
    unsafe { mark_neon(before, text, marks) }
}

#[target_feature(enable = "neon")]
fn mark_neon(before: &[u8], text: &[u8], marks: &mut [u64]) -> bool {
    let mut last = [0; 16];
    let behind = &before[before.len().saturating_sub(3)..];
    last[16 - behind.len()..].copy_from_slice(behind);
    let mut behind = load(&last);
    let mut wrong = vdupq_n_u8(0);
    let (blocks, tail) = text.as_chunks::<BLOCK>();
    for (block, word) in blocks.iter().zip(&mut *marks) {
        let quarters = load_block(block);
        *word = bits(quarters.map(|bytes| begins(bytes)));
        for bytes in quarters {
            wrong = vorrq_u8(wrong, errors(behind, bytes));
            behind = bytes;
        }
    }
    if let (false, Some(word)) = (tail.is_empty(), marks.get_mut(blocks.len())) {
        let mut block = [0; BLOCK];
        block[..tail.len()].copy_from_slice(tail);
        let quarters = load_block(&block);
        // The zeros after the text begin nothing.
        let inside = (1u64 << tail.len()) - 1;
        *word = bits(quarters.map(|bytes| begins(bytes))) & inside;
        let [a, b, c, d] = quarters;
        let wrong = [errors(behind, a), errors(a, b), errors(b, c), errors(c, d)]
            .map(|errors| vtstq_u8(errors, errors));
        if bits(wrong) & inside != 0 {
            return false;
        }
    }
    vmaxvq_u8(wrong) == 0
}

/// Not zero in every byte that cannot follow those before it; `behind` has 16 bytes before.
#[inline]
#[target_feature(enable = "neon")]
fn errors(behind: uint8x16_t, bytes: uint8x16_t) -> uint8x16_t {
    let one = vextq_u8::<15>(behind, bytes);
    let two = vextq_u8::<14>(behind, bytes);
    let three = vextq_u8::<13>(behind, bytes);
    let pairs = vandq_u8(
        vqtbl1q_u8(load(&FIRST_HIGH), vshrq_n_u8::<4>(one)),
        vandq_u8(
            vqtbl1q_u8(load(&FIRST_LOW), vandq_u8(one, vdupq_n_u8(0x0F))),
            vqtbl1q_u8(load(&SECOND_HIGH), vshrq_n_u8::<4>(bytes)),
        ),
    );
    // Two continuation bytes follow a lead byte of three or four: the saturating difference has its
    // top bit set only from 0xE0 and 0xF0 on.
    let third = vqsubq_u8(two, vdupq_n_u8(0x60));
    let fourth = vqsubq_u8(three, vdupq_n_u8(0x70));
    veorq_u8(pairs, vandq_u8(vorrq_u8(third, fourth), vdupq_n_u8(0x80)))
}
