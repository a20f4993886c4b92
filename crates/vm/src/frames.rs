//! Call frames: what must be remembered to go back to the caller. Registers live on one growable
//! stack of values; a callee's begin at its first argument, so passing arguments copies nothing.
//!
//! A frame is 16 bytes (168 at the end of MoarVM's work). Nothing here is needed by a few frames
//! only, so there is no extra part; the number of arguments passed is not kept, since omitted ones
//! are plain unassigned registers.

use riverhawk_bytecode::{Dst, FrameId};

/// A call in progress.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The operation behind the call.
    pub return_to: u32,
    /// The caller's first register.
    pub caller_base: u32,
    /// The function called.
    pub function: FrameId,
    /// Where the caller wants the value.
    pub d: Dst,
}

const _: () = assert!(size_of::<Frame>() <= 16);

/// The deepest nesting of calls: eight million, some 700 MB of registers for a small function.
pub const MAX_CALLS: usize = 8 * 1024 * 1024;

/// The most registers of all frames together: 4 GiB of values.
pub const MAX_REGISTERS: usize = 1 << 28;
