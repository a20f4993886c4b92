//! Enters machine code, and continues in the interpreter after it.

use super::context::{Context, Entry, Leaving, NO_GUARD, Status};
use crate::error::RuntimeError;
use crate::frames::MAX_REGISTERS;
use crate::machine::Machine;
use crate::profile::CodeKind;
use crate::tier::PacedTier;
use riverhawk_awkio::fault::Fault;
use riverhawk_bytecode::StaticFrame;
use riverhawk_memory as memory;
use riverhawk_value::Value;
use std::cell::Cell;

pub(crate) struct Left {
    /// The operation.
    pub at: u32,
    pub base_at: usize,
}

const RESERVE: usize = 384 * 1024;

/// Maximum bytes of the stack for calls between candidates; deeper recursion is interpreted.
const MOST: usize = 2 * 1024 * 1024;

/// Machine code starts with room for this many registers, 64 KiB.
const SPARE_REGISTERS: usize = 4_096;

/// Functions with more parameters are interpreted: parameters need room even if no registers are
/// left.
pub const MAX_PARAMETERS: usize = 64;

/// Bytes of the stack for a call between candidates, even if inlined: return address and frame
/// pointer.
pub const MIN_CALL: usize = 16;

impl Machine {
    #[inline(never)]
    pub(crate) fn enter_native(
        &mut self,
        entry: Entry,
        base_at: usize,
        start: &StaticFrame,
        watch: &mut PacedTier,
    ) -> Result<Left, Box<RuntimeError>> {
        let mut context = self.native.take().unwrap_or_else(|| Box::new(Context::new()));
        // The stack cannot move while machine code runs.
        if self.stack.len() - base_at < SPARE_REGISTERS && self.stack.len() < MAX_REGISTERS {
            let size = (base_at + SPARE_REGISTERS).max(self.stack.len() * 2).min(MAX_REGISTERS);
            if !self.lengthen_stack(size) {
                self.native = Some(context);
                return Err(self.locate(Fault::memory(), start.code.start as usize, start));
            }
        }
        let stack = self.stack.as_mut_ptr();
        let statics = self.rt.globals.statics.as_mut_ptr();
        let calls_left = self.budget.max_calls.saturating_sub(self.frames.len());
        let room = stack.wrapping_add(self.stack.len().saturating_sub(MAX_PARAMETERS));
        context.set_unit(self.rt.locale.unit);
        context.limit_by(&raw mut self.budget.steps);
        context.prepare((&raw mut *self).cast(), statics, room, stack_limit(calls_left));
        let from = if self.profile.is_some() { self.entered_from() } else { None };
        if let Some(profile) = &mut self.profile {
            profile.sample_if_due(CodeKind::Interpreted);
            let site = from.map_or(0, |(at, function)| profile.site(at, function));
            context.show(profile, site);
        }
        let context = Box::into_raw(context);
        // SAFETY: the running frame's registers are part of the stack, and the tier offered the
        // entry for this place.
        let status = unsafe { entry.run(context, stack.wrapping_add(base_at)) };
        // SAFETY: made above; the code has come back.
        let mut context = unsafe { Box::from_raw(context) };
        let (at, base, number) = (context.at, context.base, context.number);
        let (candidate, guard, leaving) = (context.candidate, context.guard, context.leaving);
        if let Some(profile) = &mut self.profile {
            profile.depth = context.profile_depth();
            profile.sample_if_due(CodeKind::Compiled);
        }
        let more = context.calls.len().max(self.frames.len().min(calls_left));
        let has_room = memory::grow_exactly(&mut self.frames, more);
        if has_room {
            self.frames.extend(context.calls.drain(..).rev());
        }
        let fault = context.fault.take();
        self.native = Some(context);
        if !has_room {
            return Err(self.locate(Fault::memory(), at as usize, start));
        }

        if status == Status::ReturnedNumber as u32 || status == Status::ReturnedValue as u32 {
            let value = if status == Status::ReturnedNumber as u32 {
                Value::Num(number)
            } else {
                std::mem::take(&mut self.stack[base_at])
            };
            return Ok(self.leave_call(value));
        }
        if status == Status::Failed as u32 {
            let fault = fault.unwrap_or_else(Fault::memory);
            watch.tier.exited_machine_code(&mut watch.pace, Leaving::Error, at);
            return Err(self.locate(fault, at as usize, start));
        }
        if guard != NO_GUARD {
            watch.tier.guard_failed(&mut watch.pace, candidate, guard);
        } else if let Some(&leaving) = Leaving::ALL.get(leaving as usize) {
            watch.tier.exited_machine_code(&mut watch.pace, leaving, at);
        }
        // SAFETY: leaving code names a register of the stack, which has not moved.
        let base_at = unsafe { base.offset_from_unsigned(stack) };
        if let Some(innermost) = self.frames.last() {
            let top =
                base_at + self.rt.program.functions[innermost.function.index()].registers as usize;
            if top > self.stack.len()
                && let Err(fault) = self.make_room(top)
            {
                return Err(self.locate(fault, at as usize, start));
            }
        }
        Ok(Left { at, base_at })
    }

    /// Ends the innermost call, as `Return` does after it has cleared the registers.
    fn leave_call(&mut self, value: Value) -> Left {
        let Some(call) = self.frames.pop() else {
            return Left { at: 0, base_at: 0 };
        };
        let base_at = call.caller_base as usize;
        if call.d.is_static() {
            self.rt.globals.statics[call.d.number()] = value;
        } else {
            self.stack[base_at + call.d.number()] = value;
        }
        Left { at: call.return_to, base_at }
    }
}

thread_local! {
    static LOWEST: Cell<usize> = const { Cell::new(0) };
}

fn stack_limit(calls_left: usize) -> usize {
    let mark = 0u8;
    let here = std::ptr::from_ref(&mark).addr();
    let lowest = LOWEST.get();
    let lowest = if lowest == 0 { find_lowest(here) } else { lowest };
    let by_calls = calls_left.saturating_mul(MIN_CALL).min(MOST);
    (lowest + RESERVE).max(here.saturating_sub(by_calls))
}

/// If the system does not know the stack's end, nothing below `here` is used.
#[cold]
fn find_lowest(here: usize) -> usize {
    let lowest = crate::system::stack_end().unwrap_or(here);
    LOWEST.set(lowest);
    lowest
}
