//! How a test ended.

use std::time::Duration;

use riverhawk::engine::{SourcePlace, VisitCounts};

/// A test that has been run.
pub(super) struct Tested {
    /// The file it is in.
    pub suite: String,
    pub name: String,
    pub place: SourcePlace,
    pub verdict: Verdict,
    pub time: Duration,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// With `--coverage`: what it visited.
    pub counts: VisitCounts,
}

pub(super) enum Verdict {
    Passed,
    /// Why.
    Skipped(String),
    Failed(TestFailure),
}

pub(super) struct TestFailure {
    /// One line.
    pub message: String,
    pub place: SourcePlace,
    /// With the line of the program, or as a diff.
    pub drawn: String,
}
