//! How the loop over operations ends, and the modes it runs in.

#![allow(unsafe_code)]

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Ended,
    Exit(Option<u8>),
    SkipFile,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum LoopMode {
    Plain,
    Observing,
    /// Performs a number of operations for machine code that has no code for them. They do not call
    /// or end a frame, and only the last may jump. A fault is kept until the frames are restored.
    Few,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Stopped {
    By(Flow),
    Switch { at: u32, base_at: usize },
    Before(u32),
}
