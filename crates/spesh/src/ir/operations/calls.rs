//! Calls of functions, and returns from them.

use super::super::build::Builder;
use super::super::function::*;
use super::super::request::{EntryPoint, FrameName};
use super::super::slot::Slot;
use super::super::state::Cell;
use super::super::tags::TagSet;
use riverhawk_bytecode::{Dst, Regs};

impl Builder<'_> {
    pub(super) fn call(
        &mut self,
        at: u32,
        d: Dst,
        function: u32,
        arguments: Regs,
    ) -> Option<BlockEnd> {
        let Some(callee) = self.snapshot.frame(FrameName::Function(function)) else {
            return Some(self.leave(at, ExitReason::Call));
        };
        let classes: Vec<InstClass> = (0..callee.parameters)
            .map(|number| match number < arguments.count {
                true => InstClass::of(self.tags(Slot::Register(arguments.first + number))),
                false => InstClass::Nothing,
            })
            .collect();
        let signature = Signature { function, parameters: classes.clone() };
        let Some(callee_link) = self.resolver.resolve(&signature, at) else {
            return Some(self.leave(at, ExitReason::Call));
        };
        let mut numbers = Vec::new();
        for number in 0..arguments.count {
            let slot = Slot::Register(arguments.first + number);
            match classes.get(usize::from(number)) {
                Some(InstClass::Number) => numbers.push(self.number(slot)),
                _ => self.settle(slot),
            }
        }
        let touched = callee.touched.clone();
        self.settle_globals(|global| touched.touches(global));
        // The registers from the first argument on are the callee's.
        for register in arguments.first..self.frame.registers {
            let cell = &mut self.state[usize::from(register)];
            *cell =
                Cell { is_own: cell.is_own && !cell.memory.is_plain(), ..Cell::of_earlier_frame() };
        }
        let mut expected = Vec::new();
        for number in 0..self.tracked.len() {
            if let slot @ Slot::Static(global) = self.tracked.slots()[number]
                && touched.may_write(global)
            {
                if self.tags(slot).is_number() {
                    expected.push(slot);
                }
                let was_array = self.tags(slot) == TagSet::ARRAY;
                self.set_memory(slot, if was_array { TagSet::ARRAY } else { TagSet::ANY });
            }
        }
        let target = Slot::from(d);
        if let Some(number) = self.tracked.number(target) {
            // The next write starts a new value.
            self.state[number] =
                Cell { tags: TagSet::ANY, value: None, stale: false, ..self.state[number] };
        }
        let exit = self.exit(at + 1, ExitReason::Callee);
        if self.snapshot.is_profiled() {
            self.push(Inst::Mark(Mark::Call(at)));
        }
        let inst = Inst::Call {
            callee: callee_link,
            arguments: numbers,
            first: arguments.first,
            d: target,
            exit,
        };
        let result = self.push(inst);
        match result {
            Some(value) => self.set_number(target, value),
            None => {
                self.push(Inst::Take { d: target, first: arguments.first });
                self.set_memory(target, TagSet::ANY);
                if self.request.feedback.seen.get(&at).is_some_and(|seen| seen.is_number()) {
                    self.expect_number(target, at + 1);
                }
            }
        }
        for slot in expected {
            if slot != target {
                self.expect_number(slot, at + 1);
            }
        }
        None
    }

    pub(super) fn return_value(&mut self, at: u32, slot: Option<Slot>) -> BlockEnd {
        if !matches!(self.request.entry, EntryPoint::Call { .. }) {
            return self.leave(at, ExitReason::Return);
        }
        self.settle_globals(|_| true);
        let is_number = slot.is_some_and(|slot| self.tags(slot).is_number());
        if self.returns == ReturnForm::Number {
            let Some(slot) = slot.filter(|_| is_number) else {
                self.has_other_return = true;
                return self.leave(at, ExitReason::Return);
            };
            let value = self.number(slot);
            for register in 0..self.frame.registers {
                let slot = Slot::Register(register);
                let cell = self.state[usize::from(register)];
                if cell.is_own && !cell.memory.is_plain() {
                    self.push(Inst::LetGo(slot));
                }
            }
            return BlockEnd::Return(value);
        }
        let (d, first, count) = (Slot::Register(0), 0, self.frame.registers);
        match slot {
            Some(slot) => {
                self.settle(slot);
                self.push(Inst::ReturnSlot { d, slot, first, count });
            }
            None => {
                self.push(Inst::ReturnUnassigned { d, first, count });
            }
        }
        BlockEnd::ReturnValue
    }
}
