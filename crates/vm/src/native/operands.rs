//! Where the operands of an operation are.

use super::few::frame;
use crate::machine::Machine;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::{Dst, Src, Srcs};
use riverhawk_value::Value;

/// Where the operands of an operation are.
#[derive(Clone, Copy)]
pub(super) struct Operands {
    /// The running frame's first register.
    pub base: *mut Value,
    /// Globals and constants.
    pub statics: *mut Value,
    /// The frame, as machine code numbers them.
    pub frame: u32,
}

impl Operands {
    /// The slot of an operand.
    #[inline(always)]
    pub fn slot(self, operand: Src) -> *mut Value {
        let from = if operand.is_static() { self.statics } else { self.base };
        from.wrapping_add(operand.number())
    }

    /// # Safety
    /// The operand belongs to the running frame, and nobody changes its slot meanwhile.
    #[inline(always)]
    pub unsafe fn get<'a>(self, operand: Src) -> &'a Value {
        // SAFETY: by the contract: the unit is verified, so the operand names a live slot.
        unsafe { &*self.slot(operand) }
    }

    /// # Safety
    /// The operand belongs to the running frame, and nobody else refers to its slot.
    #[inline(always)]
    pub(super) unsafe fn change<'a>(self, operand: Dst) -> &'a mut Value {
        // SAFETY: by the contract.
        unsafe { &mut *self.slot(operand.src()) }
    }

    pub(super) fn array_fault(self, machine: &Machine, operand: Src) -> Fault {
        match frame(&machine.rt.program, self.frame) {
            Some(frame) => machine.array_fault(true, operand.into(), frame),
            None => Fault::new(String::new()),
        }
    }

    /// An element is a scalar, and is used as an array.
    pub(super) fn element_fault(self, machine: &Machine, operand: Dst, key: &Value) -> Fault {
        match frame(&machine.rt.program, self.frame) {
            Some(frame) => machine.element_fault(true, operand, key, ["scalar", "an array"], frame),
            None => Fault::new(String::new()),
        }
    }

    pub(super) fn scalar(self, machine: &Machine, operand: Src, value: &Value) -> Fallible<()> {
        match frame(&machine.rt.program, self.frame) {
            Some(frame) if value.is_array() => {
                Err(machine.scalar_fault(true, operand.into(), frame))
            }
            _ => Ok(()),
        }
    }

    /// Whether a slot is among the operands of a list.
    ///
    /// # Safety
    /// As for [`Operands::list`].
    pub unsafe fn is_in(self, rt: &Runtime, list: Srcs, slot: *const Value) -> bool {
        // SAFETY: by the contract.
        unsafe { self.list(rt, list).any(|operand| std::ptr::eq(operand, slot)) }
    }

    /// # Safety
    /// The list belongs to an operation of the running frame.
    #[inline(always)]
    pub unsafe fn list<'a>(
        self,
        rt: &Runtime,
        list: Srcs,
    ) -> impl Iterator<Item = &'a Value> + use<'a> {
        // SAFETY: a verified list lies inside the unit's, and a run keeps its program to its end.
        let first = unsafe { rt.program.lists.as_ptr().add(list.at as usize) };
        // SAFETY: the operands are the frame's.
        (0..list.count as usize).map(move |at| unsafe { self.get(*first.add(at)) })
    }
}
