//! Limits of a run.

use std::time::Duration;

/// What a run may use up; nothing is limited by default. Reaching one is an error that names it.
///
/// ```
/// use riverhawk::{Limits, Program, Run};
///
/// let endless = Program::compile("BEGIN { for (;;) n++ }")?;
/// let limits = Limits::none().steps(10_000).output(1 << 20);
/// let error = endless.run(Run::new().limits(limits)).unwrap_err();
/// assert!(error.message().contains("10000"));
/// # Ok::<(), riverhawk::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
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

impl Limits {
    /// Nothing is limited, as by default.
    pub const fn none() -> Limits {
        Limits {
            steps: None,
            time: None,
            memory: None,
            output: None,
            record: None,
            decompressed: None,
            records: None,
            call_depth: None,
        }
    }

    /// Ends a run after so many turns of loops and calls of functions.
    #[must_use]
    pub const fn steps(mut self, most: u64) -> Limits {
        self.steps = Some(most);
        self
    }

    /// Ends a run when so much time has passed.
    #[must_use]
    pub const fn time(mut self, most: Duration) -> Limits {
        self.time = Some(most);
        self
    }

    /// Ends a run that holds so many bytes more than at its beginning.
    #[must_use]
    pub const fn memory(mut self, most: usize) -> Limits {
        self.memory = Some(most);
        self
    }

    /// Ends a run that prints more bytes.
    #[must_use]
    pub const fn output(mut self, most: usize) -> Limits {
        self.output = Some(most);
        self
    }

    /// Ends a run at a longer record.
    #[must_use]
    pub const fn record(mut self, most: usize) -> Limits {
        self.record = Some(most);
        self
    }

    /// Ends a run at a compressed file that becomes larger.
    #[must_use]
    pub const fn decompressed(mut self, most: u64) -> Limits {
        self.decompressed = Some(most);
        self
    }

    /// Ends a run at the record after so many.
    #[must_use]
    pub const fn records(mut self, most: u64) -> Limits {
        self.records = Some(most);
        self
    }

    /// Ends a run that calls functions to a greater depth.
    #[must_use]
    pub const fn call_depth(mut self, most: usize) -> Limits {
        self.call_depth = Some(most);
        self
    }
}
