//! Limits of a run.

use std::time::Duration;

/// What a run may use up; nothing is limited by default. Reaching one is an error that names it.
///
/// ```
/// use riverhawk::{Limits, Program, Run};
///
/// let endless = Program::compile("BEGIN { for (;;) n++ }")?;
/// let limits = Limits { steps: Some(10_000), ..Limits::default() };
/// let error = endless.run(Run::new().limits(limits)).unwrap_err();
/// assert!(error.message().contains("10000"));
/// # Ok::<(), riverhawk::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Turns of loops and calls of functions: the same in every run.
    pub steps: Option<u64>,
    /// Time that passes. A thread looks at the clock.
    pub time: Option<Duration>,
    /// Bytes that the run's thread holds more than when it begins. Needs [`crate::Checked`] as the
    /// process's allocator.
    pub memory: Option<usize>,
    /// Bytes printed, to all outputs together.
    pub output: Option<usize>,
    /// Bytes of a record.
    pub record: Option<usize>,
    /// Bytes that a compressed file may become; by default 1 GiB or 10,000 times its size, whichever
    /// is more.
    pub decompressed: Option<u64>,
    /// Records of the main input.
    pub records: Option<u64>,
    /// Functions that have not returned.
    pub call_depth: Option<usize>,
}
