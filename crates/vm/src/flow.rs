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

/// In which mode the loop runs. There is one for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum LoopMode {
    /// Telling the tier of jumps and calls, as often as it wants to be asked.
    Plain,
    /// Telling the tier also what operations see.
    Observing,
    /// So many operations and no more: what machine code asks for that has no code of its own for
    /// them. None may be a call or the end of a frame, and only the last may jump; the frame that is
    /// given is the running one, and a fault is held, to be located where the frames are known.
    Few,
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
