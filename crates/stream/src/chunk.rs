//! The part of the window marked at once.

use riverhawk_simd::{BLOCK, PLACES_SLACK};

/// One word holds the non-ASCII flags of all.
pub(crate) const BLOCKS: usize = 64;

pub(crate) const CHUNK: usize = BLOCKS * BLOCK;

/// Every byte may be a separator. A power of two, for masking indexes.
pub(crate) const ROOM: usize = (CHUNK + PLACES_SLACK).next_power_of_two();
