//! State that one search leaves to the next.

use crate::runs::Runs;

/// Valid for one text.
#[derive(Default)]
pub(crate) struct Memory {
    /// Bytes read by failed runs.
    pub wasted: usize,
    /// The row in which the table failed, by index.
    pub memo: Vec<u16>,
    pub runs: Runs,
}
