//! Call frames. Registers are on one growing stack; a callee's begin at its first argument, so
//! passing arguments copies nothing.
//!
//! A frame is 16 bytes. It does not keep the number of arguments: omitted ones are unassigned
//! registers.

use riverhawk_bytecode::{Dst, FrameId};

#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub return_to: u32,
    pub caller_base: u32,
    pub function: FrameId,
    pub d: Dst,
}

const _: () = assert!(size_of::<Frame>() <= 16);

/// With a small function eight million calls take some 700 MB of registers.
pub const MAX_CALLS: usize = 8 * 1024 * 1024;

pub const MAX_REGISTERS: usize = 1 << 28;
