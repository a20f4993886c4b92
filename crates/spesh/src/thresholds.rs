//! Every number that decides something, with its source.

/// Entries in a log buffer, which takes 384 KiB. MoarVM measured 16,384 as better than 4,096 and
/// 8,192.
pub const BUFFER_ENTRIES: usize = 16_384;

/// The same with `nodelay`: a program of ten lines never fills a whole buffer.
pub(crate) const NO_DELAY_BUFFER_ENTRIES: usize = 64;

/// Logged entries of a frame. With 100 or 350, several threads might each log some, and no plan
/// would have enough.
pub(crate) const ENTRY_BUDGET: u32 = 1_000;

/// Iterations after which a frame's loops are no longer watched, since the entry budget does not
/// bound loops. A tenth of it makes a frame hot.
pub(crate) const TURN_BUDGET: u32 = 2_000;

/// Bytes of bytecode from which a frame is neither logged nor planned.
pub(crate) const MAX_BYTECODE: u32 = 65_536;

/// Buffers of the main thread that may wait for the worker.
pub(crate) const MAIN_QUOTA: u32 = 3;

/// Buffers of any other thread that may wait.
pub(crate) const OTHER_QUOTA: u32 = 2;

/// Bonus buffers of a thread, for new programs, that may wait.
pub(crate) const UNIT_BONUS: u32 = 5;

/// A new program sends a buffer filled by more than one part in this many, so that its first frames
/// are not lost.
pub(crate) const EARLY_SEND: usize = 4;

/// Buffers after which statistics without updates are dropped. For the stacks of silent threads it
/// is multiplied by the number of threads.
pub(crate) const MAX_AGE: u64 = 5;

/// Maximum frames on a simulated stack. If there are more, the outer half is dropped.
pub const SIMULATED_FRAMES: usize = 8_192;

/// Type tuples of a callsite: as many as logged entries.
pub(crate) const TUPLES: usize = ENTRY_BUDGET as usize;

/// Callees at one place; only indirect calls have several.
pub(crate) const CALLEES: usize = 64;

/// Callees of a frame: the calls that fit in [`MAX_BYTECODE`].
pub(crate) const FRAME_CALLEES: usize = 4_096;

/// Arity from which callsites are interned only by [`crate::Callsite::intern_any`].
pub(crate) const INTERNED_ARITY: usize = 8;

/// Percentage of the calls from which a callee is stable.
pub(crate) const STABLE_PERCENT: u32 = 99;

/// Failures of a guard that are ignored, however many entries there were.
pub(crate) const FAILURES: u32 = 16;

/// Percentage of a candidate's entries that may fail at one guard.
pub(crate) const FAILURE_PERCENT: u32 = 1;

/// How often one specialisation is produced: the second time uses what the first showed.
pub const ROUNDS: u32 = 2;

/// The planner's thresholds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Bytecode size, and the hits that make a frame of at most that size hot. Small frames are hot
    /// early, so that callers can inline them.
    pub hits: [(u32, u32); 2],
    /// Hits that make a larger frame or its callsite hot.
    pub hits_of_large: u32,
    /// OSR hits that make a frame hot; fewer than a large frame's hits, or its loops would be
    /// optimised after it.
    pub osr_hits: u32,
    /// Percentage of hits or OSR hits for an observed specialisation.
    pub observed_percent: u64,
    /// Percentage of hits and OSR hits for an argument's type in a derived specialisation.
    pub derived_percent: u64,
    /// Bytes of bytecode from which nothing is planned.
    pub max_bytecode: u32,
}

impl Thresholds {
    /// The defaults.
    pub const USUAL: Thresholds = Thresholds {
        hits: [(2_048, 150), (8_192, 200)],
        hits_of_large: 300,
        osr_hits: 200,
        observed_percent: 25,
        derived_percent: 40,
        max_bytecode: MAX_BYTECODE,
    };

    /// Everything seen once is hot, for short tests.
    pub const NO_DELAY: Thresholds = Thresholds {
        hits: [(2_048, 1), (8_192, 1)],
        hits_of_large: 1,
        osr_hits: 1,
        ..Thresholds::USUAL
    };

    pub(crate) fn hits_for(&self, bytecode_bytes: u32) -> u32 {
        let rung = self.hits.iter().find(|(most, _)| bytecode_bytes <= *most);
        rung.map_or(self.hits_of_large, |(_, hits)| *hits)
    }

    /// Whether a frame of this size, or one of its callsites, is hot.
    pub(crate) fn is_hot(&self, bytecode_bytes: u32, hits: u32, osr_hits: u32) -> bool {
        hits >= self.hits_for(bytecode_bytes) || osr_hits >= self.osr_hits
    }
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds::USUAL
    }
}
