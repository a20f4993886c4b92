//! Errors about arrays used as scalars and the reverse, with the names of slots.

use crate::machine::Machine;
use riverhawk_awkio::fault::{Fallible, Fault, FaultKind, Misuse, MisusedSlot};
use riverhawk_bytecode::dump::operand_text;
use riverhawk_bytecode::operand::Operand;
use riverhawk_bytecode::{Dst, GlobalNo, Src, StaticFrame};

#[cold]
pub(super) fn scalar_as_array(slot: impl Into<Operand>) -> Fault {
    misuse(slot.into(), None, ["scalar", "an array"])
}

#[cold]
pub(super) fn array_as_scalar(slot: impl Into<Operand>) -> Fault {
    misuse(slot.into(), None, ["array", "a scalar"])
}

#[cold]
pub(super) fn element_misuse(array: Dst, key: &[u8], is_and_used_as: [&'static str; 2]) -> Fault {
    let key = String::from_utf8_lossy(key).into_owned();
    misuse(array.into(), Some(key), is_and_used_as)
}

fn misuse(slot: Operand, key: Option<String>, [is, used_as]: [&'static str; 2]) -> Fault {
    let slot = match slot {
        Operand::Src(slot) if !slot.is_static() => MisusedSlot::Register(slot.number() as u16),
        Operand::Dst(slot) if !slot.is_static() => MisusedSlot::Register(slot.number() as u16),
        Operand::Src(slot) => MisusedSlot::Global(slot.number() as u32),
        Operand::Dst(slot) => MisusedSlot::Global(slot.number() as u32),
        Operand::GlobalNo(global) => MisusedSlot::Global(global.0),
        other => return Fault::new(format!("{other:?} cannot be misused")),
    };
    Fault::misuse(Misuse { slot, key, is, used_as })
}

impl Machine {
    fn slot_name(&self, operand: Operand, start: &StaticFrame) -> String {
        let program = &self.rt.program;
        let frame =
            self.frames.last().map_or(start, |call| &program.functions[call.function.index()]);
        operand_text(program, frame, operand)
    }

    pub(crate) fn message_of(&self, fault: &Fault, start: &StaticFrame) -> String {
        let FaultKind::Misuse(misuse) = fault.kind() else { return fault.message() };
        let (slot, kind) = match misuse.slot {
            MisusedSlot::Register(number) => (Src::register(number).into(), " parameter"),
            MisusedSlot::Global(number) => (GlobalNo(number).into(), ""),
        };
        let name = self.slot_name(slot, start);
        let (is, used_as) = (misuse.is, misuse.used_as);
        match &misuse.key {
            Some(key) => format!("attempt to use the {is} `{name}[\"{key}\"]' as {used_as}"),
            None => format!("attempt to use the {is}{kind} `{name}' as {used_as}"),
        }
    }

    #[cold]
    pub(super) fn warn_unassigned(&mut self, variable: Src, start: &StaticFrame) -> Fallible<()> {
        let kind = if variable.is_static() { "variable" } else { "argument" };
        let mut message = format!(
            "reference to uninitialized {kind} `{}'",
            self.slot_name(variable.into(), start)
        );
        let globals = &self.rt.program.globals;
        if variable.is_static()
            && globals.get(variable.number()).is_some_and(|global| global.usage.array)
        {
            message.push_str(", which is an array elsewhere");
        }
        self.rt.outside.lint_warn(&self.rt.current, &message)
    }
}
