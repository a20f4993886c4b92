//! To what precision, in which direction and within which range results are rounded.

use crate::rounding::Rounding;
use std::cell::Cell;

/// The fewest bits that a number may have.
pub const MIN_PRECISION: usize = 1;

/// The most bits that a number may have: 128 MiB. Integers end at [`MAX_INTEGER_BITS`].
pub const MAX_PRECISION: usize = 1 << 30;

/// The most bits that an integer may have: 512 MiB.
#[cfg(target_pointer_width = "64")]
pub const MAX_INTEGER_BITS: usize = 1 << 32;

/// The most bits that an integer may have: 256 MiB, as a machine of 32 bits counts no further.
#[cfg(not(target_pointer_width = "64"))]
pub const MAX_INTEGER_BITS: usize = 1 << 31;

/// Between which exponents numbers lie. The exponent of a number is that of the power of two just
/// above its magnitude: 1 has 1, a half has 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The exponent of the smallest number.
    pub min: i64,
    /// The exponent of the largest numbers.
    pub max: i64,
    /// Whether numbers near the smallest are subnormal: have fewer bits, down to one.
    pub gradual: bool,
}

impl Range {
    /// That of the C library MPFR, which few programs see the ends of.
    pub const WIDE: Range = Range { min: -((1 << 30) - 1), max: (1 << 30) - 1, gradual: false };
}

/// What results are rounded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Bits.
    pub precision: usize,
    /// Direction.
    pub rounding: Rounding,
    /// Between which exponents.
    pub range: Range,
}

impl Default for Context {
    /// 53 bits, to the nearest.
    fn default() -> Context {
        Context { precision: 53, rounding: Rounding::Nearest, range: Range::WIDE }
    }
}

thread_local! {
    static CURRENT: Cell<Context> = const {
        Cell::new(Context { precision: 53, rounding: Rounding::Nearest, range: Range::WIDE })
    };
}

impl Context {
    /// A precision in bits, rounding to the nearest.
    pub fn bits(precision: usize) -> Context {
        Context { precision, ..Context::default() }
    }

    /// The same with another direction.
    pub fn rounding(self, rounding: Rounding) -> Context {
        Context { rounding, ..self }
    }

    /// Precision and range of an IEEE 754 format by its name in awk: `half`, `single`, `double`,
    /// `quad` or `oct`, in any case.
    pub fn named(self, name: &[u8]) -> Option<Context> {
        let formats: [(&[u8], usize, i64); 5] = [
            (b"half", 11, 16),
            (b"single", 24, 128),
            (b"double", 53, 1024),
            (b"quad", 113, 16_384),
            (b"oct", 237, 262_144),
        ];
        let (_, precision, max) =
            formats.into_iter().find(|(known, ..)| known.eq_ignore_ascii_case(name))?;
        // The smallest normal number has the exponent 3 - max; below it one bit is lost with
        // each halving.
        let range = Range { min: 4 - max - precision as i64, max, gradual: true };
        Some(Context { precision, range, ..self })
    }

    /// The same with another precision and the widest range; `None` if that is no precision.
    pub fn with_precision(self, bits: f64) -> Option<Context> {
        let bits = bits.round_ties_even();
        let fits = (MIN_PRECISION as f64..=MAX_PRECISION as f64).contains(&bits);
        fits.then_some(Context { precision: bits as usize, range: Range::WIDE, ..self })
    }

    /// The context of this thread.
    #[inline]
    pub fn current() -> Context {
        CURRENT.get()
    }

    /// Makes it the context of this thread, by which text is read and written.
    pub fn set_current(self) {
        CURRENT.set(self);
    }
}
