//! Bytes and 16-bit units to UTF-8 with AVX2; see `crate::widen`.

use super::{has_avx2_and_bits, load16, load32};
use crate::byte_table::{ByteOrder, ByteTable};
use crate::portable;
use crate::utf8_tables::SQUEEZE;
use core::arch::x86_64::*;

/// Input bytes that a block needs: it is read again after its last character.
const AHEAD: usize = 130;

/// Bytes after the text that a kernel may overwrite.
const SLACK: usize = 256;

/// After this many ASCII blocks (or eights of units), more are expected.
pub(super) const QUIET: usize = 16;

/// With this many longer characters in a block, one by one is faster.
const DENSE_BYTES: u32 = 12;

pub(crate) fn widen_bytes(input: &[u8], table: &ByteTable, out: &mut Vec<u8>) -> usize {
    if !has_avx2_and_bits() {
        return portable::widen_bytes(input, table, out);
    }
    out.reserve(input.len() * table.longest() + SLACK);
    // SAFETY: the processor has these instructions; `out` has the room that the kernel needs, and
    // the kernel returns how many bytes it has written.
    unsafe {
        let end = out.as_mut_ptr().add(out.len());
        let (consumed, written) = bytes_avx2(input, table, end);
        out.set_len(out.len() + written);
        consumed
    }
}

pub(crate) fn widen_utf16(input: &[u8], order: ByteOrder, out: &mut Vec<u8>) -> usize {
    if !has_avx2_and_bits() {
        return crate::naive::widen_utf16(input, order, out);
    }
    // A unit becomes at most three bytes.
    out.reserve(input.len() / 2 * 3 + SLACK);
    // SAFETY: as above.
    unsafe {
        let end = out.as_mut_ptr().add(out.len());
        let (consumed, written) = match order {
            ByteOrder::Little => units_avx2::<false>(input, end),
            ByteOrder::Big => units_avx2::<true>(input, end),
        };
        out.set_len(out.len() + written);
        consumed
    }
}

/// Widens bytes to `out`; returns how many it read and wrote.
///
/// # Safety
/// `out` must be valid for writes of `input.len() * table.longest() + SLACK` bytes.
#[target_feature(enable = "avx2,bmi1,popcnt")]
unsafe fn bytes_avx2(input: &[u8], table: &ByteTable, out: *mut u8) -> (usize, usize) {
    let (mut at, mut written, mut quiet) = (0, 0, 0);
    // SAFETY: a block begins only with AHEAD bytes of input left, and reads at most 64 + 1 + 64. It
    // writes at most SLACK bytes after the text so far: 64 bytes after its last character.
    unsafe {
        while input.len() - at >= AHEAD {
            let (from, to) = (input.as_ptr().add(at), out.add(written));
            if quiet >= QUIET {
                quiet = 0;
                let length = copy_ascii(&input[at..], to);
                at += length;
                written += length;
                if length > 0 {
                    continue;
                }
            }
            let (low, high) =
                (_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(32).cast()));
            let mut long = u64::from(_mm256_movemask_epi8(low) as u32)
                | u64::from(_mm256_movemask_epi8(high) as u32) << 32;
            quiet = (quiet + 1) & usize::from(long == 0).wrapping_neg();
            if long.count_ones() > DENSE_BYTES {
                let (consumed, length) = bytes_singly(&input[at..at + 64], table, to);
                (at, written) = (at + consumed, written + length);
                if consumed < 64 {
                    return (at, written);
                }
                continue;
            }
            _mm256_storeu_si256(to.cast(), low);
            _mm256_storeu_si256(to.add(32).cast(), high);
            let mut longer = 0;
            let mut is_text = true;
            // The next longer character and the bytes after it, which the next block may overwrite.
            let mut widen_next = || {
                let place = long.trailing_zeros() as usize;
                let is_there = usize::from(long != 0);
                let entry = table.entry(*from.add(place));
                let length = (entry >> 24) as usize;
                to.add(place + longer).cast::<u32>().write_unaligned(entry);
                copy64(from.add(place + 1), to.add(place + longer + length));
                is_text &= length >= is_there;
                longer += (length & is_there.wrapping_neg()).saturating_sub(1);
                long &= long.wrapping_sub(1);
                long != 0
            };
            if widen_next() | widen_next() {
                while widen_next() {}
            }
            if !is_text {
                let (consumed, length) = bytes_singly(&input[at..at + 64], table, to);
                return (at + consumed, written + length);
            }
            at += 64;
            written += 64 + longer;
        }
        let (consumed, length) = bytes_singly(&input[at..], table, out.add(written));
        (at + consumed, written + length)
    }
}

/// Copies blocks of 256 bytes that are ASCII; returns how many bytes.
///
/// # Safety
/// `to` must be valid for writes of `input.len()` bytes.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn copy_ascii(input: &[u8], to: *mut u8) -> usize {
    let mut at = 0;
    for block in input.as_chunks::<32>().0.as_chunks::<8>().0 {
        let bytes = block.each_ref().map(|bytes| load32(bytes));
        let any =
            bytes.iter().fold(_mm256_setzero_si256(), |any, bytes| _mm256_or_si256(any, *bytes));
        if _mm256_movemask_epi8(any) != 0 {
            break;
        }
        // SAFETY: the input has 256 bytes at `at`, and `to` has room for all of the input.
        unsafe {
            bytes
                .iter()
                .enumerate()
                .for_each(|(i, b)| _mm256_storeu_si256(to.add(at + 32 * i).cast(), *b))
        };
        at += 256;
    }
    at
}

/// One byte after the other, without a branch, for the end of the input and text with little ASCII.
///
/// # Safety
/// `out` must be valid for writes of `input.len() * table.longest() + 4` bytes.
#[inline]
unsafe fn bytes_singly(input: &[u8], table: &ByteTable, out: *mut u8) -> (usize, usize) {
    let mut written = 0;
    for (at, &byte) in input.iter().enumerate() {
        let entry = table.entry(byte);
        // SAFETY: each byte before has advanced `written` by at most the table's longest.
        unsafe { out.add(written).cast::<u32>().write_unaligned(entry) };
        if entry == 0 {
            return (at, written);
        }
        written += (entry >> 24) as usize;
    }
    (input.len(), written)
}

/// Widens units to `out`; returns how many bytes it read and wrote.
///
/// # Safety
/// `out` must be valid for writes of `input.len() / 2 * 3 + SLACK` bytes.
#[target_feature(enable = "avx2,bmi1,popcnt")]
unsafe fn units_avx2<const BIG: bool>(input: &[u8], out: *mut u8) -> (usize, usize) {
    let (mut at, mut written, mut quiet) = (0, 0, 0);
    // SAFETY: a round begins with at least 64 bytes of input, which it reads. It writes 32 bytes
    // after the text so far, which is at most three bytes per unit.
    unsafe {
        while input.len() - at >= 64 {
            let (from, to) = (input.as_ptr().add(at), out.add(written));
            if quiet >= QUIET {
                let (a, b) = load_units::<BIG>(from);
                let upper = _mm256_set1_epi16(0xFF80u16 as i16);
                if _mm256_testz_si256(_mm256_or_si256(a, b), upper) != 0 {
                    let bytes = _mm256_permute4x64_epi64::<0xD8>(_mm256_packus_epi16(a, b));
                    _mm256_storeu_si256(to.cast(), bytes);
                    (at, written) = (at + 64, written + 32);
                    continue;
                }
                quiet = 0;
            }
            if let Some(length) = widen_eight(load_eight::<BIG>(from), to) {
                quiet = (quiet + 1) & usize::from(length == 8).wrapping_neg();
                (at, written) = (at + 16, written + length);
                continue;
            }
            let (consumed, length) = units_singly::<BIG>(&input[at..], 16, to);
            (at, written) = (at + consumed, written + length);
            if consumed < 16 {
                return (at, written);
            }
        }
        let (consumed, length) = units_singly::<BIG>(&input[at..], usize::MAX, out.add(written));
        (at + consumed, written + length)
    }
}

/// Eight units that are all below 0x800, or all above and no surrogates; returns their length in
/// UTF-8.
///
/// # Safety
/// `to` must be valid for writes of 32 bytes.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn widen_eight(units: __m128i, to: *mut u8) -> Option<usize> {
    let six = _mm_set1_epi16(0x3F);
    let last = _mm_or_si128(_mm_and_si128(units, six), _mm_set1_epi16(0x80));
    let from_0x800 = _mm_cmpeq_epi16(
        _mm_and_si128(units, _mm_set1_epi16(0xF800u16 as i16)),
        _mm_setzero_si128(),
    );
    match _mm_movemask_epi8(from_0x800) {
        0xFFFF => {
            // Two bytes for each; the shuffle removes the spare ones of ASCII.
            let first = _mm_or_si128(_mm_srli_epi16::<6>(units), _mm_set1_epi16(0xC0));
            let both = _mm_or_si128(first, _mm_slli_epi16::<8>(last));
            let is_ascii = _mm_cmpgt_epi16(_mm_set1_epi16(0x80), units);
            let text = _mm_blendv_epi8(both, units, is_ascii);
            let ascii = _mm_movemask_epi8(_mm_packs_epi16(is_ascii, _mm_setzero_si128())) as u8;
            let squeezed = _mm_shuffle_epi8(text, load16(&SQUEEZE[usize::from(ascii)]));
            // SAFETY: as this function requires.
            unsafe { _mm_storeu_si128(to.cast(), squeezed) };
            Some(16 - ascii.count_ones() as usize)
        }
        0 => {
            let surrogates = _mm_cmpeq_epi16(
                _mm_and_si128(units, _mm_set1_epi16(0xF800u16 as i16)),
                _mm_set1_epi16(0xD800u16 as i16),
            );
            if _mm_movemask_epi8(surrogates) != 0 {
                return None;
            }
            let middle =
                _mm_or_si128(_mm_and_si128(_mm_srli_epi16::<6>(units), six), _mm_set1_epi16(0x80));
            let first = _mm_or_si128(_mm_srli_epi16::<12>(units), _mm_set1_epi16(0xE0));
            let front = _mm_or_si128(first, _mm_slli_epi16::<8>(middle));
            // Four bytes for each; the shuffle removes the uppermost.
            let squeeze = _mm_set_epi8(-1, -1, -1, -1, 14, 13, 12, 10, 9, 8, 6, 5, 4, 2, 1, 0);
            let low = _mm_shuffle_epi8(_mm_unpacklo_epi16(front, last), squeeze);
            let high = _mm_shuffle_epi8(_mm_unpackhi_epi16(front, last), squeeze);
            // SAFETY: 12 + 16 bytes of the 32 that are writable.
            unsafe {
                _mm_storeu_si128(to.cast(), low);
                _mm_storeu_si128(to.add(12).cast(), high);
            }
            Some(24)
        }
        _ => None,
    }
}

/// # Safety
/// 16 bytes must be readable there.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load_eight<const BIG: bool>(from: *const u8) -> __m128i {
    // SAFETY: as this function requires.
    let units = load16(unsafe { &*from.cast() });
    if !BIG {
        return units;
    }
    _mm_shuffle_epi8(units, _mm_set_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1))
}

/// One unit after the other, until `enough` bytes have been consumed, the end, or an invalid unit.
///
/// # Safety
/// `out` must be valid for writes of three bytes for each of these units, and 8 more.
#[inline]
unsafe fn units_singly<const BIG: bool>(
    input: &[u8],
    enough: usize,
    out: *mut u8,
) -> (usize, usize) {
    let (mut at, mut written) = (0, 0);
    while at < enough && at + 2 <= input.len() {
        // SAFETY: `at + 2` is within the input; `written` is at most three for each unit so far, or
        // four for two.
        unsafe {
            let unit = unit_at::<BIG>(input.as_ptr().add(at));
            let to = out.add(written).cast::<u32>();
            if is_surrogate(unit) {
                if unit >= 0xDC00 || at + 4 > input.len() {
                    break;
                }
                let low = unit_at::<BIG>(input.as_ptr().add(at + 2));
                if low & 0xFC00 != 0xDC00 {
                    break;
                }
                let point = 0x1_0000 + ((unit & 0x3FF) << 10 | low & 0x3FF);
                let tail = |shift: u32| (0x80 | point >> shift & 0x3F) << (24 - shift / 6 * 8);
                to.write_unaligned(0xF0 | point >> 18 | tail(12) | tail(6) | tail(0));
                at += 4;
                written += 4;
                continue;
            }
            let (wide, length) = utf8_of_wide(unit);
            let is_wide = unit >= 0x80;
            to.write_unaligned(if is_wide { wide } else { unit });
            written += if is_wide { length } else { 1 };
            at += 2;
        }
    }
    (at, written)
}

/// The UTF-8 of a unit from 0x80 on, lowest byte first, and its length.
#[inline(always)]
fn utf8_of_wide(unit: u32) -> (u32, usize) {
    let two = 0xC0 | unit >> 6 | (0x80 | unit & 0x3F) << 8;
    let three = 0xE0 | unit >> 12 | (0x80 | unit >> 6 & 0x3F) << 8 | (0x80 | unit & 0x3F) << 16;
    let is_three = unit >= 0x800;
    (if is_three { three } else { two }, 2 + usize::from(is_three))
}

#[inline(always)]
fn is_surrogate(unit: u32) -> bool {
    unit & 0xF800 == 0xD800
}

/// # Safety
/// Two bytes must be readable there.
#[inline(always)]
unsafe fn unit_at<const BIG: bool>(from: *const u8) -> u32 {
    // SAFETY: as this function requires.
    let pair = unsafe { from.cast::<[u8; 2]>().read() };
    u32::from(if BIG { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) })
}

/// # Safety
/// 64 bytes must be readable there.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load_units<const BIG: bool>(from: *const u8) -> (__m256i, __m256i) {
    // SAFETY: as this function requires.
    let (a, b) = unsafe { (load32(&*from.cast()), load32(&*from.add(32).cast())) };
    if !BIG {
        return (a, b);
    }
    let lane = _mm_set_epi8(14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1);
    let swap = _mm256_broadcastsi128_si256(lane);
    (_mm256_shuffle_epi8(a, swap), _mm256_shuffle_epi8(b, swap))
}

/// # Safety
/// 64 bytes must be readable at `from` and writable at `to`.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn copy64(from: *const u8, to: *mut u8) {
    // SAFETY: as this function requires.
    unsafe {
        let (low, high) =
            (_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(32).cast()));
        _mm256_storeu_si256(to.cast(), low);
        _mm256_storeu_si256(to.add(32).cast(), high);
    }
}
