//! Gathering places with bit instructions.

use super::has_avx2_and_bits;
use crate::portable;

pub(crate) fn gather_places(marks: &[u64], places: &mut [u16]) -> usize {
    if has_avx2_and_bits() {
        // SAFETY: the processor has these instructions.
        unsafe { gather_with_bits(marks, places) }
    } else {
        portable::gather_places(marks, places)
    }
}

#[target_feature(enable = "avx2,bmi1,popcnt")]
fn gather_with_bits(marks: &[u64], places: &mut [u16]) -> usize {
    portable::gather_places(marks, places)
}
