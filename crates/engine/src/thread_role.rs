//! Roles of threads in a run.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThreadRole {
    /// The caller's.
    First,
    /// Runs pieces.
    Worker,
}
