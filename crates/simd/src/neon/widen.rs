//! UTF-16 to UTF-8, eight units at a time; see `crate::widen`.

use super::load;
use crate::byte_table::ByteOrder;
use crate::naive;
use crate::utf8_tables::SQUEEZE;
use core::arch::aarch64::*;

/// Bytes after the text that are written and taken off again.
const SLACK: usize = 16;

pub(crate) fn widen_utf16(input: &[u8], order: ByteOrder, out: &mut Vec<u8>) -> usize {
    // A unit becomes at most three bytes.
    out.reserve(input.len() / 2 * 3 + SLACK);
    let mut at = 0;
    while let Some(eight) = input[at..].first_chunk() {
        // SAFETY: NEON is part of AArch64.
        if unsafe { widen_eight(load_units(eight, order), out) } {
            at += 16;
            continue;
        }
        // Mixtures and pairs of surrogates; half of a pair at the end is seen again.
        match naive::widen_utf16(eight, order, out) {
            0 => return at,
            consumed => at += consumed,
        }
    }
    at + naive::widen_utf16(&input[at..], order, out)
}

#[inline]
#[target_feature(enable = "neon")]
fn load_units(eight: &[u8; 16], order: ByteOrder) -> uint16x8_t {
    let bytes = load(eight);
    vreinterpretq_u16_u8(match order {
        ByteOrder::Little => bytes,
        ByteOrder::Big => vrev16q_u8(bytes),
    })
}

/// Eight units that are all below 0x800, or all above and no surrogates; false, and nothing, for
/// others.
#[inline]
#[target_feature(enable = "neon")]
fn widen_eight(units: uint16x8_t, out: &mut Vec<u8>) -> bool {
    let most = vmaxvq_u16(units);
    if most < 0x80 {
        let narrow = vmovn_u16(units);
        append(out, vcombine_u8(narrow, narrow), 8);
        return true;
    }
    let six = vdupq_n_u16(0x3F);
    let last = vorrq_u16(vandq_u16(units, six), vdupq_n_u16(0x80));
    if most < 0x800 {
        // Two bytes for each; the table removes the spare ones of ASCII.
        let first = vorrq_u16(vshrq_n_u16::<6>(units), vdupq_n_u16(0xC0));
        let both = vorrq_u16(first, vshlq_n_u16::<8>(last));
        let is_ascii = vcltq_u16(units, vdupq_n_u16(0x80));
        let text = vreinterpretq_u8_u16(vbslq_u16(is_ascii, units, both));
        let weights = load(&[1, 0, 2, 0, 4, 0, 8, 0, 16, 0, 32, 0, 64, 0, 128, 0]);
        let ascii = vaddvq_u16(vandq_u16(is_ascii, vreinterpretq_u16_u8(weights)));
        let squeeze = load(&SQUEEZE[usize::from(ascii)]);
        append(out, vqtbl1q_u8(text, squeeze), 16 - ascii.count_ones() as usize);
        return true;
    }
    let surrogates = vceqq_u16(vandq_u16(units, vdupq_n_u16(0xF800)), vdupq_n_u16(0xD800));
    if vminvq_u16(units) < 0x800 || vmaxvq_u16(surrogates) != 0 {
        return false;
    }
    let middle = vorrq_u16(vandq_u16(vshrq_n_u16::<6>(units), six), vdupq_n_u16(0x80));
    let first = vorrq_u16(vshrq_n_u16::<12>(units), vdupq_n_u16(0xE0));
    let front = vorrq_u16(first, vshlq_n_u16::<8>(middle));
    // Four bytes for each; the table removes the uppermost.
    let squeeze = load(&[0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 255, 255, 255, 255]);
    for four in [vzip1q_u16(front, last), vzip2q_u16(front, last)] {
        append(out, vqtbl1q_u8(vreinterpretq_u8_u16(four), squeeze), 12);
    }
    true
}

/// The first `length` of 16 bytes: a copy of a known length needs no call.
#[inline]
#[target_feature(enable = "neon")]
fn append(out: &mut Vec<u8>, bytes: uint8x16_t, length: usize) {
    let mut written = [0; 16];
    // SAFETY: 16 writable bytes; the store needs no alignment.
    unsafe { vst1q_u8(written.as_mut_ptr(), bytes) };
    let end = out.len() + length;
    out.extend_from_slice(&written);
    out.truncate(end);
}
