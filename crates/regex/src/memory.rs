//! What one search leaves to the next.

use crate::runs::Runs;

/// What a series of searches over one text remembers. One per text: never carry it over to another.
#[derive(Default)]
pub(crate) struct Memory {
    /// Bytes read in vain so far.
    pub wasted: usize,
    /// Row in which the table passed a place without finding anything behind it.
    pub memo: Vec<u16>,
    /// Runs of one class, for the kernel.
    pub runs: Runs,
}
