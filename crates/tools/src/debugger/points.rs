//! Breakpoints, watchpoints and displayed expressions.

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
    pub condition: Option<String>,
    /// How many more times it is passed.
    pub ignored: usize,
    pub hits: usize,
    pub commands: Vec<String>,
}

/// An expression whose changes stop the run.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    pub number: usize,
    pub expression: String,
    pub condition: Option<String>,
    /// Its value when it last stopped the run, described.
    pub value: Option<String>,
    /// The depth of the frame of a parameter, with which it goes.
    pub depth: Option<usize>,
    pub commands: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Displayed {
    pub number: usize,
    pub expression: String,
    /// As of a watchpoint.
    pub depth: Option<usize>,
}
