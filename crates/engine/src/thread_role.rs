//! Which thread of a run something is for.

/// Which thread of a run something is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThreadRole {
    /// The run's first: its caller's.
    First,
    /// One that runs pieces.
    Worker,
}
