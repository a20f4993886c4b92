//! Why a piece's results are not used.

use crate::slot::Slot;

/// Why a piece's results may differ from a serial run, so that the leader must run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotJoined {
    /// A variable's sum has fractions.
    Fractions(Option<Slot>),
    /// Sums approach 2^53, beyond which not every integer is a double.
    LargeSums,
    /// A maximum or minimum was compared with something that is no finite number, or began as one.
    Unordered,
    /// It ended early: an error, a warning, `exit`, too much output.
    Abandoned,
    /// It ran on a wrong guess of the open ranges.
    Ranges,
    /// Variables cannot cross threads, such as arrays in arrays.
    State,
    /// Under this `RS` finding records requires reading everything before them.
    Uncut,
}
