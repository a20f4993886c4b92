//! Marks of whole blocks.

use super::{bits, largest, load_block};
use crate::block::{BLOCK, each_block};
use crate::quoting::{self, Masks, QuoteState, Quoting, parity_by_shifts};
use core::arch::aarch64::*;

pub(crate) fn mark_byte(text: &[u8], needle: u8, marks: &mut [u64], non_ascii: &mut [u64]) {
    // SAFETY: NEON is part of AArch64.
    unsafe { mark_neon(text, needle, marks, non_ascii) }
}

#[target_feature(enable = "neon")]
fn mark_neon(text: &[u8], needle: u8, marks: &mut [u64], non_ascii: &mut [u64]) {
    let wanted = vdupq_n_u8(needle);
    each_block(text, marks, non_ascii, |block, _, word| {
        let quarters = load_block(block);
        *word = bits(quarters.map(|bytes| vceqq_u8(bytes, wanted)));
        largest(quarters) >= 0x80
    });
}

pub(crate) fn mark_rows(
    text: &[u8],
    quoting: Quoting,
    state: &mut QuoteState,
    marks: &mut [u64],
    non_ascii: &mut [u64],
) {
    // SAFETY: NEON is part of AArch64.
    unsafe { mark_rows_neon(text, quoting, state, marks, non_ascii) }
}

#[target_feature(enable = "neon")]
fn mark_rows_neon(
    text: &[u8],
    quoting: Quoting,
    state: &mut QuoteState,
    marks: &mut [u64],
    non_ascii: &mut [u64],
) {
    let (quotes, newlines) = (vdupq_n_u8(quoting.quote), vdupq_n_u8(b'\n'));
    each_block(text, marks, non_ascii, |block, length, word| {
        let quarters = load_block(block);
        let mask = |wanted| bits(quarters.map(|bytes| vceqq_u8(bytes, wanted)));
        let masks = Masks { quote: mask(quotes), separator: 0, other: mask(newlines) };
        *word = quoting::mark_block(&block[..length], masks, state, parity_by_shifts);
        largest(quarters) >= 0x80
    });
}

/// Marks as [`crate::naive::mark_pair`]; returns how many positions are marked, a multiple of 64.
pub(crate) fn mark_pair(
    text: &[u8],
    first: u8,
    second: u8,
    distance: usize,
    marks: &mut [u64],
) -> usize {
    // SAFETY: NEON is part of AArch64.
    unsafe { mark_pair_neon(text, first, second, distance, marks) }
}

#[target_feature(enable = "neon")]
fn mark_pair_neon(text: &[u8], first: u8, second: u8, distance: usize, marks: &mut [u64]) -> usize {
    let (first, second) = (vdupq_n_u8(first), vdupq_n_u8(second));
    let (blocks, _) = text.as_chunks::<BLOCK>();
    let (blocks_behind, _) = text.get(distance..).unwrap_or_default().as_chunks::<BLOCK>();
    let mut marked = 0;
    for ((block, behind), word) in blocks.iter().zip(blocks_behind).zip(marks) {
        let ([a, b, c, d], [e, f, g, h]) = (load_block(block), load_block(behind));
        let both = |here, there| vandq_u8(vceqq_u8(here, first), vceqq_u8(there, second));
        *word = bits([both(a, e), both(b, f), both(c, g), both(d, h)]);
        marked += BLOCK;
    }
    marked
}
