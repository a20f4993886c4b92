//! How the loop over operations ends, and in which mode it runs.

#![allow(unsafe_code)]

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// At its end.
    Ended,
    Exit(Option<u8>),
    /// BEGINFILE, by `nextfile`.
    SkipFile,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum LoopMode {
    /// Tells the tier of jumps and calls.
    Plain,
    /// Also tells the tier what operations see.
    Observing,
    /// A number of operations that machine code has no code for: no call, no end of a frame, and
    /// only the last may jump. A fault is held, and located when the frames are back.
    Few,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Stopped {
    By(Flow),
    /// The tier wants the other mode from this operation on.
    Switch {
        at: u32,
        base_at: usize,
    },
    /// The operations are done; this is the next.
    Before(u32),
}
