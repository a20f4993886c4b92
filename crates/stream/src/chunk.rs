//! The part of the window that is marked at once.

use riverhawk_simd::{BLOCK, PLACES_SLACK};

/// Blocks marked at once: one word holds the non-ASCII flags of all.
pub(crate) const BLOCKS: usize = 64;

/// Bytes marked at once.
pub(crate) const CHUNK: usize = BLOCKS * BLOCK;

/// Places of one chunk: every byte may be a separator. A power of two, so that an index can be
/// masked.
pub(crate) const ROOM: usize = (CHUNK + PLACES_SLACK).next_power_of_two();
