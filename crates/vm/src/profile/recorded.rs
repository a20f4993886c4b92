//! The marks of a profiled run.

use super::{CodeKind, Recorder};
use crate::machine::Machine;
use riverhawk_bytecode::Op;

impl Machine {
    /// Profiles the run, whose program must be compiled for it.
    pub fn profiled_by(&mut self, recorder: Recorder) {
        self.profile = Some(Box::new(recorder));
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn mark(&mut self, op: &Op, at: u32) {
        let entered = match *op {
            Op::EnterFunction {} => self.entered_from(),
            _ => None,
        };
        let Some(profile) = &mut self.profile else { return };
        match *op {
            Op::EnterRule { .. } => profile.enter_rule(at),
            Op::EnterFunction {} => {
                let site = entered.map_or(at, |(at, function)| profile.site(at, function));
                profile.enter_function(site);
            }
            _ => profile.leave_function(),
        }
    }

    pub(crate) fn entered_from(&self) -> Option<(u32, u32)> {
        let call = self.frames.last()?;
        let callback = self.rt.program.callback.as_ref().map(|frame| frame.code.start);
        let at = match self.callbacks.last() {
            Some(&at) if callback == Some(call.return_to) => at,
            _ => call.return_to.saturating_sub(1),
        };
        Some((at, call.function.0))
    }

    pub(crate) fn begin_file_rules(&mut self) -> (u32, u32) {
        let Some(profile) = &mut self.profile else { return (0, 0) };
        let before = (profile.floor, profile.depth);
        profile.floor = profile.depth;
        before
    }

    pub(crate) fn end_file_rules(&mut self, before: (u32, u32)) {
        if let Some(profile) = &mut self.profile {
            profile.sample_if_due(CodeKind::Interpreted);
            (profile.floor, profile.depth) = before;
        }
    }
}
