//! The first key of a dense part.

/// The first key of a dense part, kept so that machine code finds a place by one subtraction:
/// [`DenseLayout::origin`](crate::DenseLayout).
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Origin(u64);

/// The bits of 2^52. From there to 2^53 doubles are the consecutive integers.
pub(crate) const ORIGIN: u64 = ((1u64 << 52) as f64).to_bits();

impl Default for Origin {
    fn default() -> Origin {
        Origin(ORIGIN)
    }
}

impl Origin {
    #[inline(always)]
    pub(crate) fn first(self) -> i64 {
        (self.0 - ORIGIN) as i64
    }

    /// The place of a key; beyond any vector if before the first.
    #[inline(always)]
    pub(crate) fn place(self, key: i64) -> usize {
        key.wrapping_sub(self.first()) as usize
    }

    pub(crate) fn advance(&mut self, places: usize) {
        self.0 += places as u64;
    }
}
