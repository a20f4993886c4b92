//! `next`, `nextfile` and `exit`.

use crate::flow::Flow;
use crate::machine::Machine;
use crate::memory;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::{FrameKind, Op, StaticFrame};

impl Machine {
    pub(super) fn leave_rules(&mut self, op: &Op, start: &StaticFrame) -> Fallible<Option<Flow>> {
        let skips_file = matches!(op, Op::NextFile {});
        match start.kind {
            FrameKind::BeginFile if skips_file => return Ok(Some(Flow::SkipFile)),
            FrameKind::Main => {}
            kind => {
                let word = if skips_file { "nextfile" } else { "next" };
                let rule = match kind {
                    FrameKind::Callback => "a built-in function",
                    _ => &start.name,
                };
                return Err(Fault::new(format!(
                    "`{word}' cannot be used in a function called from {rule}"
                )));
            }
        }
        if skips_file {
            self.rt.main.skip_file(&mut self.rt.current, &mut self.rt.outside)?;
        }
        Ok(None)
    }
}

pub(super) fn may_exit(start: &StaticFrame) -> Fallible<()> {
    if start.kind == FrameKind::Callback {
        return Err(Fault::new(
            "`exit' cannot be used in a function called from a built-in function",
        ));
    }
    memory::check()
}
