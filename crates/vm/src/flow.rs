//! How the loop over operations ends, and in which mode it runs.

#![allow(unsafe_code)]

/// How a phase ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// At its end.
    Ended,
    /// By `exit`, perhaps with a status.
    Exit(Option<u8>),
    /// BEGINFILE, by `nextfile`.
    SkipFile,
}

/// In which mode the loop runs.
pub(crate) mod mode {
    /// Telling the tier of jumps and calls, as often as it wants to be asked.
    pub(crate) const PLAIN: u8 = 0;
    /// Telling the tier also what operations see.
    pub(crate) const OBSERVING: u8 = 1;
    /// So many operations and no more: what machine code asks for that has no code of its own for
    /// them. None may be a call or the end of a frame, and only the last may jump; the frame
    /// that is given is the running one, and a fault is held, to be located by whoever knows
    /// the frames.
    pub(crate) const FEW: u8 = 2;
    /// Added to any of them: integers are exact, see [`exact`](crate::exact).
    pub(crate) const EXACT: u8 = 4;
}

/// Why the loop was left.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stopped {
    /// The frame that it was to run has ended.
    By(Flow),
    /// The tier wants the other mode, from this operation on, with the running frame's registers
    /// there.
    Switch { at: u32, base_at: usize },
    /// The operations that it was to perform are done; the next is this.
    Before(u32),
}
