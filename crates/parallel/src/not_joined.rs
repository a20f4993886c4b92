//! Why a piece's results are not used.

use crate::slot::Slot;

/// Why the leader must run a piece itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotJoined {
    /// A variable's sum has fractions.
    Fractions(Option<Slot>),
    /// Sums near 2^53, above which integers are inexact.
    LargeSums,
    /// A maximum or minimum met something that is no finite number.
    Unordered,
    /// An element of an array that counts keys is negative.
    NegativeCount(Slot),
    /// So many keys are new that joining takes as long as running.
    ManyKeys,
    /// An error, a warning, `exit`, too much output.
    Abandoned,
    /// It ran on a wrong guess of the open ranges.
    Ranges,
    /// Variables cannot cross threads, such as arrays in arrays.
    State,
    /// Under this `RS` finding records requires reading everything before them.
    Uncut,
}
