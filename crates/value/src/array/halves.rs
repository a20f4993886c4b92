//! Short texts as the two words of what holds them, without taking them apart.

use super::key::Key;
use crate::layout::tag;
use crate::value::Value;

/// The words of 16 bytes, the first byte (a tag) as zero.
///
/// # Safety
/// All bytes are initialized.
#[inline(always)]
unsafe fn halves_of<T>(whole: &T) -> [u64; 2] {
    const { assert!(size_of::<T>() == 16 && align_of::<T>() == 8) };
    // SAFETY: by the contract, and of this size and alignment.
    let [low, high] = unsafe { std::ptr::from_ref(whole).cast::<[u64; 2]>().read() };
    [u64::from_le(low) & !0xff, u64::from_le(high)]
}

impl Value {
    /// Short input text of these [`SmallStr::halves`](crate::SmallStr::halves), written as two words.
    #[inline(always)]
    pub(super) fn small_input([low, high]: [u64; 2]) -> Value {
        let halves = [(low | u64::from(tag::SMALL_INPUT)).to_le(), high.to_le()];
        // SAFETY: this tag, and 15 bytes that are a short text.
        unsafe { std::mem::transmute::<[u64; 2], Value>(halves) }
    }

    /// [`SmallStr::halves`](crate::SmallStr::halves) of a short text.
    #[inline(always)]
    pub(super) fn small_halves(&self) -> Option<[u64; 2]> {
        match self {
            // SAFETY: `repr(u8)`: a tag and 15 bytes that have no gaps.
            Value::Small(_) | Value::SmallInput(_) => Some(unsafe { halves_of(self) }),
            _ => None,
        }
    }
}

impl Key {
    /// [`SmallStr::halves`](crate::SmallStr::halves) of a short text.
    #[inline(always)]
    pub(super) fn small_halves(&self) -> Option<[u64; 2]> {
        match self {
            // SAFETY: `repr(u8)`: a tag and 15 bytes that have no gaps.
            Key::Small(_) => Some(unsafe { halves_of(self) }),
            _ => None,
        }
    }
}
