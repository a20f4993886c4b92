//! Where an optimiser looks in: the interpreter tells a [`Tier`] what it enters and where it loops. With [`NoTier`], the only one
//! there is so far, the calls compile to nothing.

use riverhawk_bytecode::{CodeAt, FrameId};
use riverhawk_value::Value;

/// Watches the interpreter.
pub trait Tier {
    /// A user function is entered with these arguments.
    fn entered(&mut self, function: FrameId, arguments: &[Value]);
    /// A loop goes round: its head.
    fn looped(&mut self, head: CodeAt);
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTier;

impl Tier for NoTier {
    #[inline(always)]
    fn entered(&mut self, _: FrameId, _: &[Value]) {}
    #[inline(always)]
    fn looped(&mut self, _: CodeAt) {}
}
