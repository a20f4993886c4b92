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

/// How many tests ended how.
#[derive(Default)]
pub(super) struct Counts {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

impl Counts {
    pub fn of(tested: &[Tested]) -> Counts {
        let mut counts = Counts::default();
        for test in tested {
            *match test.verdict {
                Verdict::Passed => &mut counts.passed,
                Verdict::Failed(_) => &mut counts.failed,
                Verdict::Skipped(_) => &mut counts.skipped,
            } += 1;
        }
        counts
    }
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
