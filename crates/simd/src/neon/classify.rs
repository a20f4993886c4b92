//! Masks of the separators in one short text, and the field kernels made from them: the safe loops
//! of [`crate::field_loops`] and [`crate::quoting`].

use super::{bits, load, load_block, load_tail};
use crate::byte_class::ByteClass;
use crate::field_loops::field_kernels;
use crate::quoting::{self, Masks, QuotedSplit, Quoting, parity_by_shifts};
use core::arch::aarch64::*;

field_kernels!(mask_of_byte, mask_of_blanks, mask_of_members);

#[inline]
pub(crate) fn split_quoted(
    text: &[u8],
    quoting: Quoting,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> QuotedSplit {
    // SAFETY: NEON is part of AArch64.
    let masks = |text: &[u8], at| unsafe { masks_of_row(text, at, quoting) };
    quoting::split_quoted(text, quoting, from_at, max_fields, out, masks, parity_by_shifts)
}

/// The bytes that are `byte` of the 64 from `at` on; 0 beyond the end.
#[inline]
fn mask_of_byte(text: &[u8], at: usize, byte: u8) -> u64 {
    // SAFETY: NEON is part of AArch64.
    unsafe {
        let (quarters, within) = quarters(text, at);
        bits(quarters.map(|bytes| vceqq_u8(bytes, vdupq_n_u8(byte)))) & within
    }
}

/// The blanks of the 64 bytes from `at` on; 0 beyond the end.
#[inline]
fn mask_of_blanks(text: &[u8], at: usize) -> u64 {
    // SAFETY: NEON is part of AArch64.
    unsafe {
        let (quarters, within) = quarters(text, at);
        let hits = quarters.map(|bytes| {
            // Tab and newline are neighbours.
            let near = vcleq_u8(vsubq_u8(bytes, vdupq_n_u8(b'\t')), vdupq_n_u8(1));
            vorrq_u8(near, vceqq_u8(bytes, vdupq_n_u8(b' ')))
        });
        bits(hits) & within
    }
}

/// The members of a set of the 64 bytes from `at` on; 0 beyond the end.
#[inline]
pub(crate) fn mask_of_members(text: &[u8], at: usize, class: &ByteClass) -> u64 {
    // SAFETY: NEON is part of AArch64.
    unsafe { members(text, at, class) }
}

#[inline]
#[target_feature(enable = "neon")]
fn members(text: &[u8], at: usize, class: &ByteClass) -> u64 {
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

#[inline]
#[target_feature(enable = "neon")]
fn masks_of_row(text: &[u8], at: usize, quoting: Quoting) -> Masks {
    let (quarters, within) = quarters(text, at);
    let mask = |byte| bits(quarters.map(|bytes| vceqq_u8(bytes, vdupq_n_u8(byte)))) & within;
    Masks { quote: mask(quoting.quote), separator: mask(quoting.separator), other: mask(b'\r') }
}

/// The 64 bytes from `at` on, zeros beyond the end, and which of them are in the text.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn quarters(text: &[u8], at: usize) -> ([uint8x16_t; 4], u64) {
    let rest = text.get(at..).unwrap_or_default();
    if let Some(block) = rest.first_chunk() {
        return (load_block(block), !0);
    }
    let mut quarters = [vdupq_n_u8(0); 4];
    let (whole, tail) = rest.as_chunks::<16>();
    for (quarter, bytes) in quarters.iter_mut().zip(whole) {
        *quarter = load(bytes);
    }
    if !tail.is_empty() {
        quarters[whole.len()] = load_tail(text, tail);
    }
    (quarters, !(!0 << rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_show_every_byte_value_at_every_place() {
        for byte in 0..=255 {
            for length in [1, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130] {
                for at in [0, length / 2, length - 1] {
                    let mut text = vec![b'x'; length];
                    text[at] = byte;
                    for from_at in (0..length).step_by(7).chain([length - 1, length]) {
                        let expected = |is_member: &dyn Fn(u8) -> bool| {
                            let block = text[from_at..].iter().take(64).enumerate();
                            block.fold(0, |mask, (i, &found)| {
                                mask | u64::from(is_member(found)) << i
                            })
                        };
                        let blanks = expected(&crate::naive::is_blank);
                        assert_eq!(mask_of_blanks(&text, from_at), blanks);
                        for wanted in [byte, 0] {
                            let members = expected(&|found| found == wanted);
                            assert_eq!(mask_of_byte(&text, from_at, wanted), members);
                        }
                    }
                }
            }
        }
    }
}
