//! Arguments, room for calls, and leaving all calls at once.

#![allow(unsafe_code)]

use super::naming::array_as_scalar;
use super::operands::{Operands, clear, put, put_parts};
use crate::current::CurrentRecord;
use crate::frames::{Frame, MAX_REGISTERS};
use crate::machine::Machine;
use crate::memory;
use riverhawk_awkio::fault::{Fallible, Fault, RunLimit};
use riverhawk_bytecode::{Dst, Src};
use riverhawk_memory::grow_exactly;
use riverhawk_value::Value;

#[inline(always)]
pub(super) fn argument(
    current: &CurrentRecord,
    operands: Operands,
    d: Dst,
    s: Src,
) -> Fallible<()> {
    // SAFETY: live slots that nothing refers to.
    if !unsafe { pass(current, operands.slot(d.src()), operands.slot(s)) } {
        return Err(array_as_scalar(s));
    }
    memory::check()
}

/// Copies an argument; false, without any effect, if it is an array.
///
/// # Safety
/// The slots are live, and nothing refers to them.
#[inline(always)]
pub(crate) unsafe fn pass(current: &CurrentRecord, d: *mut Value, s: *mut Value) -> bool {
    // SAFETY: by the contract.
    unsafe {
        let is_scalar = (*s).is_plain() || !(*s).is_array();
        if is_scalar {
            put_parts(d, current.argument_by_value(&*s));
        }
        is_scalar
    }
}

#[inline(always)]
pub(crate) fn argument_by_name(
    current: &CurrentRecord,
    mut operands: Operands,
    d: Dst,
    s: Dst,
) -> Fallible<()> {
    let argument = current.argument_by_name(operands.change(s));
    operands.put(d, argument);
    Ok(())
}

/// Ends a frame with registers from `base` on, and puts the value of a slot into `d`; a register is
/// moved, not copied.
///
/// # Safety
/// The slots are live, and nothing refers to them.
pub(crate) unsafe fn give_back(
    current: &CurrentRecord,
    d: *mut Value,
    slot: *mut Value,
    base: *mut Value,
    count: usize,
) {
    // SAFETY: by the contract.
    unsafe {
        let is_register = (base..base.wrapping_add(count)).contains(&slot);
        let value = match &*slot {
            Value::Str(_) | Value::Input(_) if is_register => std::mem::take(&mut *slot),
            other => current.owned(other),
        };
        clear(base, count);
        put(d, value);
    }
}

impl CurrentRecord {
    /// In the function, which may ask for its type, an unassigned value stays unassigned.
    #[inline]
    pub(crate) fn argument_by_value(&self, value: &Value) -> Value {
        match value {
            Value::Uninit | Value::Untyped(_) => Value::Uninit,
            other => self.owned(other),
        }
    }

    pub(crate) fn argument_by_name(&self, slot: &mut Value) -> Value {
        match slot {
            Value::Uninit => {
                *slot = Value::Untyped(std::rc::Rc::default());
                slot.clone()
            }
            Value::Untyped(cell) => match cell.get() {
                Some(array) => Value::Array(array.clone()),
                None => slot.clone(),
            },
            Value::Array(array) => Value::Array(array.clone()),
            other => self.owned(other),
        }
    }
}

impl Machine {
    #[cold]
    #[inline(never)]
    pub(crate) fn make_room(&mut self, top: usize) -> Fallible<()> {
        let max_calls = self.budget.max_calls;
        if self.frames.len() >= max_calls {
            return Err(Fault::limit(RunLimit::Calls(max_calls)));
        }
        if top > MAX_REGISTERS {
            return Err(Fault::new(format!(
                "function calls need more registers than the limit of {MAX_REGISTERS}"
            )));
        }
        let calls = self.frames.len();
        if calls == self.frames.capacity() {
            let more = |wanted: usize| wanted.min(max_calls - calls);
            let is_there = grow_exactly(&mut self.frames, more(calls.max(64)));
            if !is_there {
                return Err(Fault::memory());
            }
        }
        if top <= self.stack.len() {
            return Ok(());
        }
        let size = top.max(self.stack.len() * 2).clamp(256, MAX_REGISTERS);
        if self.lengthen_stack(size) || self.lengthen_stack(top) {
            Ok(())
        } else {
            Err(Fault::memory())
        }
    }

    pub(crate) fn lengthen_stack(&mut self, size: usize) -> bool {
        let more = size.saturating_sub(self.stack.len());
        let is_there = grow_exactly(&mut self.stack, more);
        if is_there {
            self.stack.resize(size, Value::Uninit);
        }
        is_there
    }

    /// Leaves all calls, of which the innermost has registers from `base_at`; returns the first
    /// frame's registers.
    pub(super) fn unwind(&mut self, base_at: usize) -> *mut Value {
        let (calls, first) = self.floor;
        if let Some(innermost) = self.frames.get(calls..).and_then(<[Frame]>::last) {
            let top =
                base_at + self.rt.program.functions[innermost.function.index()].registers as usize;
            self.frames.truncate(calls);
            // Only up to here: the stack may be long, and `next` runs for every record.
            for slot in &mut self.stack[first..top] {
                if !slot.is_plain() {
                    *slot = Value::Uninit;
                }
            }
        }
        self.stack.as_mut_ptr()
    }
}
