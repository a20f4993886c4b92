//! Where an optimiser looks in: the interpreter tells a [`Tier`] what it enters and where it loops, and asks whether there is machine
//! code to go on in. With [`NoTier`] all of it compiles to nothing.

use crate::native::Entry;
use riverhawk_bytecode::{CodeAt, FrameId};
use riverhawk_value::Value;

/// Watches the interpreter, and offers candidates.
///
/// No machine code is running on this thread while any of these is called, so a tier may let go of candidates in them.
pub trait Tier {
    /// A user function is entered with these arguments.
    fn entered(&mut self, function: FrameId, arguments: &[Value]);

    /// A loop goes round: its head. What is offered goes on from there.
    fn looped(&mut self, head: CodeAt, slots: Slots<'_>) -> Option<Entry>;

    /// After [`Tier::entered`]: what is offered runs the call.
    fn called(&mut self, function: FrameId, arguments: &[Value]) -> Option<Entry>;

    /// A guard of a candidate failed, by its numbers: the interpreter goes on in its place. The candidate need not be the one that was
    /// entered: candidates call each other.
    fn fell_back(&mut self, candidate: u64, guard: u32);
}

/// What the running frame has in its slots.
#[derive(Clone, Copy, Debug)]
pub struct Slots<'a> {
    /// The running frame's registers come first.
    pub registers: &'a [Value],
    /// The globals.
    pub globals: &'a [Value],
}

impl Slots<'_> {
    /// Slots that the interpreter knows by pointers.
    ///
    /// # Safety
    /// So many values begin at each, and nobody writes them for as long as the slots are looked at.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub(crate) unsafe fn new<'a>(
        registers: *const Value,
        register_count: usize,
        globals: *const Value,
        global_count: usize,
    ) -> Slots<'a> {
        // SAFETY: by the contract.
        unsafe {
            Slots {
                registers: std::slice::from_raw_parts(registers, register_count),
                globals: std::slice::from_raw_parts(globals, global_count),
            }
        }
    }
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTier;

impl Tier for NoTier {
    #[inline(always)]
    fn entered(&mut self, _: FrameId, _: &[Value]) {}
    #[inline(always)]
    fn looped(&mut self, _: CodeAt, _: Slots<'_>) -> Option<Entry> {
        None
    }
    #[inline(always)]
    fn called(&mut self, _: FrameId, _: &[Value]) -> Option<Entry> {
        None
    }
    #[inline(always)]
    fn fell_back(&mut self, _: u64, _: u32) {}
}
