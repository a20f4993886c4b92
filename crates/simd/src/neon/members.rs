//! The members of a set of bytes in one short text, and the field kernels made from them.

use super::classify::quarters;
use super::{bits, load};
use crate::byte_class::ByteClass;
use crate::field_loops;
use core::arch::aarch64::*;

/// Of the 64 bytes from `at` on; 0 beyond the end.
#[inline]
pub(crate) fn mask_of_members(text: &[u8], at: usize, class: &ByteClass) -> u64 {
    // SAFETY: NEON is part of AArch64.
    unsafe { mask(text, at, class) }
}

#[inline]
pub(crate) fn split_members(
    text: &[u8],
    class: &ByteClass,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    let mask = |text: &[u8], at| mask_of_members(text, at, class);
    field_loops::split_at::<1>(text, from_at, max_fields, out, mask)
}

#[inline]
pub(crate) fn split_runs(
    text: &[u8],
    class: &ByteClass,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    let mask = |text: &[u8], at| mask_of_members(text, at, class);
    field_loops::split_runs(text, from_at, max_fields, out, mask)
}

#[inline]
#[target_feature(enable = "neon")]
fn mask(text: &[u8], at: usize, class: &ByteClass) -> u64 {
    let (below, above) = (load(&class.below), load(&class.above));
    let bit_of_upper = load(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
    let (quarters, within) = quarters(text, at);
    let hits = quarters.map(|bytes| {
        let lower = vandq_u8(bytes, vdupq_n_u8(15));
        let is_above = vcgeq_u8(bytes, vdupq_n_u8(0x80));
        let row = vbslq_u8(is_above, vqtbl1q_u8(above, lower), vqtbl1q_u8(below, lower));
        vtstq_u8(row, vqtbl1q_u8(bit_of_upper, vshrq_n_u8::<4>(bytes)))
    });
    bits(hits) & within
}
