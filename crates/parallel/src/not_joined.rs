//! Why a piece's results are not used.

use crate::slot::Slot;

/// Why a piece's results may differ from those of a serial run, so that the leader must run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotJoined {
    /// There are fractions in the sums of a variable.
    Fractions(Option<Slot>),
    /// Sums come near the numbers beyond which not every integer is a double.
    LargeSums,
    /// What is no finite number is compared with the greatest or least so far, or such a variable
    /// began otherwise.
    Unordered,
    /// It did not come to its end: an error, a warning, `exit`, too much output.
    Abandoned,
    /// It was run on a wrong guess which ranges are open.
    Ranges,
    /// Variables cannot go to another thread: arrays in arrays, for instance.
    State,
    /// `RS` does not say where records begin unless all before is read.
    Uncut,
}
