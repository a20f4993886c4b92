//! Breakpoints, watchpoints and displayed expressions.

/// What becomes of a breakpoint when the run has stopped there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// It stays.
    Keep,
    /// It is disabled.
    Disable,
    /// It is deleted.
    Delete,
}

#[derive(Clone, Debug)]
pub(super) struct Breakpoint {
    pub number: usize,
    /// An index into the places.
    pub at: usize,
    pub enabled: bool,
    pub after: After,
    /// It stops only if this is true.
    pub condition: Option<String>,
    /// So many more times it does not stop.
    pub ignored: usize,
    /// How often it was come by.
    pub hits: usize,
    /// What is done when it stops.
    pub commands: Vec<String>,
}

/// An expression whose changes stop the run.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub number: usize,
    pub expression: String,
    pub condition: Option<String>,
    /// What it was when the run last stopped for it, described; none before the run has been
    /// looked at.
    pub value: Option<String>,
    /// The depth of the frame it was set in, when it names a parameter: it goes with that.
    pub depth: Option<usize>,
    /// What is done when it stops.
    pub commands: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Displayed {
    pub number: usize,
    pub expression: String,
    /// As of what is watched.
    pub depth: Option<usize>,
}
