//! Call frames. Registers are on one growable stack; a callee's begin at its first argument, so
//! passing arguments copies nothing.
//!
//! A frame is 16 bytes. The number of arguments is not kept: omitted ones are unassigned registers.

use riverhawk_bytecode::{Dst, FrameId};

/// A call in progress.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The operation after the call.
    pub return_to: u32,
    /// The caller's first register.
    pub caller_base: u32,
    /// The function called.
    pub function: FrameId,
    /// The register for the value.
    pub d: Dst,
}

const _: () = assert!(size_of::<Frame>() <= 16);

/// Eight million calls take some 700 MB of registers for a small function.
pub const MAX_CALLS: usize = 8 * 1024 * 1024;

/// 4 GiB of values.
pub const MAX_REGISTERS: usize = 1 << 28;
