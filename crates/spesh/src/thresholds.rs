//! Every number that decides something, in one place, with where it comes from.
//!
//! | number | is | decides |
//! |---|---|---|
//! | [`BUFFER_ENTRIES`] | 16,384 entries | how much of a thread's log is handed over at once |
//! | [`NO_DELAY_BUFFER_ENTRIES`] | 64 entries | the same when nothing may be delayed |
//! | [`ENTRY_BUDGET`] | 1,000 entries | how often the entry of one frame is logged, all threads together |
//! | [`TURN_BUDGET`] | 2,000 turns | from when on a frame's loops are not watched any more |
//! | [`MAX_BYTECODE`] | 65,536 bytes | from which size on a frame is neither logged nor planned |
//! | [`MAIN_QUOTA`], [`OTHER_QUOTA`] | 3, 2 buffers | how many buffers of one thread may wait for the worker |
//! | [`UNIT_BONUS`] | 5 buffers | how many more may wait because new programs were entered |
//! | [`EARLY_SEND`] | a quarter of a buffer | from when on entering a program hands the buffer over |
//! | [`MAX_AGE`] | 5 buffers | how long statistics live that are not updated |
//! | [`SIMULATED_FRAMES`] | 8,192 frames | how deep a simulated stack may be |
//! | [`TUPLES`], [`CALLEES`], [`FRAME_CALLEES`] | 1,000, 64, 4,096 | how many branches a node of the statistics may have |
//! | [`INTERNED_ARITY`] | 8 arguments | from which arity on a callsite is interned only by force |
//! | [`Thresholds`] | see there | when a frame is hot, and which types it is specialised for |
//! | [`STABLE_PERCENT`], [`RARE_FACTOR`] | 99 %, 100 times | when what was seen at one place counts as one thing |
//! | [`FAILURES`], [`FAILURE_PERCENT`], [`ROUNDS`] | 16, 1 %, 2 | when a candidate that falls back is taken away |

/// Entries in a log buffer: 384 KiB. MoarVM measured 4,096, 8,192 and 16,384, and the last was the
/// best.
pub const BUFFER_ENTRIES: usize = 16_384;

/// Entries in a log buffer when nothing may be delayed: a test program of ten lines never fills a
/// whole one.
pub const NO_DELAY_BUFFER_ENTRIES: usize = 64;

/// Logged entries of one frame, all threads together. With 100 or 350, several threads could each
/// log a frame some times and none often enough for a plan.
pub const ENTRY_BUDGET: u32 = 1_000;

/// Iterations of a frame's loops after which nothing of it is logged. The budget of entries does
/// not bound a frame that is entered once and loops for ever; ten times the iterations that make it
/// hot do.
pub const TURN_BUDGET: u32 = 2_000;

/// Bytes of bytecode from which on a frame is neither logged nor planned.
pub const MAX_BYTECODE: u32 = 65_536;

/// Buffers of the main thread that may be on their way.
pub const MAIN_QUOTA: u32 = 3;

/// Buffers of any other thread that may be on their way.
pub const OTHER_QUOTA: u32 = 2;

/// Bonus buffers of one thread that may be on their way.
pub const UNIT_BONUS: u32 = 5;

/// The part of a buffer (one in so many) past which it is handed over when a new program is
/// entered, so that the program's end does not cut off its first frames.
pub const EARLY_SEND: usize = 4;

/// Buffers after which statistics that were not updated are dropped, and the simulated stack of a
/// thread that sent nothing. The latter for each live thread: with eight threads, a thread's own
/// buffers are eight apart.
pub const MAX_AGE: u64 = 5;

/// Frames on a simulated stack. Past it the outer half is given up: deeper recursion says nothing
/// new.
pub const SIMULATED_FRAMES: usize = 8_192;

/// Type tuples of one callsite: as many as entries are logged.
pub const TUPLES: usize = ENTRY_BUDGET as usize;

/// Callees, and callees with their types, at one place; only an indirect call has more than one.
pub const CALLEES: usize = 64;

/// Callees of one frame, all places together: as many calls as [`MAX_BYTECODE`] holds.
pub const FRAME_CALLEES: usize = 4_096;

/// Arity from which on callsites are interned only by force.
pub const INTERNED_ARITY: usize = 8;

/// Percentage of agreement from which on a call's target, its callee's types or an operator's
/// outcome counts as stable.
pub const STABLE_PERCENT: u32 = 99;

/// A logged type counts as the only one if all others together are more than this many times rarer.
pub const RARE_FACTOR: u64 = 100;

/// Failures of one guard before their share is looked at: an early failure is no rate yet.
pub const FAILURES: u32 = 16;

/// Percentage of a candidate's entries that may fail at one guard.
pub const FAILURE_PERCENT: u32 = 1;

/// How often one specialisation may be produced: the second time with what was learnt from the
/// first.
pub const ROUNDS: u32 = 2;

/// What the planner goes by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Hits that make a frame or a callsite hot: for bytecode of at most so many bytes, so many
    /// hits. Small frames must not wait long, or their callers are specialised before there is
    /// anything to inline.
    pub hits: [(u32, u32); 2],
    /// Hits that make a larger frame or its callsite hot.
    pub hits_of_large: u32,
    /// OSR hits that make a frame or a callsite hot whatever its hits. Lower than a large frame's
    /// hits, or its loops would be optimised after it.
    pub osr_hits: u32,
    /// Percentage of a callsite's hits, or of its OSR hits, from which on a tuple gets a
    /// specialisation of its own.
    pub observed_percent: u64,
    /// Percentage of a callsite's hits and OSR hits from which on the type of one argument is taken
    /// into a derived specialisation.
    pub derived_percent: u64,
    /// Bytes of bytecode from which on nothing is planned.
    pub max_bytecode: u32,
}

impl Thresholds {
    /// The usual ones.
    pub const USUAL: Thresholds = Thresholds {
        hits: [(2_048, 150), (8_192, 200)],
        hits_of_large: 300,
        osr_hits: 200,
        observed_percent: 25,
        derived_percent: 40,
        max_bytecode: MAX_BYTECODE,
    };

    /// Everything that was seen once is hot: finds in short tests what otherwise takes a long run.
    pub const NO_DELAY: Thresholds = Thresholds {
        hits: [(2_048, 1), (8_192, 1)],
        hits_of_large: 1,
        osr_hits: 1,
        ..Thresholds::USUAL
    };

    /// Hits that make a frame with so many bytes of bytecode hot.
    pub fn hits_for(&self, bytecode_bytes: u32) -> u32 {
        let rung = self.hits.iter().find(|(most, _)| bytecode_bytes <= *most);
        rung.map_or(self.hits_of_large, |(_, hits)| *hits)
    }

    /// Whether these are hits enough for a frame of this size, or for one of its callsites.
    pub fn is_hot(&self, bytecode_bytes: u32, hits: u32, osr_hits: u32) -> bool {
        hits >= self.hits_for(bytecode_bytes) || osr_hits >= self.osr_hits
    }
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds::USUAL
    }
}
