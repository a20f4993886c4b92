//! Performs operations in the interpreter for machine code.

use crate::error::RuntimeError;
use crate::flow::{LoopMode, Stopped};
use crate::machine::Machine;
use crate::tier::PacedTier;
use riverhawk_awkio::fault::Fault;
use riverhawk_bytecode::{StaticFrame, Unit as Program};
use std::sync::Arc;

pub(super) fn frame(program: &Program, number: u32) -> Option<&StaticFrame> {
    match number {
        0 => program.begin.as_ref(),
        1 => program.main.as_ref(),
        2 => program.end.as_ref(),
        function => program.functions.get(function as usize - 3),
    }
}

impl Machine {
    #[inline(always)]
    pub(super) fn perform(
        &mut self,
        frame_number: u32,
        at: u32,
        count: u32,
        base_at: usize,
    ) -> Option<u32> {
        // SAFETY: a run keeps its program to its end, and never another.
        let program: &Program = unsafe { &*Arc::as_ptr(&self.rt.program) };
        let frame = frame(program, frame_number)?;
        const FEW: u8 = LoopMode::Few as u8;
        let stopped = self.execute::<FEW, true>(frame, at, count, base_at, &mut PacedTier::none());
        match stopped {
            Ok(Stopped::Before(next)) => Some(next),
            Ok(Stopped::By(_) | Stopped::Switch { .. }) | Err(_) => None,
        }
    }

    /// Keeps a fault until the frames are restored; the error returned is empty.
    #[cold]
    #[inline(never)]
    pub(crate) fn hold(&mut self, fault: Fault, at: usize) -> Box<RuntimeError> {
        self.pending_fault = Some((fault, at as u32));
        Box::new(RuntimeError::new(String::new()))
    }
}
