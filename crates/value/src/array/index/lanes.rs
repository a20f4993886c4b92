//! Compares the eight hashes of a bucket at once; bit i of the result is for hash i.
//!
//! SSE2, which every x86-64 has: 10 instructions, against 40 compiled from the plain form. NEON on AArch64.

use super::LANES;

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) use naive::{below_two, equal};
#[cfg(target_arch = "aarch64")]
pub(super) use neon::{below_two, equal};
#[cfg(target_arch = "x86_64")]
pub(super) use sse2::{below_two, equal};

#[cfg(target_arch = "x86_64")]
mod sse2 {
    use super::LANES;
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_packs_epi16, _mm_packs_epi32,
        _mm_set_epi32, _mm_set1_epi32, _mm_setzero_si128, _mm_srli_epi32,
    };

    #[inline]
    #[target_feature(enable = "sse2")]
    fn halves(hashes: &[u32; LANES]) -> (__m128i, __m128i) {
        // Compiles to two loads of 16 bytes.
        let &[a, b, c, d, e, f, g, h] = hashes;
        (
            _mm_set_epi32(d as i32, c as i32, b as i32, a as i32),
            _mm_set_epi32(h as i32, g as i32, f as i32, e as i32),
        )
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn bits(low: __m128i, high: __m128i) -> u32 {
        _mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(low, high), _mm_setzero_si128())) as u32
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn lanes_equal(hashes: &[u32; LANES], hash: u32) -> u32 {
        let (low, high) = halves(hashes);
        let hash = _mm_set1_epi32(hash as i32);
        bits(_mm_cmpeq_epi32(low, hash), _mm_cmpeq_epi32(high, hash))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn lanes_below_two(hashes: &[u32; LANES]) -> u32 {
        let (low, high) = halves(hashes);
        let zero = _mm_setzero_si128();
        bits(
            _mm_cmpeq_epi32(_mm_srli_epi32::<1>(low), zero),
            _mm_cmpeq_epi32(_mm_srli_epi32::<1>(high), zero),
        )
    }

    #[inline(always)]
    pub fn equal(hashes: &[u32; LANES], hash: u32) -> u32 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { lanes_equal(hashes, hash) }
    }

    #[inline(always)]
    pub fn below_two(hashes: &[u32; LANES]) -> u32 {
        // SAFETY: every x86-64 has SSE2.
        unsafe { lanes_below_two(hashes) }
    }
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use super::LANES;
    use std::arch::aarch64::{
        uint32x4_t, vaddvq_u16, vandq_u16, vceqq_u32, vcltq_u32, vcombine_u16, vdupq_n_u32,
        vld1q_u16, vld1q_u32, vmovn_u32,
    };

    #[inline]
    #[target_feature(enable = "neon")]
    fn lanes(hashes: &[u32; LANES], holds: impl Fn(uint32x4_t) -> uint32x4_t) -> u32 {
        const WEIGHTS: [u16; LANES] = [1, 2, 4, 8, 16, 32, 64, 128];
        // SAFETY: eight numbers are there, of either kind; the loads need no alignment.
        let (low, high, weights) = unsafe {
            let from = hashes.as_ptr();
            (vld1q_u32(from), vld1q_u32(from.add(4)), vld1q_u16(WEIGHTS.as_ptr()))
        };
        let held = vcombine_u16(vmovn_u32(holds(low)), vmovn_u32(holds(high)));
        u32::from(vaddvq_u16(vandq_u16(held, weights)))
    }

    #[inline(always)]
    pub fn equal(hashes: &[u32; LANES], hash: u32) -> u32 {
        // SAFETY: NEON is part of AArch64.
        unsafe { lanes(hashes, |lane| vceqq_u32(lane, vdupq_n_u32(hash))) }
    }

    #[inline(always)]
    pub fn below_two(hashes: &[u32; LANES]) -> u32 {
        // SAFETY: NEON is part of AArch64.
        unsafe { lanes(hashes, |lane| vcltq_u32(lane, vdupq_n_u32(2))) }
    }
}

#[cfg(any(test, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod naive {
    use super::LANES;

    fn lanes(hashes: &[u32; LANES], holds: impl Fn(u32) -> bool) -> u32 {
        let bits = hashes.iter().enumerate().map(|(lane, &hash)| u32::from(holds(hash)) << lane);
        bits.fold(0, |mask, bit| mask | bit)
    }

    pub fn equal(hashes: &[u32; LANES], hash: u32) -> u32 {
        lanes(hashes, |other| other == hash)
    }

    pub fn below_two(hashes: &[u32; LANES]) -> u32 {
        lanes(hashes, |other| other < 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hash() -> impl Strategy<Value = u32> {
        prop_oneof![0u32..4, Just(u32::MAX), Just(1 << 31), Just(0x8000_0001), any::<u32>()]
    }

    proptest! {
        #[test]
        fn both_forms_give_the_same_bits(hashes: [u32; LANES], few in proptest::array::uniform8(hash()), other in hash()) {
            for hashes in [hashes, few] {
                prop_assert_eq!(below_two(&hashes), naive::below_two(&hashes));
                for hash in hashes.into_iter().chain([other]) {
                    prop_assert_eq!(equal(&hashes, hash), naive::equal(&hashes, hash));
                }
            }
        }
    }
}
