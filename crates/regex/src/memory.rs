//! What one search leaves to the next.

use crate::runs::Runs;

/// What searches over one text remember. Not to be used with another.
#[derive(Default)]
pub(crate) struct Memory {
    /// Bytes read in vain so far.
    pub wasted: usize,
    /// Row in which the table passed a place in vain.
    pub memo: Vec<u16>,
    pub runs: Runs,
}
